import {
  Generator,
  isDict,
  isList,
  isListValue,
  PyFloat,
  PySet,
  PythonError,
  type PyValue,
  pyStr,
  pythonError,
  Tuple,
  type Value,
} from '@rolecall/core/internal/python'
import { isMutableDict } from '../../../python/interpreter/containers.ts'
import { NumpyScalar } from '../../../python/interpreter/modules/numpy-scalar.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { NameRef, NativeObject, Unknown } from '../../../python/interpreter/values.ts'

/** The result of a function, which must be known: results that only Python could compute are refused. */
export function known(session: Session, value: Value): Value {
  // Lists that share parts can be huge when written out.
  session.step()
  if (value instanceof Unknown) throw value.error
  if (value instanceof NameRef)
    throw pythonError(
      session.at,
      `the value of "${value.name}" is known only to Python`,
      'give processed rows instead, without the function',
    )
  if (value instanceof Generator || (value instanceof NativeObject && value.items))
    return known(session, value instanceof Generator ? [...iterated(value)] : [...value.items!(session)])
  if (isListValue(value)) return value.map((item) => known(session, item))
  if (value instanceof Tuple) return new Tuple(value.items.map((item) => known(session, item)))
  if (value instanceof PySet) return value.items.map((item) => known(session, item))
  if (isMutableDict(value)) {
    for (const [key, item] of value) value.set(key, known(session, item))
    return value
  }
  return value
}

function* iterated({ iterator }: Generator): Iterable<Value> {
  for (let next = iterator.next(); !next.done; next = iterator.next()) yield next.value
}

/** Converts a value to plain dataset data. */
export function toData(session: Session, given: Value): PyValue {
  const value = known(session, given)
  if (value instanceof NumpyScalar) return value.number
  if (value === null || typeof value !== 'object' || value instanceof PyFloat) return value as PyValue
  if (isListValue(value)) return value.map((item) => toData(session, item))
  if (value instanceof Tuple) return value.items.map((item) => toData(session, item))
  if (isMutableDict(value))
    return new Map(
      [...value].map(([key, item]) => [typeof key === 'string' ? key : pyStr(toData(session, key)), toData(session, item)] as const),
    )
  if (isList(value) || isDict(value)) return value as PyValue
  throw new PythonError('TypeError', 'a dataset cannot hold this value')
}
