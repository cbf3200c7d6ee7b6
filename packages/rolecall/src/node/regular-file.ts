import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats } from 'node:fs'
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises'
import { PromptError } from '@rolecall/core/internal/errors'

const { O_RDONLY, O_NONBLOCK = 0 } = constants

/**
 * Opens a file for reading, unless it is a device, which may not end, or a pipe, which blocks until somebody writes. Folders are left to
 * the caller: reading one fails.
 */
export function openRegular(path: string): number {
  const descriptor = openSync(path, flagsFor(path))
  try {
    refuseSpecial(fstatSync(descriptor), path)
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** The same without blocking the event loop. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const handle = await open(path, flagsFor(path))
  try {
    refuseSpecial(await handle.stat(), path)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Where the file behind a descriptor is, whatever its path leads to by now. */
export async function openedPath(file: FileHandle, path: string): Promise<string> {
  if (process.platform === 'linux') return readlink(`/proc/self/fd/${file.fd}`)
  const real = await realpath(path)
  const [opened, found] = await Promise.all([file.stat(), stat(real)])
  if (opened.dev === found.dev && opened.ino === found.ino) return real
  throw new PromptError('not-a-file', { where: path, problem: 'the file was replaced while it was opened', fix: 'try again' })
}

/** Whether a path is that of a file or a folder: neither a link nor a device, pipe or socket. */
export function isPlainEntry(found: Pick<Stats, 'isFile' | 'isDirectory'>): boolean {
  return found.isFile() || found.isDirectory()
}

/** What an entry that is neither a file nor a folder is, for errors. */
export function kindOfEntry(found: Pick<Stats, 'isSymbolicLink' | 'isFIFO' | 'isSocket'>): string {
  if (found.isSymbolicLink()) return 'a link'
  if (found.isFIFO()) return 'a pipe'
  return found.isSocket() ? 'a socket' : 'a device'
}

/** Whether a path is a link. */
export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

/** Without `O_NONBLOCK`, opening a pipe waits for its other end. */
function flagsFor(path: string): number {
  return isPipedIn(path) ? O_RDONLY : O_RDONLY | O_NONBLOCK
}

/** A shell passes `<(command)` and standard input by these names: the user wants them read. */
function isPipedIn(path: string): boolean {
  return /^\/dev\/(?:stdin|fd\/\d+)$/.test(path)
}

function refuseSpecial(found: Stats, path: string): void {
  if (isPlainEntry(found) || isPipedIn(path)) return
  throw new PromptError('not-a-file', {
    where: path,
    problem: `this is ${kindOfEntry(found)}, not a regular file`,
    fix: 'replace it by the file itself',
  })
}
