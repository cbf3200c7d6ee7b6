import { noOutcomes } from './outcome.ts'
import type { PairResult } from './run-record.ts'

/** What runs before results told their kind, direction and answers have written. */
type EarlierResult = Omit<PairResult, 'kind' | 'direction' | 'answers'> & Partial<PairResult>

/** A result as it is written now. Of one that was written before, what it did not say is concluded, or left at nothing. */
export function upgradeResult({ value, ...result }: EarlierResult): PairResult {
  const isQuantity = result.unit === 'mean'
  const { kind, direction = isQuantity ? 'lower' : 'higher', answers } = result
  return {
    ...result,
    // JSON has no word for a figure that is not a number (a mean of nothing): there is none then.
    ...(typeof value === 'number' ? { value } : {}),
    // Only where all rows were right or wrong their interval was Wilson's.
    kind: kind ?? (isQuantity ? 'quantity' : result.interval?.method === 'wilson' ? 'verdict' : 'graded'),
    unit: isQuantity ? (result.metric === 'bpc' ? 'bits per character' : 'nats per token') : result.unit,
    direction,
    answers: answers ?? { ...noOutcomes(), answered: result.rows - result.failed, failed: result.failed },
  }
}
