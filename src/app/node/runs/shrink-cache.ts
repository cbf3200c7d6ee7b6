import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

const day = 24 * 60 * 60 * 1000

/**
 * Evicts the least recently used files until the cache is below a number of bytes. Files used within a day stay, because a current run
 * may need them. `markUsed` records each use.
 */
export function shrinkCache(folder: string, most = 4 * 2 ** 30, now = Date.now()): void {
  const files = filesIn(folder).sort((one, other) => one.used - other.used)
  let total = files.reduce((sum, { size }) => sum + size, 0)
  for (const { path, size, used } of files) {
    if (total <= most || now - used < day) return
    try {
      rmSync(path, { force: true })
      total -= size
    } catch {
      // Another user's file, or in use: try the next.
    }
  }
}

/** Only files that Rolecall wrote: the folder may contain anything else. */
function filesIn(folder: string): { path: string; size: number; used: number }[] {
  return ['answers', 'embeddings', 'python', 'media'].flatMap((part) =>
    namesIn(join(folder, part)).flatMap((name) => {
      const path = join(folder, part, name)
      const found = /^[0-9a-f]{32}\.(jsonl|f64|snapshot)$|^[0-9a-f]{64}\.[a-z0-9]+$/.test(name)
        ? statSync(path, { throwIfNoEntry: false })
        : undefined
      return found?.isFile() ? [{ path, size: found.size, used: found.mtimeMs }] : []
    }),
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // no cache yet
  }
}

/** Updates a cached file's modification time, which `shrinkCache` evicts by. */
export function markUsed(file: string): void {
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch {
    // Another user's file: it may be evicted early, which only costs time.
  }
}
