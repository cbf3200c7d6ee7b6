import type { Evaluator } from '../../score/evaluate/evaluator.ts'
import type { PairResult } from './run-record.ts'
import { metricLabel } from './show-metric.ts'

/** What the figure of a pair is, which is known before its first row: a run that goes on can be looked at without guessing. */
export type MainMetric = Pick<PairResult, 'metric' | 'kind' | 'unit' | 'direction' | 'range' | 'isMeanOfRows'>

/** The figure that an evaluator gives. */
export function mainMetric({ metric, kind, unit, direction = 'higher', range, ...evaluator }: Evaluator<unknown>): MainMetric {
  return {
    metric,
    kind,
    unit,
    direction,
    ...rangeOf(range ?? (unit === 'percent' ? [0, 100] : undefined)),
    ...(resampledBy(evaluator) === 'scores' ? {} : { isMeanOfRows: false as const }),
  }
}

/** A side without a bound is null, as JSON knows no other word for it. */
function rangeOf(range: readonly [number, number] | undefined): Pick<PairResult, 'range'> {
  const bound = (value: number) => (Number.isFinite(value) ? value : null)
  return range?.some(Number.isFinite) ? { range: [bound(range[0]), bound(range[1])] } : {}
}

/** Why scores by one figure say nothing about scores by another; undefined where they can be compared. */
export function whyNotCompared(one: ComparedFigure, other: ComparedFigure): string | undefined {
  const isSame = one.metric === other.metric && one.unit === other.unit && one.direction === other.direction
  return isSame ? undefined : `one is scored by ${metricLabel(one)}, the other by ${metricLabel(other)}`
}

/** The kind is left out: of runs before results told it, it is only concluded. */
type ComparedFigure = Pick<MainMetric, 'metric' | 'unit' | 'direction'>

/** What intervals and comparisons are made from: what was kept of rows, their scores, or nothing. */
export function resampledBy({ summarise, interval = summarise ? 'kept' : 'scores' }: Pick<Evaluator<unknown>, 'summarise' | 'interval'>) {
  return interval
}
