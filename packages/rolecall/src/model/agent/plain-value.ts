import { dictEntries, isDict, isList, PyFloat, type PyValue } from '@rolecall/core/internal/python'

/**
 * A value as JavaScript programs expect it: floats are numbers, dicts are objects. Integers beyond 2^53 stay whole.
 *
 * @example
 * plainValue({ a: pyFloat(1) }) // => { a: 1 }
 */
export function plainValue(value: PyValue): unknown {
  if (value instanceof PyFloat) return value.value
  if (isList(value)) return value.map(plainValue)
  return isDict(value) ? Object.fromEntries(dictEntries(value).map(([key, inner]) => [key, plainValue(inner)])) : value
}
