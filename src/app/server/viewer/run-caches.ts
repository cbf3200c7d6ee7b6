import { RecordsPool } from '../../node/runs/records/records-pool.ts'
import { RecentMap } from './recent-map.ts'
import type { RowColumns, RunLengths } from './viewer-data.ts'

/** What a viewer keeps of the pairs that were looked at last: open files, columns of all rows, and distributions. Its memory does not grow with the session. */
export class RunCaches {
  readonly records = new RecordsPool()
  readonly columns = new RecentMap<string, { rows: number; columns: Promise<RowColumns> }>(8)
  readonly lengths = new RecentMap<string, { rows: string; lengths: Promise<RunLengths> }>(32)
}
