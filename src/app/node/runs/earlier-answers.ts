import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../../../base/errors/attempt.ts'
import { addTokens, isAny, judgeTokensOf, noTokens } from '../../../evaluation/run/record/cost.ts'
import { isSamePair, type PairName } from '../../../evaluation/run/record/pair-name.ts'
import { isFailure } from '../../../evaluation/run/record/row-record.ts'
import type { PairResult } from '../../../evaluation/run/record/run-record.ts'
import { openRecords } from './records/records.ts'
import { findRuns, type PairFiles, readResult } from './run-layout.ts'

/** What answered rows took; their time is unknown if the pair is not complete. */
export type EarlierAnswers = Pick<PairResult, 'rows' | 'failed' | 'tokens' | 'judgeTokens' | 'cached' | 'stored'> &
  Partial<Pick<PairResult, 'seconds'>>

/** Maximum number of runs that are searched. */
const mostRuns = 20

/** The latest answers of models to datasets of the same names, in the runs below these folders. */
export function earlierAnswers(parents: readonly string[], names: readonly PairName[]): (EarlierAnswers | undefined)[] {
  const runs = parents.flatMap((parent) => findRuns(parent)).slice(0, mostRuns)
  return names.map((name) => {
    for (const { folder, info } of runs) {
      const files = info.pairs.find((pair) => isSamePair(pair, name))
      // A damaged file is not what is being estimated.
      const found = files && (attempt(() => readResult(folder, files)) ?? attempt(() => recordedSoFar(folder, files)))
      if (found && found.rows > 0) return found
    }
    return undefined
  })
}

/** The rows of a pair that is not complete. */
function recordedSoFar(folder: string, { predictions }: PairFiles): EarlierAnswers | undefined {
  const file = join(folder, predictions)
  if (!existsSync(file)) return undefined
  const [tokens, judgeTokens] = [noTokens(), noTokens()]
  let [failed, cached] = [0, 0]
  const records = openRecords(file)
  const rows = records.count
  for (let place = 0; place < rows; place++) {
    for (const record of records.read(place, place + 1)) {
      if (isFailure(record)) failed++
      if (record.cached) cached++
      addTokens(tokens, record.tokens)
      addTokens(judgeTokens, judgeTokensOf(record) ?? noTokens())
    }
  }
  records.close()
  return { rows, failed, cached, tokens, ...(isAny(judgeTokens) ? { judgeTokens } : {}) }
}
