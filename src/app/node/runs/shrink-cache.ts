import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

const day = 24 * 60 * 60 * 1000

/**
 * Keeps a folder of caches below a number of bytes: the files that were not used for the longest go first. What was used within a
 * day stays, whatever its size: a run that goes on may need it. Whoever uses a file sets its date.
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
      // Somebody else's, or in use: the next may go.
    }
  }
}

/** Only what we have written: the folder is the user's, and may hold anything else. */
function filesIn(folder: string): { path: string; size: number; used: number }[] {
  return ['answers', 'embeddings', 'python'].flatMap((part) =>
    namesIn(join(folder, part)).flatMap((name) => {
      const path = join(folder, part, name)
      const found = /^[0-9a-f]{32}\.(jsonl|f64|snapshot)$/.test(name) ? statSync(path, { throwIfNoEntry: false }) : undefined
      return found?.isFile() ? [{ path, size: found.size, used: found.mtimeMs }] : []
    }),
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // nothing is kept yet
  }
}

/** Sets a cached file's date, by which `shrinkCache` knows what is used. A file of somebody else is used without. */
export function markUsed(file: string): void {
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch {
    // It may be removed sooner than it should, which costs time and nothing else.
  }
}
