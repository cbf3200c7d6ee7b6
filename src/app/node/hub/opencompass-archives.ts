import { rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { DataArchive } from '../../../compat/opencompass/loaders/files.ts'
import { download } from './download.ts'
import { HubClient, type HubReply, HubUnreachable } from './hub-client.ts'
import { hubProgress } from './hub-progress.ts'
import { huggingFaceSettings } from './hub-settings.ts'
import { unzip } from './unzip.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where OpenCompass publishes its data; ROLECALL_OPENCOMPASS_DATA is a mirror. */
const published = 'https://opencompass.oss-cn-shanghai.aliyuncs.com/datasets/data'

/**
 * Downloads an archive of OpenCompass's data and unpacks it where OpenCompass does: into `data` of COMPASS_DATA_CACHE or of
 * `~/.cache/opencompass`. False if downloads are forbidden.
 */
export async function fetchDataArchive({ name, md5 }: DataArchive, environment: Environment = process.env): Promise<boolean> {
  const settings = { ...huggingFaceSettings(environment), endpoint: environment.ROLECALL_OPENCOMPASS_DATA ?? published, token: undefined }
  if (settings.isOffline) return false
  const root = join(environment.COMPASS_DATA_CACHE || join(environment.HOME ?? homedir(), '.cache/opencompass'), 'data')
  const client = new HubClient(settings, () => ({}))
  const archive = join(root, name)
  const refused = (reply: HubReply) =>
    new PromptError('archive', {
      where: reply.url,
      problem: `the archive with the data cannot be downloaded: the answer is ${reply.status}`,
      fix: `put the data into ${root}`,
    })
  try {
    const size = await sizeOf(client, name, refused)
    const partial = await download({
      client,
      address: name,
      target: archive,
      file: { path: name, size, etag: md5 },
      refused,
      onBytes: (done) => hubProgress.show({ name: 'OpenCompass', file: name, done, total: size }),
    })
    // Another process has downloaded and unpacked it.
    if (partial === undefined) return true
    unzip(partial, root)
    rmSync(partial)
    return true
  } catch (error) {
    if (!(error instanceof HubUnreachable)) throw error
    throw new PromptError('archive', {
      where: name,
      problem: `the archive with the data cannot be downloaded: ${error.message}`,
      fix: `check the network, set ROLECALL_OPENCOMPASS_DATA to a mirror, or put the data into ${root}`,
    })
  } finally {
    await client.close()
  }
}

/** Archives are not listed anywhere: their size is that of the answer. */
async function sizeOf(client: HubClient, name: string, refused: (reply: HubReply) => PromptError): Promise<number> {
  const reply = await client.get(name)
  reply.discard()
  const size = Number(reply.header('content-length'))
  if (reply.status !== 200 || !(size > 0)) throw refused(reply)
  return size
}
