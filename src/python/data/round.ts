import { formatFloat } from '../values/number-format.ts'

/**
 * Python's `round(number, digits)` of a float: the exact value, half to even.
 *
 * @example
 * pyRound(2.675, 2) // => 2.67
 */
export function pyRound(value: number, digits: number): number {
  return Number.isFinite(value) ? Number(`${value < 0 ? '-' : ''}${formatFloat(Math.abs(value), 'f', digits)}`) : value
}
