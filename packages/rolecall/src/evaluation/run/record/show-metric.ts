import type { Direction } from '../../score/evaluate/metric.ts'
import type { Interval } from '../../score/statistics/interval.ts'
import { fixed } from './round.ts'

/** A value with as many digits as are meaningful. */
export function showValue({ value, unit }: { value?: number | undefined; unit: string }): string {
  return value === undefined ? '–' : fixed(value, digitsOf(unit))
}

/** `75.0 %`, `3.2100 nats per token`. */
export function showWithUnit(figure: { value?: number | undefined; unit: string }): string {
  return `${showValue(figure)}${figure.unit === 'percent' ? ' %' : figure.unit === '' ? '' : ` ${figure.unit}`}`
}

/** ` [50.2, 61.0]`, or nothing. */
export function showInterval({ interval, unit }: { interval?: Interval | undefined; unit: string }): string {
  if (!interval) return ''
  const digits = digitsOf(unit)
  return ` [${fixed(interval.low, digits)}, ${fixed(interval.high, digits)}]`
}

/** The name of a metric with its unit, and ↓ if lower is better: `accuracy %`, `average_ppl ↓, nats per token`. */
export function metricLabel({ metric, unit, direction = 'higher' }: { metric: string; unit: string; direction?: Direction }): string {
  const name = direction === 'lower' ? `${metric} ↓` : metric
  return unit === 'percent' ? `${name} %` : unit === '' ? name : `${name}, ${unit}`
}

/** Percentages have one decimal, counts none. */
export function digitsOf(unit: string): number {
  return unit === 'percent' ? 1 : unit === 'count' ? 0 : 4
}
