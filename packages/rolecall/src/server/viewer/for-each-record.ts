import type { RowRecord } from '../../evaluation/run/record/run-record.ts'
import type { Records } from '../../node/runs/records/records.ts'

/** About 10 ms of work. */
export const rowsPerSlice = 2000

/** Lets pending requests be answered during a long scan. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

export type ScannedRecord = Partial<RowRecord> & { id: number }

/** Visits all records in one pass, yielding to the event loop in between. */
export async function forEachRecord(records: Records, visit: (record: ScannedRecord, place: number, line: string) => void): Promise<void> {
  const { count } = records
  for (let place = 0; place < count; place++) {
    if (place % rowsPerSlice === rowsPerSlice - 1) await yieldToEventLoop()
    const line = records.line(place)
    visit(parseRecord(line), place, line)
  }
}

/** Parses a line quickly: floats such as 1.0 become integers. Lines that are not JSON get the id -1. */
export function parseRecord(line: string): ScannedRecord {
  try {
    return JSON.parse(line) as RowRecord
  } catch {
    return parseNonFinite(line)
  }
}

/** Python's JSON has NaN, Infinity and -Infinity; they become null, and strings stay as they are. */
function parseNonFinite(line: string): ScannedRecord {
  try {
    return JSON.parse(line.replace(/"(?:[^"\\]|\\.)*"|NaN|-?Infinity/g, (found) => (found.startsWith('"') ? found : 'null'))) as RowRecord
  } catch {
    return { id: -1 }
  }
}
