import { PyFloat, type PyValue, pyStr } from '../index.ts'
import { PythonError } from '../python-error.ts'
import { isListValue, Tuple, type Value } from '../values/value.ts'
import { isMutableDict } from './dicts.ts'
import { Builtin, NameRef, PathValue, PySet, UserFunction } from './values.ts'

/** A value as plain Python data: tuples and sets are lists, classes are their names with the module. */
export function toPyValue(value: Value): PyValue {
  if (value === null || typeof value !== 'object' || value instanceof PyFloat) return value
  if (isListValue(value)) return value.map(toPyValue)
  if (value instanceof Tuple || value instanceof PySet) return value.items.map(toPyValue)
  if (value instanceof NameRef) return value.path
  if (value instanceof UserFunction || value instanceof Builtin) return value.name
  if (value instanceof PathValue) return value.path
  if (isMutableDict(value))
    return new Map([...value].map(([key, item]) => [typeof key === 'string' ? key : pyStr(toPyValue(key)), toPyValue(item)] as const))
  throw new PythonError('TypeError', 'a value that is not plain data')
}
