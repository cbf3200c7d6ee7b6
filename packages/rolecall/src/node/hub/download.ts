import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { PromptError } from '@rolecall/core/internal/errors'
import { BadReply, HttpFailure } from '../../model/openai/http/http-client.ts'
import { isAlive } from '../runs/process-mark.ts'
import { fileHash } from './file-hash.ts'
import { type HubClient, type HubReply, HubUnreachable } from './hub-client.ts'
import type { RepoFile } from './hub-site.ts'
import { shownSize } from './shown-size.ts'

/** One download: from where, to where, and what it must be. */
export type Download = {
  client: HubClient
  address: string
  /** The hub, repository and file, for errors. */
  where: string
  /** The final path; while incomplete, the file has another name beside it. */
  target: string
  file: RepoFile
  /** The error for a refusal. */
  refused: (reply: HubReply) => PromptError
  /** Receives how many bytes there are. */
  onBytes?: (done: number) => void
  /** Called once if another process downloads the same file. */
  onWait?: (pid: number) => void
  /** The environment variable that moves the target to another disk, for errors. */
  cacheVariable?: string
}

/** Without any progress. */
const tries = 5

/**
 * Downloads a file to a temporary name beside its target, checks its size and hash, and returns that name. A broken download is resumed,
 * also one of a process that was killed. While another process downloads the same file, this one waits for it: then the result is
 * `undefined`.
 */
export async function download(given: Download): Promise<string | undefined> {
  const { client, address, where, target, file, refused, onBytes, onWait, cacheVariable = 'HF_HOME (MODELSCOPE_CACHE)' } = given
  mkdirSync(dirname(target), { recursive: true })
  const patience = Math.max(600_000, 2 * client.settings.timeouts.download)
  if (await hasWaited(target, patience, onWait)) return undefined
  const partial = `${target}.${process.pid}.incomplete`
  adoptOrphan(target, partial, patience)
  checkSpace(target, file, sizeOf(partial), cacheVariable)
  for (let attempt = 1; ; attempt++) {
    const before = sizeOf(partial)
    try {
      await append({ client, address, partial, file, refused, onBytes })
      break
    } catch (error) {
      if (error instanceof TooLong) {
        rmSync(partial, { force: true })
        throw corrupt(
          { where, address: client.shown(address), target },
          `the downloaded file has more bytes than the ${file.size} that the hub lists`,
        )
      }
      if (error instanceof HttpFailure || error instanceof BadReply || error instanceof CutShort) {
        if (sizeOf(partial) > before) attempt = 0
        if (attempt < tries) {
          await sleep(200 * attempt)
          continue
        }
        // The server says each time that it has sent the whole file.
        if (error instanceof CutShort) break
        throw new HubUnreachable(
          `${client.shown(address)} broke off ${tries} times; ${sizeOf(partial)} of ${file.size} bytes are kept in ${partial}`,
        )
      }
      throw asDiskError(error, partial, file)
    }
  }
  await verify(partial, file, { where, address: client.shown(address), target })
  return partial
}

/** The first request for the start of a file; vocabularies of 150,000 tokens take six megabytes. */
const firstBytes = 8 * 1024 * 1024

/** The start of a file is held in memory. */
const mostStart = 256 * 1024 * 1024

/** Downloads the start of a file, in ever longer pieces until it is long enough, and writes it to the target. */
export async function downloadStart(
  { client, address, target, file, refused }: Omit<Download, 'where' | 'onBytes' | 'onWait' | 'cacheVariable'>,
  isEnough: (start: Uint8Array, path: string) => boolean,
): Promise<void> {
  for (let [size, attempt] = [firstBytes, 1]; ; ) {
    const bytes = Math.max(1, Math.min(size, file.size, mostStart))
    const start = await firstOf(bytes).catch((error: unknown) => {
      if (error instanceof HttpFailure || error instanceof BadReply) return undefined
      throw error
    })
    if (start === undefined || start.length < bytes) {
      if (attempt++ === tries) throw new HubUnreachable(`${client.shown(address)} broke off ${tries} times`)
      continue
    }
    if (isEnough(start, file.path)) return put(start)
    if (bytes >= Math.min(file.size, mostStart)) throw new HubUnreachable(`${client.shown(address)} is too short`)
    size *= 4
  }

  async function firstOf(bytes: number): Promise<Buffer> {
    const reply = await client.get(address, { headers: { range: `bytes=0-${bytes - 1}` }, timeout: client.settings.timeouts.download })
    if (reply.status !== 200 && reply.status !== 206) {
      reply.discard()
      throw refused(reply)
    }
    const chunks: Uint8Array[] = []
    let done = 0
    // A server that ignores the range sends the whole file.
    for await (const chunk of reply.chunks()) {
      chunks.push(chunk)
      done += chunk.byteLength
      if (done >= bytes) break
    }
    return Buffer.concat(chunks).subarray(0, bytes)
  }

  function put(start: Buffer): void {
    mkdirSync(dirname(target), { recursive: true })
    const temporary = `${target}.${process.pid}.incomplete`
    try {
      writeFileSync(temporary, start)
      renameSync(temporary, target)
    } catch (error) {
      rmSync(temporary, { force: true })
      throw asDiskError(error, temporary, file)
    }
  }
}

