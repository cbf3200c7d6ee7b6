import { attempt } from '../../../base/errors/attempt.ts'
import { isSamePair, type PairName } from '../../../evaluation/run/record/pair-name.ts'
import type { PairResult } from '../../../evaluation/run/record/run-record.ts'
import { findRuns, readResult } from './run-layout.ts'

/** Maximum number of runs that are searched. */
const mostRuns = 20

/** The latest results of models on datasets of the same names, in the runs below these folders. */
export function earlierResults(parents: readonly string[], names: readonly PairName[]): (PairResult | undefined)[] {
  const runs = parents.flatMap((parent) => findRuns(parent)).slice(0, mostRuns)
  return names.map((name) => {
    for (const { folder, info } of runs) {
      const files = info.pairs.find((pair) => isSamePair(pair, name))
      // A damaged result is not what is being estimated.
      const result = files && attempt(() => readResult(folder, files))
      if (result && result.rows > 0) return result
    }
    return undefined
  })
}
