import { createHash } from 'node:crypto'
import { closeSync, existsSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { type FileHandle, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { PromptError } from '@rolecall/core/internal/errors'
import { mediaType } from '@rolecall/core/internal/text'
import { openedPath, openRegular, openRegularFile } from '../regular-file.ts'
import { keptFolder, privateFolder } from '../runs/private-folder.ts'
import { markUsed } from '../runs/shrink-cache.ts'
import { refuseUnlessAllowed } from './named-files.ts'

/** A file of media with the hash of its content, which identifies what a model was shown: `file:///cat.png#sha256=…`. Undefined if it is no media. */
export function fileReference(path: string): string | undefined {
  const hash = hashOfFile(path)
  return hash === undefined ? undefined : referenceTo(path, hash)
}

function referenceTo(path: string, hash: string): string {
  return `${pathToFileURL(path).href}#sha256=${hash}`
}

/** Rows are read several times before they are sent; a file that has not changed since is hashed once. */
const hashes = new Map<string, { size: number; changed: number; hash: string }>()
const mostHashes = 100_000
/** Shared, so that many files leave no garbage. */
const chunk = Buffer.alloc(1 << 18)

function hashOfFile(path: string): string | undefined {
  const { size, mtimeMs: changed } = statSync(path)
  const known = hashes.get(path)
  if (known?.size === size && known.changed === changed) return known.hash
  const hasher = createHash('sha256')
  const file = openRegular(path)
  try {
    let length = readSync(file, chunk)
    if (mediaType(chunk.subarray(0, length), size) === undefined) return undefined
    for (; length > 0; length = readSync(file, chunk)) hasher.update(chunk.subarray(0, length))
  } finally {
    closeSync(file)
  }
  const hash = hasher.digest('hex')
  if (hashes.size >= mostHashes) hashes.clear()
  hashes.set(path, { size, changed, hash })
  return hash
}

/** Keeps media in the cache, under their hash, and gives a reference: rows and records hold no megabytes. */
export function storeMedia(bytes: Uint8Array, folder = keptFolder('media')): string {
  const hash = hashOfMedia(bytes)
  const ending = mediaType(bytes)?.split('/')[1] ?? 'bin'
  const path = join(folder, `${hash}.${ending}`)
  privateFolder(folder)
  if (existsSync(path)) markUsed(path)
  else {
    const partial = `${path}.${process.pid}`
    writeFileSync(partial, bytes, { mode: 0o600 })
    renameSync(partial, path)
  }
  return referenceTo(path, hash)
}

/**
 * The media of a reference as a data URI, for a request. Only files that begin as media do are read, and of those that a row names only
 * files that rows may name; a config names any. Nothing larger than a chunk is read besides the result: strings of megabytes stay in memory
 * until the garbage collector runs.
 */
export async function readMedia(url: string, namedBy: 'config' | 'row'): Promise<Buffer> {
  const [place, hash] = url.split('#sha256=') as [string, string?]
  const unreadable = (error: Error) => {
    throw new PromptError('unreadable-file', { where: place, problem: `the file cannot be read (${error.message})`, fix: 'check the path' })
  }
  const file = await openLocalFile(place).catch(unreadable)
  try {
    if (namedBy === 'row') refuseUnlessAllowed(fileURLToPath(place), await openedPath(file, fileURLToPath(place)))
    const { size } = await file.stat()
    // Three bytes become four characters, so chunks of whole triples can be joined.
    const chunk = Buffer.alloc(Math.min(size, 3 << 14))
    const read = async (at: number) => {
      const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, size - at), at).catch(unreadable)
      return at + bytesRead < size ? bytesRead - (bytesRead % 3) : bytesRead
    }
    let length = await read(0)
    const type = mediaType(chunk.subarray(0, length), size)
    if (type === undefined)
      throw new PromptError('no-media', {
        where: place,
        problem: 'the file is neither an image nor audio, a video or a PDF',
        fix: 'name a file of media; others are not sent',
      })
    const head = `data:${type};base64,`
    const uri = Buffer.allocUnsafe(head.length + 4 * Math.ceil(size / 3))
    let end = uri.write(head, 'latin1')
    const hasher = createHash('sha256')
    for (let at = 0; length > 0; length = await read(at)) {
      const bytes = chunk.subarray(0, length)
      hasher.update(bytes)
      end += uri.write(bytes.toString('base64'), end, 'latin1')
      at += length
    }
    if (end < uri.length || (hash !== undefined && hasher.digest('hex') !== hash))
      throw new PromptError('media-changed', {
        where: place,
        problem: 'the file has changed since its row was read',
        fix: 'run again, so that answers belong to what the model was shown',
      })
    return uri
  } finally {
    await file.close()
  }
}

/** Opens a regular file on this machine: devices and pipes have no end, and a host in a URL is contacted on Windows. */
async function openLocalFile(url: string): Promise<FileHandle> {
  if (new URL(url).host !== '') throw new Error('it is on another machine')
  const path = fileURLToPath(url)
  if (!(await stat(path)).isFile()) throw new Error('it is not a regular file')
  return openRegularFile(path)
}

/** Larger than any file that a server takes or a page shows. */
const mostBytes = 1 << 30

export async function readLocalFile(url: string): Promise<Buffer<ArrayBuffer>> {
  const file = await openLocalFile(url)
  try {
    if ((await file.stat()).size > mostBytes) throw new Error(`it is larger than ${mostBytes >> 20} MiB`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** The SHA-256 of media, which identifies them. */
export function hashOfMedia(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
