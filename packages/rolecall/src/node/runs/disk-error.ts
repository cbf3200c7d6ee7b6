import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'

/** The problem and fix for each disk error code. */
const problems: Readonly<Record<string, readonly [problem: string, fix: string]>> = {
  ENOSPC: ['the disk is full', 'free some space, or choose a folder on another disk'],
  EDQUOT: ['the disk quota is exceeded', 'free some space, or choose a folder on another disk'],
  EROFS: ['the disk is read-only', 'choose a folder on another disk'],
  EACCES: ['permission denied', 'choose another folder, or change its permissions'],
  EPERM: ['permission denied', 'choose another folder, or change its permissions'],
  EISDIR: ['this is a folder, not a file', 'choose a file'],
  EEXIST: ['this is a file, not a folder', 'choose a folder'],
  ENOTDIR: ['part of this path is a file, not a folder', 'choose a folder'],
  ENOENT: ['no folder can be created here', 'choose another folder'],
  ENAMETOOLONG: ['the path is too long', 'give models and datasets shorter names (abbr), or choose another folder'],
  EFBIG: [
    'the file is larger than this process may write, or than its disk can hold',
    'raise the limit (ulimit -f), or choose a folder on another disk',
  ],
  EIO: ['the disk reports an input/output error', 'check the disk, or choose a folder on another one'],
}

/** Runs a function that writes to a folder and converts disk errors to `PromptError`s. */
export async function onDisk<Result>(folder: () => string, write: () => Promise<Result>, flag = ''): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    throw diskError(error, folder, flag)
  }
}

/** Writes a file and creates its folder. */
export function writeInto(file: string, content: string, flag = ''): void {
  try {
    makeFolder(dirname(resolve(file)))
    writeFileSync(file, content)
  } catch (error) {
    throw diskError(error, () => file, flag)
  }
}

/** Fails if `writeInto` would; an existing file stays as it is, and no new one is left. */
export function checkWritable(file: string, flag = ''): void {
  try {
    makeFolder(dirname(resolve(file)))
    const isNew = !existsSync(file)
    closeSync(openSync(file, 'a'))
    if (isNew) rmSync(file)
  } catch (error) {
    throw diskError(error, () => file, flag)
  }
}

/** Converts disk errors to `PromptError`; other errors are returned unchanged. */
function diskError(error: unknown, folder: () => string, flag: string): unknown {
  const { code = '', path, syscall } = error as NodeJS.ErrnoException
  // Callers report missing files with more context.
  const isOfDisk = syscall !== undefined && Object.hasOwn(problems, code) && (code !== 'ENOENT' || syscall === 'mkdir')
  const known = isOfDisk ? problems[code] : undefined
  if (!known || error instanceof PromptError) return error
  const [problem, fix] = known
  return new PromptError('disk', { where: path ?? folder(), problem: `${problem} (${code})`, fix: flag === '' ? fix : `${fix} (${flag})` })
}

/**
 * Creates a folder and its parents and returns the created ones, innermost first. Not `mkdirSync` with `recursive`, which never returns
 * inside virtual file systems such as /proc.
 */
export function makeFolder(path: string, mode = 0o777): string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return []
  const made = dirname(path) === path ? [] : makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
    return [path, ...made]
  } catch (error) {
    // Another process may have created it first.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
    return made
  }
}
