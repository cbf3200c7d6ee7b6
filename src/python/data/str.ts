import { numberRepr } from './number-repr.ts'
import { pyRepr } from './repr.ts'
import type { PyValue } from './value.ts'

/**
 * The text of Python 3.11's `str()`, which is what a template shows for a value; `undefined` counts as None.
 * @example pyStr('a') // => 'a'
 * @example pyStr(['a', true]) // => "['a', True]"
 */
export function pyStr(value: PyValue | undefined): string {
  // Almost all values that templates show are strings, and most others numbers.
  if (typeof value === 'string') return value
  return typeof value === 'number' ? numberRepr(value) : pyRepr(value)
}
