import type { PairResult } from '../../evaluation/run/record/run-record.ts'
import { ScoredRows } from '../../evaluation/run/record/scored-rows.ts'
import type { Records } from '../../node/runs/records/records.ts'
import { rowsPerSlice, yieldToEventLoop } from './for-each-record.ts'
import type { Damage } from './viewer-data.ts'

/** The rows that a pair lacks, and its unreadable lines; undefined if there are none. A live run still adds rows. */
export function rowDamage(pair: number, records: Records | undefined, result: PairResult | undefined, isLive: boolean): Damage | undefined {
  const unreadable = records?.unreadable({ isComplete: !isLive }) ?? 0
  const missing = isLive || !result ? 0 : Math.max(0, result.rows - (records?.count ?? 0))
  return unreadable + missing > 0 ? { kind: 'rows', pair, missing, unreadable, ...(result ? { of: result.rows } : {}) } : undefined
}

/** The result of the rows that are left. */
export async function resultOfRows(recorded: PairResult, records: Records | undefined): Promise<PairResult> {
  const rows = new ScoredRows(recorded)
  for (let place = 0; place < (records?.count ?? 0); place++) {
    if (place % rowsPerSlice === rowsPerSlice - 1) await yieldToEventLoop()
    for (const record of records!.read(place, place + 1)) rows.add(record)
  }
  return rows.result()
}
