import { utimesSync } from 'node:fs'

/** Sets a cached file's date, by which `shrinkCache` knows what is used. A file of somebody else is used without. */
export function markUsed(file: string): void {
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch {
    // It may be removed sooner than it should, which costs time and nothing else.
  }
}
