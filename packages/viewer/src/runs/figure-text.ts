import { fixed } from 'rolecall/internal/evaluation/run/record/round'
import { digitsOf } from 'rolecall/internal/evaluation/run/record/show-metric'
import { showDecimal } from '../texts/numbers.ts'

/** A metric with the digits of its unit; `–` if there is none. */
export function figureText(value: number | undefined, unit: string): string {
  return value === undefined ? '–' : showDecimal(value, digitsOf(unit))
}

/** `[50.2, 61.0]`, or nothing. */
export function intervalText(interval: { low: number; high: number } | undefined, unit: string): string {
  return interval ? `[${figureText(interval.low, unit)}, ${figureText(interval.high, unit)}]` : ''
}

/** `+1.5`, `−0.3`, `0.0`. */
export function differenceText(value: number, unit: string): string {
  const isZero = Number(fixed(value, digitsOf(unit))) === 0
  return `${isZero ? '' : value < 0 ? '−' : '+'}${figureText(Math.abs(value), unit)}`
}

export type Axis = readonly [from: number, to: number]

type Ranged = { unit: string; range?: readonly [number | null, number | null] | undefined }

/** The axis of a dot plot: the full range if both ends are known, otherwise that of the values with some margin. */
export function axisOf({ unit, range }: Ranged, values: readonly number[]): Axis {
  const [least, greatest] = range ?? (unit === 'percent' ? [0, 100] : [null, null])
  if (typeof least === 'number' && typeof greatest === 'number') return [least, greatest]
  const [low, high] = values.length === 0 ? [0, 1] : [Math.min(...values), Math.max(...values)]
  const room = 0.2 * (high - low) || Math.abs(high) / 10 || 1
  return [Math.max(low - room, least ?? Number.NEGATIVE_INFINITY), Math.min(high + room, greatest ?? Number.POSITIVE_INFINITY)]
}
