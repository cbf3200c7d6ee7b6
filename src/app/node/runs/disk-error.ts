import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { PromptError } from '../../../base/errors/prompt-error.ts'

/** What the system says of a disk, in words, and what helps. */
const problems: Readonly<Record<string, readonly [problem: string, fix: string]>> = {
  ENOSPC: ['the disk is full', 'make room on it, or name a folder on another'],
  EDQUOT: ['this user may not write more to the disk', 'make room, or name a folder on another'],
  EROFS: ['the disk can only be read', 'name a folder on another'],
  EACCES: ['this user may not use it', 'name another folder, or change who may'],
  EPERM: ['this user may not use it', 'name another folder, or change who may'],
  EISDIR: ['this is a folder, not a file', 'name a file'],
  EEXIST: ['this is a file, not a folder', 'name a folder'],
  ENOTDIR: ['part of this path is a file, not a folder', 'name a folder'],
  ENOENT: ['no folder can be made here', 'name another folder'],
  ENAMETOOLONG: ['the path is too long', 'give models and datasets shorter names (abbr), or name another folder'],
  EIO: ['the disk fails', 'look at it, or name a folder on another'],
}

/** Does what writes to a folder; what the disk refuses is told as a user's mistake is, with place, problem and fix. */
export async function onDisk<Result>(folder: () => string, write: () => Promise<Result>, flag = ''): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    throw diskError(error, folder, flag)
  }
}

/** Writes a file, and makes the folder it lies in. */
export function writeInto(file: string, content: string, flag = ''): void {
  try {
    makeFolder(dirname(resolve(file)))
    writeFileSync(file, content)
  } catch (error) {
    throw diskError(error, () => file, flag)
  }
}

/** What the disk refuses, as a user's mistake; other errors as they are. */
function diskError(error: unknown, folder: () => string, flag: string): unknown {
  const { code = '', path, syscall } = error as NodeJS.ErrnoException
  // Of files that are only missing others have more to say.
  const isOfDisk = syscall !== undefined && Object.hasOwn(problems, code) && (code !== 'ENOENT' || syscall === 'mkdir')
  const known = isOfDisk ? problems[code] : undefined
  if (!known || error instanceof PromptError) return error
  const [problem, fix] = known
  return new PromptError('disk', { where: path ?? folder(), problem: `${problem} (${code})`, fix: flag === '' ? fix : `${fix} (${flag})` })
}

/**
 * Makes a folder and those above it. Node's own way never returns where a system has folders of its own making, as in /proc. Returns those that were not there, the
 * innermost first.
 */
export function makeFolder(path: string, mode = 0o777): string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return []
  const made = dirname(path) === path ? [] : makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
    return [path, ...made]
  } catch (error) {
    // Another process may have been faster.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
    return made
  }
}
