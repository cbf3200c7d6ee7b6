import { compareCodePoints } from '../index.ts'
import { touch, touchText } from '../meter.ts'
import { typeError } from '../python-error.ts'
import { equals, numeric } from './equals.ts'
import { typeName } from './type-name.ts'
import { Undefined } from './undefined.ts'
import { isListValue, isNumber, stringOf, Tuple, type Value } from './value.ts'

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
