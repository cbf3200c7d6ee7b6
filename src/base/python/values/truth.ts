import { PyFloat } from '../index.ts'
import { dictSize } from './dict.ts'
import { Text } from './text.ts'
import { Undefined } from './undefined.ts'
import { DictView, isDictValue, Markup, PyObject, PySet, Range, Tuple, type Value } from './value.ts'

/** Python's `bool()`. */
export function truthy(value: Value): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string') return value !== ''
  if (typeof value === 'number') return value !== 0 // NaN is true
  if (value === null) return false
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'bigint') return value !== 0n
  if (value instanceof Text) return value.value !== ''
  if (value instanceof Markup) return truthy(value.text)
  if (value instanceof PyFloat) return value.value !== 0
  if (value instanceof PyObject) return objectTruth(value)
  return !isDictValue(value) || dictSize(value) > 0
}

function objectTruth(value: PyObject): boolean {
  if (value instanceof Undefined) return false
  if (value instanceof Tuple) return value.items.length > 0
  if (value instanceof Range) return value.length > 0
  if (value instanceof PySet) return value.dict.size > 0
  if (value instanceof DictView) return dictSize(value.dict) > 0
  return true
}
