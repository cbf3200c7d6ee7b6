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

/**
 * NumPy's `round(number, digits)`, which scales the number first: half to even, too, but not of the exact value.
 *
 * @example
 * numpyRound(3.335, 2) // => 3.34
 */
export function numpyRound(value: number, digits: number): number {
  const scaled = value * 10 ** digits
  const below = Math.floor(scaled)
  const isUp = scaled - below > 0.5 || (scaled - below === 0.5 && below % 2 !== 0)
  return (isUp ? below + 1 : below) / 10 ** digits
}
