import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { DataArchive } from '../../compat/opencompass/loaders/files.ts'
import { download } from './download.ts'
import { HubClient, type HubReply, HubUnreachable } from './hub-client.ts'
import { type HubSettings, huggingFaceSettings } from './hub-settings.ts'
import { hubUse } from './hub-use.ts'
import { unzip } from './unzip.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where OpenCompass publishes its data; ROLECALL_OPENCOMPASS_DATA is a mirror. */
const published = 'https://opencompass.oss-cn-shanghai.aliyuncs.com/datasets/data'

/** Downloads of this process by path: several datasets may need one archive at once. */
const underWay = new Map<string, Promise<void>>()

/**
 * Downloads an archive of OpenCompass's data and unpacks it where OpenCompass does: into `data` of COMPASS_DATA_CACHE or of
 * `~/.cache/opencompass`. False if downloads are forbidden.
 */
export async function fetchDataArchive(archive: DataArchive, environment: Environment = process.env): Promise<boolean> {
  const settings = { ...huggingFaceSettings(environment), endpoint: environment.ROLECALL_OPENCOMPASS_DATA ?? published, token: undefined }
  if (settings.isOffline) return false
  const root = join(environment.COMPASS_DATA_CACHE || join(environment.HOME ?? homedir(), '.cache/opencompass'), 'data')
  const path = join(root, archive.name)
  const fetching = underWay.get(path) ?? fetchInto(root, archive, settings).finally(() => underWay.delete(path))
  underWay.set(path, fetching)
  await fetching
  return true
}

async function fetchInto(root: string, { name, md5 }: DataArchive, settings: HubSettings): Promise<void> {
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
      where: `OpenCompass › ${name}`,
      target: archive,
      file: { path: name, size, etag: md5 },
      refused,
      cacheVariable: 'COMPASS_DATA_CACHE',
      onBytes: (done) => hubUse.show({ name: 'OpenCompass', file: name, done, total: size }),
    })
    // Undefined: another process has downloaded and unpacked it.
    if (partial !== undefined) await unpack(partial, archive)
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

/** Unpacks beside the data and renames: a folder that a killed process has unpacked in part would look complete. */
async function unpack(partial: string, archive: string): Promise<void> {
  const folder = `${archive}.unpacking`
  await unzip(partial, folder)
  moveInto(folder, dirname(archive))
  rmSync(folder, { recursive: true })
  rmSync(partial)
}

/** Moves files and folders without replacing any. */
function moveInto(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)]
    if (!existsSync(target)) renameSync(source, target)
    else if (statSync(source).isDirectory()) moveInto(source, target)
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
