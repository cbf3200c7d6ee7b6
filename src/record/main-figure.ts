import type { Evaluator } from '../score/evaluate/evaluator.ts'
import type { PairResult } from './run-record.ts'

/** What the figure of a pair is, which is known before its first row: a run that goes on can be looked at without guessing. */
export type MainFigure = Pick<PairResult, 'metric' | 'kind' | 'unit' | 'direction' | 'isMeanOfRows'>

/** The figure that an evaluator gives. */
export function mainFigure({ metric, kind, unit, direction = 'higher', ...evaluator }: Evaluator<unknown>): MainFigure {
  return { metric, kind, unit, direction, ...(resampledBy(evaluator) === 'scores' ? {} : { isMeanOfRows: false as const }) }
}

/** What intervals and comparisons are made from: what was kept of rows, their scores, or nothing. */
export function resampledBy({ summarise, interval = summarise ? 'kept' : 'scores' }: Pick<Evaluator<unknown>, 'summarise' | 'interval'>) {
  return interval
}
