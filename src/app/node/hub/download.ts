import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { HttpFailure } from '../../../model/openai/http/http-client.ts'
import { isAlive } from '../runs/process-mark.ts'
import { type HubClient, type HubReply, HubUnreachable } from './hub-client.ts'
import type { RepoFile } from './hub-site.ts'
import { shownSize } from './shown-size.ts'

/** One download: from where, to where, and what it must be. */
export type Download = {
  client: HubClient
  address: string
  /** The final path; while incomplete, the file has another name beside it. */
  target: string
  file: RepoFile
  /** The error for a refusal. */
  refused: (reply: HubReply) => PromptError
  onBytes?: (bytes: number) => void
}

/** Without any progress. */
const tries = 5

/**
 * Downloads a file to a temporary name beside its target, checks its size and hash, and returns that name. A broken download is resumed,
 * also one of a process that was killed. While another process downloads the same file, this one waits for it: then the result is
 * `undefined`.
 */
export async function download({ client, address, target, file, refused, onBytes }: Download): Promise<string | undefined> {
  mkdirSync(dirname(target), { recursive: true })
  if (await hasOtherFinished(target)) return undefined
  const partial = `${target}.${process.pid}.incomplete`
  adoptOrphan(target, partial)
  checkSpace(target, file)
  for (let attempt = 1; ; attempt++) {
    const before = sizeOf(partial)
    try {
      await append({ client, address, partial, file, refused, onBytes })
      break
    } catch (error) {
      if (error instanceof HttpFailure || error instanceof CutShort) {
        if (sizeOf(partial) > before) attempt = 0
        if (attempt < tries) continue
        throw new HubUnreachable(`${address} broke off ${tries} times; ${sizeOf(partial)} of ${file.size} bytes are kept in ${partial}`)
      }
      throw asDiskError(error, partial, file)
    }
  }
  await verify(partial, file, address)
  return partial
}

class CutShort extends Error {}

type Appending = Pick<Download, 'client' | 'address' | 'file' | 'refused' | 'onBytes'> & { partial: string }

async function append({ client, address, partial, file, refused, onBytes }: Appending): Promise<void> {
  let begin = sizeOf(partial)
  if (begin > file.size) {
    rmSync(partial)
    begin = 0
  }
  if (begin === file.size && existsSync(partial)) return
  const headers: Record<string, string> = begin === 0 ? {} : { range: `bytes=${begin}-` }
  const reply = await client.get(address, { headers, timeout: client.settings.timeouts.download })
  if (reply.status !== 200 && reply.status !== 206) {
    reply.discard()
    // There is no more: the file is shorter than announced, which the check of its size reports.
    if (reply.status === 416) return
    throw refused(reply)
  }
  const isResumed = reply.status === 206 && begin > 0
  onBytes?.(isResumed ? begin : 0)
  const out = createWriteStream(partial, { flags: isResumed ? 'a' : 'w' })
  const opened = finished(out)
  opened.catch(() => undefined)
  try {
    for await (const chunk of reply.chunks()) {
      onBytes?.(chunk.byteLength)
      if (!out.write(chunk)) await Promise.race([opened, new Promise<void>((resolve) => out.once('drain', resolve))])
    }
  } finally {
    out.end()
    await opened
  }
  if (sizeOf(partial) < file.size) throw new CutShort()
}

/** Waits while a living process downloads this file; true if the file is there then. */
async function hasOtherFinished(target: string): Promise<boolean> {
  let hasWaited = false
  while (partialsOf(target).some(({ pid }) => pid !== process.pid && isAlive(pid))) {
    hasWaited = true
    await sleep(200)
  }
  return hasWaited && existsSync(target)
}

/** Takes over the largest partial file of a process that is gone. Renaming decides between two that want it. */
function adoptOrphan(target: string, partial: string): void {
  const orphans = partialsOf(target).filter(({ pid }) => pid !== process.pid && !isAlive(pid))
  const [largest, ...others] = orphans.sort((a, b) => sizeOf(b.path) - sizeOf(a.path))
  if (largest !== undefined && !existsSync(partial)) {
    try {
      renameSync(largest.path, partial)
    } catch {
      // Another process was faster.
    }
  }
  for (const { path } of others) rmSync(path, { force: true })
}

function partialsOf(target: string): { path: string; pid: number }[] {
  const [folder, name] = [dirname(target), basename(target)]
  return readdirSync(folder).flatMap((one) => {
    const pid = one.startsWith(`${name}.`) ? /^(\d+)\.incomplete$/.exec(one.slice(name.length + 1))?.[1] : undefined
    return pid === undefined ? [] : [{ path: join(folder, one), pid: Number(pid) }]
  })
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function checkSpace(target: string, { size, path }: RepoFile): void {
  const { bavail, bsize } = statfsSync(dirname(target))
  if (bavail * bsize >= size) return
  throw new PromptError('no-space', {
    where: dirname(target),
    problem: `${path} needs ${shownSize(size)}, and ${shownSize(bavail * bsize)} are free`,
    fix: 'free some space, or set HF_HOME (MODELSCOPE_CACHE) to another disk',
  })
}

function asDiskError(error: unknown, partial: string, { path }: RepoFile): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined || !['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EIO'].includes(code)) return error
  return new PromptError('disk', {
    where: partial,
    problem: `${path} could not be written (${message})`,
    fix: 'free some space or check the permissions, then run the command again: it resumes',
  })
}

/** A Git hash covers a header with the size, a large file's is plain SHA-256. Other names, as of mirrors, are not checked. */
async function verify(partial: string, { size, etag, path }: RepoFile, address: string): Promise<void> {
  const found = sizeOf(partial)
  const hash: Hash | undefined =
    etag.length === 64 ? createHash('sha256') : etag.length === 40 ? createHash('sha1').update(`blob ${size}\0`) : undefined
  if (found === size && hash !== undefined) for await (const chunk of createReadStream(partial)) hash.update(chunk as Buffer)
  if (found === size && (hash === undefined || hash.digest('hex') === etag)) return
  rmSync(partial, { force: true })
  throw new PromptError('hub-corrupt', {
    where: path,
    problem:
      found === size
        ? `the downloaded file is not the one the hub announced: its hash is another (${address})`
        : `the downloaded file has ${found} bytes instead of ${size} (${address})`,
    fix: 'try again; if it stays so, the mirror or proxy changes files',
  })
}
