import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type PairFiles, readRunInfo } from '../run-layout.ts'
import { openRecords } from './records.ts'

/** Lines of a run's records that are not records and therefore left out, in words: one text for each file that has any. */
export function unreadableLines(folder: string, pairs: readonly Pick<PairFiles, 'predictions'>[] = readRunInfo(folder).pairs): string[] {
  return pairs.flatMap(({ predictions }) => {
    const file = join(folder, predictions)
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
