import type { Evaluator } from '../../score/evaluate/evaluator.ts'
import { PairTally } from './pair-tally.ts'
import type { PairResult, RowRecord } from './run-record.ts'

/**
 * Tallies rows that are scored already, e.g. those left of a damaged run. What rows do not say stays as recorded. A metric that is not the
 * mean of the rows' scores has no value: it needs more than they record.
 */
export class ScoredRows {
  readonly #recorded: PairResult
  readonly #tally: PairTally

  constructor(recorded: PairResult) {
    const { metric, kind, unit, direction, isMeanOfRows, by = [], cluster } = recorded
    const evaluator: Evaluator<unknown> = {
      metric,
      kind,
      unit,
      direction,
      needsReference: false,
      judge: () => ({ score: Number.NaN, detail: {} }),
      ...(isMeanOfRows === false ? { interval: 'none' as const, summarise: () => ({}) } : {}),
    }
    this.#recorded = recorded
    const { model, dataset, compat, baseline, axes } = recorded
    this.#tally = new PairTally({ model, dataset, compat, baseline, axes }, evaluator, { by: by.map(({ column }) => column), cluster })
  }

  add(record: RowRecord): void {
    this.#tally.add(record)
  }

  result(): PairResult {
    const { value: _, interval, valueIfFailedAreWrong, figures, beside, complete, answerRows, ...recorded } = this.#recorded
    const { costs, unpriced, notes, ...result } = this.#tally.result(recorded.seconds, { count: recorded.skipped, notes: [] })
    return { ...recorded, ...result, notes: recorded.notes }
  }
}
