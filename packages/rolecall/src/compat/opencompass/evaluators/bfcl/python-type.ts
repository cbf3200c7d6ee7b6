import { isDict, isList, PyFloat, type PyValue } from '@rolecall/core/internal/python'

/** The Python types of JSON values. */
export type PythonType = 'str' | 'int' | 'float' | 'bool' | 'list' | 'dict' | 'NoneType'

export function typeOf(value: PyValue): PythonType {
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  if (value instanceof PyFloat) return 'float'
  if (isList(value)) return 'list'
  return isDict(value) ? 'dict' : 'NoneType'
}

/** The types used in function documentation, and their Python types. */
const documented: Readonly<Record<string, PythonType>> = {
  string: 'str',
  any: 'str',
  integer: 'int',
  float: 'float',
  boolean: 'bool',
  array: 'list',
  tuple: 'list',
  dict: 'dict',
}

/** Undefined if the leaderboard does not have the type. */
export function documentedType(name: PyValue | undefined): PythonType | undefined {
  return typeof name === 'string' && Object.hasOwn(documented, name) ? documented[name] : undefined
}

/** The type of the first allowed value; `""` only marks the parameter as optional. */
export function answerType(allowed: readonly PyValue[]): PythonType | undefined {
  const first = allowed.find((one) => one !== '')
  return first === undefined ? undefined : typeOf(first)
}
