import { noOutcomes } from './outcome.ts'
import type { PairResult } from './run-record.ts'

/** Results of earlier versions, which did not record kind, direction and answers. */
type EarlierResult = Omit<PairResult, 'kind' | 'direction' | 'answers'> & Partial<PairResult>

/** Upgrades a result to the current format. Values that an earlier version did not record are inferred or left empty. */
export function upgradeResult({ value, ...result }: EarlierResult): PairResult {
  const isQuantity = result.unit === 'mean'
  const { kind, direction = isQuantity ? 'lower' : 'higher', answers } = result
  return {
    ...result,
    // JSON cannot represent NaN (the mean of nothing): the value is omitted then.
    ...(typeof value === 'number' ? { value } : {}),
    // Earlier versions used Wilson's interval only if all rows were right or wrong.
    kind: kind ?? (isQuantity ? 'quantity' : result.interval?.method === 'wilson' ? 'verdict' : 'graded'),
    unit: isQuantity ? (result.metric === 'bpc' ? 'bits per character' : 'nats per token') : result.unit,
    direction,
    answers: answers ?? { ...noOutcomes(), answered: result.rows - result.failed, failed: result.failed },
  }
}
