import type { RowRecord } from '../../../evaluation/run/record/run-record.ts'

/** A line as JSON, for those who look through many: it does not matter there that 1.0 becomes 1. What is not JSON has the number -1. */
export function readQuickly(line: string): Partial<RowRecord> & { id: number } {
  try {
    return JSON.parse(line) as RowRecord
  } catch {
    return readPython(line)
  }
}

/** Python writes numbers that JSON does not have. */
function readPython(line: string): Partial<RowRecord> & { id: number } {
  try {
    return JSON.parse(line.replace(/\b(?:NaN|-?Infinity)\b/g, 'null')) as RowRecord
  } catch {
    return { id: -1 }
  }
}
