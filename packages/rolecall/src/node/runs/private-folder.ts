import { chmodSync, lstatSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { userCacheFolder } from '../platform.ts'
import { makeFolder } from './disk-error.ts'

/** The cache folder: `$ROLECALL_CACHE` (`off` disables it), else `rolecall` in the user's cache folder. */
export function cacheFolder(): string | undefined {
  if (process.env.ROLECALL_CACHE) return process.env.ROLECALL_CACHE === 'off' ? undefined : process.env.ROLECALL_CACHE
  return join(userCacheFolder(), 'rolecall')
}

/**
 * Where files are kept that records or commands refer to later: in the cache or, without one, in a folder of this user among the temporary
 * ones. Its name does not change from run to run, because the keys of answers contain it.
 */
export function keptFolder(part: 'media' | 'results' | 'own'): string {
  return join(cacheFolder() ?? join(tmpdir(), `rolecall-${process.getuid?.() ?? 'user'}`), part)
}

/**
 * Creates a folder of the cache that only this user can enter, and closes an earlier one to others. What is in the cache is believed, and
 * private rows and answers are written into it, so the folder of another user is refused.
 */
export function privateFolder(path: string): string {
  // Windows has no owners here: its folders for temporary files and caches are the user's.
  const user = process.getuid?.()
  makeFolder(dirname(path), 0o700)
  if (user !== undefined) refuseOthers(dirname(path), [user, 0])
  makeFolder(path, 0o700)
  if (user === undefined) return path
  refuseOthers(path, [user])
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700)
  return path
}

/** The owner of a link decides where it leads. */
function refuseOthers(path: string, owners: readonly number[]): void {
  const owner = [lstatSync(path), statSync(path)].map(({ uid }) => uid).find((uid) => !owners.includes(uid))
  if (owner === undefined) return
  throw new PromptError('not-own-cache', {
    where: path,
    problem: `the folder belongs to another user (${owner}), who could read what is cached, or write answers into it`,
    fix: 'set ROLECALL_CACHE to a folder of your own',
  })
}
