import { typeError } from '../python-error.ts'
import { longText, touch, touchText } from '../python-limits.ts'
import { PyFloat } from './data.ts'
import { dictSize, equals, hasKey } from './dict.ts'
import { iteratorOf } from './sequence.ts'
import { compareCodePoints } from './strings.ts'
import { Text } from './text.ts'
import {
  DictView,
  Generator,
  isDictValue,
  isListValue,
  isNumber,
  Markup,
  numeric,
  PyObject,
  PySet,
  plainNumber,
  Range,
  stringOf,
  Tuple,
  typeName,
  Undefined,
  type Value,
} from './value.ts'

export type Ordering = '<' | '<=' | '>' | '>='

/** Python's `<`, `<=`, `>` and `>=`; values that have no order are an error. */
export function inOrder(operator: Ordering, a: Value, b: Value): boolean {
  if (isNumber(a) && isNumber(b)) return holds(operator, numeric(a), numeric(b))
  const left = stringOf(a)
  const right = stringOf(b)
  if (left !== undefined && right !== undefined) {
    touchText(Math.min(left.length, right.length) >> 1)
    return holds(operator, compareCodePoints(left, right), 0)
  }
  if (isListValue(a) && isListValue(b)) return itemsInOrder(operator, a, b)
  if (a instanceof Tuple && b instanceof Tuple) return itemsInOrder(operator, a.items, b.items)
  if (a instanceof Undefined) throw a.error
  if (b instanceof Undefined) throw b.error
  const [first, second] = [plainNumber(a), plainNumber(b)]
  if (first !== a || second !== b) return inOrder(operator, first, second)
  throw typeError(`'${operator}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`)
}

/** For `sort`: Python only ever asks whether one is less than the other. */
export function compareValues(a: Value, b: Value): number {
  if (inOrder('<', a, b)) return -1
  return inOrder('<', b, a) ? 1 : 0
}

function holds(operator: Ordering, a: number | bigint, b: number | bigint): boolean {
  switch (operator) {
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
  }
}

function itemsInOrder(operator: Ordering, a: readonly Value[], b: readonly Value[]): boolean {
  const end = Math.min(a.length, b.length)
  for (let index = 0; index < end; index++) {
    touch()
    if (!equals(a[index]!, b[index]!)) return inOrder(operator, a[index]!, b[index]!)
  }
  return holds(operator, a.length, b.length)
}

function isAmong(items: readonly Value[], value: Value): boolean {
  for (const item of items) {
    touch()
    if (equals(item ?? null, value)) return true
  }
  return false
}

/** Python's `value in container`. */
export function contains(container: Value, value: Value): boolean {
  const text = stringOf(container)
  if (text !== undefined) {
    const part = stringOf(value)
    if (text.length > longText) touchText(text.length)
    if (part !== undefined) return text.includes(part)
    throw typeError(`'in <string>' requires string as left operand, not ${typeName(value)}`)
  }
  if (isListValue(container)) return isAmong(container, value)
  if (container instanceof Tuple) return isAmong(container.items, value)
  if (container instanceof Undefined) return false
  if (container instanceof Range || container instanceof Generator || (container instanceof DictView && container.shows !== 'keys')) {
    const iterator = iteratorOf(container)
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      touch()
      if (equals(next.value, value)) return true
    }
    return false
  }
  if (container instanceof DictView || container instanceof PySet) return hasKey(container.dict, value)
  if (isDictValue(container)) return hasKey(container, value)
  throw typeError(`argument of type '${typeName(container)}' is not iterable`)
}

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
