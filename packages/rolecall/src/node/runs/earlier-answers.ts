import { attempt } from '@rolecall/core/internal/errors'
import { addTokens, isAny, judgeTokensOf, noTokens } from '../../evaluation/run/record/cost.ts'
import type { PairName } from '../../evaluation/run/record/pair-name.ts'
import { isFailure } from '../../evaluation/run/record/row-record.ts'
import type { PairResult } from '../../evaluation/run/record/run-record.ts'
import { seededRandom } from '../../model/language-model/sampling.ts'
import { findRuns } from './run-layout.ts'
import { type RunPair, RunReader } from './run-reader.ts'

/** What answered rows took, from the first request of each to its answer (`busy`), and the pair as a whole, if it is complete. */
export type EarlierAnswers = Pick<PairResult, 'rows' | 'failed' | 'tokens' | 'judgeTokens' | 'cached'> & {
  /** In seconds, without rows from the cache. */
  busy?: number
  seconds?: number
}

/** Maximum number of runs that are searched, and of records that are read of each model and dataset, spread over all of them. */
const mostRuns = 20
const mostRecords = 5000

/** The latest answers of models to datasets of the same names, in the runs below these folders; those of many rows are a sample. */
export function earlierAnswers(parents: readonly string[], names: readonly PairName[]): (EarlierAnswers | undefined)[] {
  const found = parents.flatMap((parent) => findRuns(parent)).slice(0, mostRuns)
  const runs = found.map(({ folder, info }) => new RunReader(folder, info))
  return names.map((name) => {
    for (const run of runs) {
      const pair = run.find(name)
      // A damaged file is not what is being estimated.
      const rows = pair && attempt(() => recordedIn(pair))
      const found = (pair && attempt(() => pair.result())) ?? rows
      if (found && found.rows > 0)
        return { ...found, ...(rows?.busy === undefined || rows.rows === 0 ? {} : { busy: (rows.busy / rows.rows) * found.rows }) }
    }
    return undefined
  })
}

function recordedIn(pair: RunPair): EarlierAnswers | undefined {
  if (!pair.hasRecords) return undefined
  const [tokens, judgeTokens] = [noTokens(), noTokens()]
  let [failed, cached, busy] = [0, 0, 0]
  const records = pair.records()
  const rows = Math.min(records.count, mostRecords)
  const random = seededRandom(0)
  for (let read = 0; read < rows; read++) {
    // At random within equal parts of the file: every k-th row would be biased where rows alternate.
    const place = rows === records.count ? read : Math.floor(((read + random()) / rows) * records.count)
    for (const record of records.read(place, place + 1)) {
      if (isFailure(record)) failed++
      if (record.cached) cached++
      else busy += record.milliseconds / 1000
      addTokens(tokens, record.tokens)
      addTokens(judgeTokens, judgeTokensOf(record) ?? noTokens())
    }
  }
  records.close()
  return { rows, failed, cached, busy, tokens, ...(isAny(judgeTokens) ? { judgeTokens } : {}) }
}