class CutShort extends Error {}
class TooLong extends Error {}

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
  let done = isResumed ? begin : 0
  if (done + Number(reply.header('content-length') ?? 0) > file.size && reply.header('content-encoding') === undefined) {
    reply.discard()
    throw new TooLong()
  }
  onBytes?.(done)
  const out = createWriteStream(partial, { flags: isResumed ? 'a' : 'w' })
  const opened = finished(out)
  opened.catch(() => undefined)
  try {
    for await (const chunk of reply.chunks()) {
      done += chunk.byteLength
      if (done > file.size) throw new TooLong()
      onBytes?.(done)
      if (!out.write(chunk)) await Promise.race([opened, new Promise<void>((resolve) => out.once('drain', resolve))])
    }
  } finally {
    out.end()
    await opened
  }
  if (sizeOf(partial) < file.size) throw new CutShort()
}

/** Waits while another process downloads this file; true if one did. */
async function hasWaited(target: string, patience: number, onWait?: (pid: number) => void): Promise<boolean> {
  for (let waits = 0; ; waits++) {
    const other = partialsOf(target).find((one) => one.pid !== process.pid && isInUse(one, patience))
    if (other === undefined) return waits > 0
    if (waits === 0) onWait?.(other.pid)
    await sleep(200)
  }
}

/** A file that has not grown for long is abandoned, even if a process has its number: numbers are given again. */
function isInUse({ path, pid }: PartialFile, patience: number): boolean {
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return changed !== undefined && isAlive(pid) && Date.now() - changed < patience
}

/** Takes over the largest partial file of a process that is gone. Renaming decides between two that want it. */
function adoptOrphan(target: string, partial: string, patience: number): void {
  const orphans = partialsOf(target).filter((one) => one.pid !== process.pid && !isInUse(one, patience))
  const [largest, ...others] = orphans.sort((a, b) => sizeOf(b.path) - sizeOf(a.path))
  if (largest !== undefined && !existsSync(partial)) {
    try {
      renameSync(largest.path, partial)
      utimesSync(partial, new Date(), new Date())
    } catch {
      // Another process was faster.
    }
  }
  for (const { path } of others) rmSync(path, { force: true })
}

type PartialFile = { path: string; pid: number }

/** Python's have eight hexadecimal digits in place of a process's number, which has at most seven. */
function partialsOf(target: string): PartialFile[] {
  const [folder, name] = [dirname(target), basename(target)]
  return readdirSync(folder).flatMap((one) => {
    const pid = one.startsWith(`${name}.`) ? /^(\d{1,7})\.incomplete$/.exec(one.slice(name.length + 1))?.[1] : undefined
    return pid === undefined ? [] : [{ path: join(folder, one), pid: Number(pid) }]
  })
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** The bytes that are free on the disk of a folder. */
export function freeSpace(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

function checkSpace(target: string, { size, path }: RepoFile, done: number, variable: string): void {
  const free = freeSpace(dirname(target))
  if (free >= size - done) return
  throw new PromptError('no-space', {
    where: dirname(target),
    problem: `${path} needs ${shownSize(size - done)}, and ${shownSize(free)} are free`,
    fix: `free some space, or set ${variable} to another disk`,
  })
}

function asDiskError(error: unknown, partial: string, { path }: RepoFile): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined || !['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EIO'].includes(code)) return error
  return new PromptError('disk', {
    where: partial,
    problem: `${path} could not be written (${message})`,
    fix: 'free some space or check the permissions, then run the command again: it resumes',
  })
}

/** Files without a known hash are checked by size only. */
async function verify(
  partial: string,
  { size, etag }: RepoFile,
  { where, address, target }: { where: string; address: string; target: string },
): Promise<void> {
  const found = sizeOf(partial)
  const digits = etag.length
  const isChecked = digits === 32 || digits === 40 || digits === 64
  if (found === size && (!isChecked || (await fileHash(partial, digits)) === etag)) return
  rmSync(partial, { force: true })
  const problem =
    found === size
      ? 'the downloaded file is not the one the hub announced: its hash is another'
      : `the downloaded file has ${found} bytes instead of ${size}`
  throw corrupt({ where, address, target }, problem)
}

function corrupt({ where, address, target }: { where: string; address: string; target: string }, problem: string): PromptError {
  return new PromptError('hub-corrupt', {
    where,
    problem: `${problem} (${address})`,
    fix: `try again; if it stays so, the mirror or proxy changes files: download it by hand to ${target}`,
  })
}
