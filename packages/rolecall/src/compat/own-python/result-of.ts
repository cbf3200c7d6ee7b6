import {
  dictFromEntries,
  entriesOf,
  Generator,
  isDictValue,
  isListValue,
  notUnderstood,
  PyFloat,
  PyObject,
  PySet,
  type PyValue,
  plainNumber,
  pyRepr,
  pyStr,
  stringOf,
  Tuple,
  type Value,
} from '@rolecall/core/internal/python'
import { isMutableDict, itemsOf, refuseUnknown } from '../../python/interpreter/containers.ts'
import type { Session } from '../../python/interpreter/session.ts'
import { NativeObject } from '../../python/interpreter/values.ts'

/** What code gave, as plain data: tuples are lists, sets sorted lists. What only Python could compute is refused. */
export function resultOf(session: Session, given: Value): PyValue {
  session.step()
  refuseUnknown(session, given)
  const value = plainNumber(given)
  if (value === null || typeof value !== 'object' || value instanceof PyFloat) return value
  const text = stringOf(value)
  if (text !== undefined) return text
  if (isListValue(value)) return value.map((item) => resultOf(session, item))
  if (value instanceof Tuple) return value.items.map((item) => resultOf(session, item))
  if (value instanceof PySet) return value.items.map((item) => resultOf(session, item)).sort(byText)
  if (isMutableDict(value) || (isDictValue(value) && !(value instanceof PyObject)))
    return dictFromEntries(entriesOf(value).map(([key, item]) => [keyOf(session, key as Value), resultOf(session, item as Value)] as const))
  if (value instanceof Generator || (value instanceof NativeObject && value.items))
    return itemsOf(session, value).map((item) => resultOf(session, item))
  throw notUnderstood(session.at, 'a result that is no plain data', 'give numbers, texts, lists and dicts')
}

function keyOf(session: Session, key: Value): string {
  const plain = resultOf(session, key)
  return typeof plain === 'string' ? plain : pyStr(plain)
}

function byText(one: PyValue, other: PyValue): number {
  const [a, b] = [pyRepr(one), pyRepr(other)]
  return a < b ? -1 : a > b ? 1 : 0
}
