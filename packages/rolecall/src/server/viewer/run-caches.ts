import { RecordsPool } from '../../node/runs/records/records-pool.ts'
import { RecentMap } from './recent-map.ts'
import type { RowColumns, RunLengths } from './viewer-data.ts'

/** A value, and the state of the files that it was computed from. */
export type Stamped<Value> = { stamp: string; value: Promise<Value> }

/** What a viewer keeps of the pairs that were looked at last: open files, columns of all rows, and distributions. Its memory does not grow with the session. */
export class RunCaches {
  readonly records = new RecordsPool()
  readonly columns = new RecentMap<string, Stamped<RowColumns>>(8)
  readonly lengths = new RecentMap<string, Stamped<RunLengths>>(32)
}

type Cache<Key, Value> = {
  get(key: Key): Stamped<Value> | undefined
  set(key: Key, value: Stamped<Value>): unknown
  delete(key: Key): unknown
}

/** The cached value, computed if there is none with this stamp. Failures are not cached. */
export function cached<Key, Value>(cache: Cache<Key, Value>, key: Key, stamp: string, compute: () => Promise<Value>): Promise<Value> {
  const known = cache.get(key)
  if (known?.stamp === stamp) return known.value
  const value = compute()
  cache.set(key, { stamp, value })
  value.catch(() => cache.get(key)?.value === value && cache.delete(key))
  return value
}
