import { noOutcomes } from '../../packages/rolecall/src/evaluation/run/record/outcome.ts'
import type { PairResult } from '../../packages/rolecall/src/evaluation/run/record/run-record.ts'

/** The result of a model on a dataset of ten rows, all answered; without a value, the metric is missing. */
export function pairResult(model: string, dataset: string, value?: number, given: Partial<PairResult> = {}): PairResult {
  return {
    model,
    dataset,
    metric: 'accuracy',
    kind: 'verdict',
    unit: 'percent',
    direction: 'higher',
    answers: { ...noOutcomes(), answered: 10 },
    ...(value === undefined ? {} : { value }),
    rows: 10,
    failed: 0,
    skipped: 0,
    tokens: { prompt: 0, reused: 0, reply: 0 },
    cut: 0,
    examplesDropped: 0,
    seconds: 1,
    notes: [],
    ...given,
  }
}
