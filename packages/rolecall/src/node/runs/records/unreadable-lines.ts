import { existsSync } from 'node:fs'
import { openRecords } from './records.ts'

/** Lines of record files that are not records and therefore left out, in words: one text for each file that has any. */
export function unreadableLines(files: readonly string[]): string[] {
  return files.flatMap((file) => {
    if (!existsSync(file)) return []
    const records = openRecords(file)
    try {
      const lines = records.unreadable({ isComplete: false })
      return lines === 0
        ? []
        : [`${file}: ${lines} ${lines === 1 ? 'line is not a record and is' : 'lines are not records and are'} left out`]
    } finally {
      records.close()
    }
  })
}
