import { Text } from './text.ts'
import { isDictValue, isFloat, isInt, Markup, PyObject, type Value } from './value.ts'

/** The name of a value's Python class. */
export function typeName(value: Value | undefined): string {
  if (value === null || value === undefined) return 'NoneType'
  if (typeof value === 'string' || value instanceof Text) return 'str'
  if (value instanceof Markup) return 'Markup'
  if (typeof value === 'boolean') return 'bool'
  if (isInt(value)) return 'int'
  if (isFloat(value)) return 'float'
  if (Array.isArray(value)) return 'list'
  if (value instanceof PyObject) return value.typeName
  return isDictValue(value) ? 'dict' : 'object'
}

/** A value's class as Jinja2's messages have it. */
export function objectTypeName(value: Value): string {
  if (value === null) return 'None'
  if (value instanceof Markup) return 'markupsafe.Markup object'
  return `${typeName(value)} object`
}
