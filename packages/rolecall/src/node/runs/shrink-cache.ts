import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setupFile } from './foreign/setup-file.ts'

const day = 24 * 60 * 60 * 1000

/**
 * Evicts the least recently used files, and results of other harnesses, until the cache is below a number of bytes. Those used within a
 * day stay, because a current run may need them. `markUsed` records each use.
 */
export function shrinkCache(folder: string, most = 4 * 2 ** 30, now = Date.now()): void {
  const files = [...filesIn(folder), ...resultsIn(join(folder, 'results'))].sort((one, other) => one.used - other.used)
  let total = files.reduce((sum, { size }) => sum + size, 0)
  for (const { path, size, used } of files) {
    if (total <= most || now - used < day) return
    try {
      rmSync(path, { recursive: true, force: true })
      total -= size
    } catch {
      // Another user's file, or in use: try the next.
    }
  }
}

type CacheEntry = { path: string; size: number; used: number }

/** Only files that Rolecall wrote: the folder may contain anything else. */
function filesIn(folder: string): CacheEntry[] {
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

/** Results of other harnesses, each a folder; its settings are written last, and are marked when it is used. */
function resultsIn(folder: string): CacheEntry[] {
  return namesIn(folder)
    .filter((name) => /-[0-9a-f]{16}(?:\.[0-9a-f-]{36}\.incomplete)?$/.test(name))
    .flatMap((name) => {
      const path = join(folder, name)
      const own = statSync(path, { throwIfNoEntry: false })
      if (!own?.isDirectory()) return []
      const { mtimeMs: used } = statSync(join(path, setupFile), { throwIfNoEntry: false }) ?? own
      const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      const sizes = files.map((entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0)
      return [{ path, size: sizes.reduce((sum, size) => sum + size, 0), used }]
    })
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
