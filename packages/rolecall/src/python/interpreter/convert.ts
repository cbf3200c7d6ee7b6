import {
  dictEntries,
  floatOf,
  intArgument,
  isDict,
  isDictValue,
  isFloat,
  isInt,
  isListValue,
  isNumber,
  maxIntDigits,
  normalize,
  numeric,
  PyFloat,
  PyObject,
  type PyValue,
  parseInteger,
  plainText,
  pyFloat,
  repr,
  Tuple,
  typeError,
  typeName,
  type Value,
  valueError,
  wholeNumber,
} from '@rolecall/core/internal/python'
import { toPlainData } from '../syntax/plain-data.ts'
import { isMutableDict, newDict } from './containers.ts'
import type { Session } from './session.ts'
import { Builtin, NameRef, PathValue, Unknown, UserFunction } from './values.ts'

/** `int(…)`. */
export function toInt(session: Session, [value = 0, base]: readonly Value[]): Value {
  if (value instanceof Unknown) return value
  if (base !== undefined && typeof value !== 'string') throw typeError("int() can't convert non-string with explicit base")
  if (isInt(value)) return typeof value === 'boolean' ? Number(value) : value
  if (isFloat(value)) return wholeNumber(Number(numeric(value)))
  if (typeof value !== 'string')
    throw typeError(`int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`)
  const radix = base === undefined ? 10 : intArgument(base)
  // The digits of a long number are added to ever longer numbers; an error quotes the text.
  session.step(((Math.min(value.length, maxIntDigits) ** 2) >> 10) + (value.length >> 2))
  const parsed = value.length <= maxIntDigits ? parseInteger(value, radix) : undefined
  if (parsed === undefined) throw valueError(`invalid literal for int() with base ${radix}: ${plainText(repr(value))}`)
  return normalize(parsed)
}

/** `float(…)`. */
export function toFloat(session: Session, [value = 0]: readonly Value[]): Value {
  if (value instanceof Unknown) return value
  if (isNumber(value)) return pyFloat(Number(numeric(value)))
  if (typeof value !== 'string') throw typeError(`float() argument must be a string or a real number, not '${typeName(value)}'`)
  session.step(value.length >> 2)
  const number = floatOf(value)
  if (number === undefined) throw valueError(`could not convert string to float: ${plainText(repr(value))}`)
  return pyFloat(number)
}

/** A value as plain data; classes are their names with the module. */
export function toPyValue(value: Value): PyValue {
  return toPlainData(value, (object) => {
    if (object instanceof NameRef || object instanceof PathValue) return object.path
    return object instanceof UserFunction || object instanceof Builtin ? object.name : undefined
  })
}

/** A copy of plain data with lists and dicts that functions may change. */
export function toMutable(session: Session, value: Value): Value {
  if (isListValue(value)) return value.map((item) => toMutable(session, item))
  if (value instanceof Tuple) return new Tuple(value.items.map((item) => toMutable(session, item)))
  if (value instanceof PyObject || value instanceof PyFloat) return value
  if (isMutableDict(value))
    return newDict(
      session,
      [...value].map(([key, item]) => [key, toMutable(session, item)] as const),
    )
  if (isDictValue(value) && isDict(value))
    return newDict(
      session,
      dictEntries(value).map(([key, item]) => [key, toMutable(session, item as Value)] as const),
    )
  return value
}
