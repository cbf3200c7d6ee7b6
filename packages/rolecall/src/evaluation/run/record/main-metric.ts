import type { Evaluator } from '../../score/evaluate/evaluator.ts'
import type { PairResult } from './run-record.ts'
import { metricLabel } from './show-metric.ts'

/** A pair's main metric, which is known before its first row, so that an unfinished run can be displayed. */
export type MainMetric = Pick<PairResult, 'metric' | 'kind' | 'unit' | 'direction' | 'range' | 'isMeanOfRows'>

/** The main metric of an evaluator. */
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

/** A side without a bound is null, since JSON has no infinity. */
function rangeOf(range: readonly [number, number] | undefined): Pick<PairResult, 'range'> {
  const bound = (value: number) => (Number.isFinite(value) ? value : null)
  return range?.some(Number.isFinite) ? { range: [bound(range[0]), bound(range[1])] } : {}
}

/** Why scores of one metric cannot be compared with those of another; undefined if they can. */
export function whyNotCompared(one: ComparedFigure, other: ComparedFigure): string | undefined {
  const isSame = one.metric === other.metric && one.unit === other.unit && one.direction === other.direction
  return isSame ? undefined : `one is scored by ${metricLabel(one)}, the other by ${metricLabel(other)}`
}

/** The kind is omitted: for runs before results recorded it, it is only inferred. */
type ComparedFigure = Pick<MainMetric, 'metric' | 'unit' | 'direction'>

/** The basis of intervals and comparisons: values kept from rows, their scores, or nothing. */
export function resampledBy({ summarise, interval = summarise ? 'kept' : 'scores' }: Pick<Evaluator<unknown>, 'summarise' | 'interval'>) {
  return interval
}
