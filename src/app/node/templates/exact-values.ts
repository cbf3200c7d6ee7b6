import { unsupportedType } from '../../../base/python/data/value.ts'
import { isDict, isList, PyFloat, type PyValue } from '../../../base/python/index.ts'

/**
 * Converts a value so that structured cloning keeps it: floats such as `1.0`, which are class instances, become boxed numbers.
 * Values without a Python equivalent throw, as they do when rendered.
 */
export function toMessage(value: PyValue): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw unsupportedType(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof PyFloat) return Object(value.value)
  if (isList(value)) return value.map(toMessage)
  if (!isDict(value)) throw unsupportedType(value)
  if (value instanceof Map) return new Map([...value].map(([key, entry]) => [key, toMessage(entry)]))
  // Not by assignment: a key may be __proto__.
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toMessage(entry)]))
}

/** The inverse of `toMessage`. */
export function fromMessage(value: unknown): PyValue {
  if (typeof value !== 'object' || value === null) return value as PyValue
  if (value instanceof Number) return new PyFloat(value.valueOf())
  if (Array.isArray(value)) return value.map(fromMessage)
  if (value instanceof Map) return new Map([...value].map(([key, entry]) => [key as string, fromMessage(entry)]))
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fromMessage(entry)]))
}
