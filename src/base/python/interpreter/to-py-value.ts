import type { PyValue } from '../index.ts'
import { toPlainData } from '../values/plain-data.ts'
import type { Value } from '../values/value.ts'
import { Builtin, NameRef, PathValue, UserFunction } from './values.ts'

/** A value as plain data; classes are their names with the module. */
export function toPyValue(value: Value): PyValue {
  return toPlainData(value, (object) => {
    if (object instanceof NameRef || object instanceof PathValue) return object.path
    return object instanceof UserFunction || object instanceof Builtin ? object.name : undefined
  })
}
