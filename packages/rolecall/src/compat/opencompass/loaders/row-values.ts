import {
  dictEntries,
  dictGet,
  dictHas,
  intOf,
  isDict,
  isList,
  type PyDict,
  type PyValue,
  pyRepr,
  pyStr,
} from '@rolecall/core/internal/python'
import { BadData } from './bad-data.ts'

/** A row while a loader processes it: a mutable dict. */
export type RowDict = Map<string, PyValue>

/** Where rows were read, so that errors can name the file and line. */
const places = new WeakMap<object, string>()

/** A mutable copy of a dict. */
export function dictOf(value: PyValue | undefined, place?: string): RowDict {
  if (!isDict(value)) throw new BadData(`${short(value)} is not an object`, place)
  const dict = new Map(dictEntries(value))
  const found = place ?? places.get(value)
  if (found !== undefined) places.set(dict, found)
  return dict
}

export function placeOf(value: PyValue | undefined): string | undefined {
  return typeof value === 'object' && value !== null ? places.get(value) : undefined
}

/** Python's `value[key]`: by name for a dict, by index for a list or text, counting from the end if negative. */
export function at(value: PyValue | undefined, key: string | number): PyValue {
  if (typeof key === 'string') {
    if (!isDict(value)) throw new BadData(`${short(value)} is not an object and has no "${key}"`)
    if (!dictHas(value, key)) throw new BadData(`there is no "${key}"`, placeOf(value))
    return dictGet(value, key) as PyValue
  }
  const items = typeof value === 'string' ? [...value] : value
  if (!isList(items)) throw new BadData(`${short(value)} is not a list`)
  const item = items.at(key)
  if (item === undefined) throw new BadData(`the list ${short(items)} has no item ${key}`)
  return item
}

/** Python's `value.get(key, otherwise)`. */
export function get(value: PyValue | undefined, key: string, otherwise: PyValue = null): PyValue {
  if (!isDict(value)) throw new BadData(`${short(value)} is not an object`)
  return dictHas(value, key) ? (dictGet(value, key) as PyValue) : otherwise
}

/** The text at a key; any other type is an error. */
export function textAt(value: PyValue | undefined, key: string | number): string {
  const found = at(value, key)
  if (typeof found === 'string') return found
  throw new BadData(`${typeof key === 'string' ? `"${key}"` : `item ${key}`} is ${short(found)}, not a text`, placeOf(value))
}

/** The list at a key; a text is the list of its characters, as in Python. */
export function listAt(value: PyValue | undefined, key: string | number): readonly PyValue[] {
  return listOf(at(value, key), placeOf(value))
}

export function listOf(value: PyValue | undefined, place?: string): readonly PyValue[] {
  if (isList(value)) return value
  if (typeof value === 'string') return [...value]
  if (isDict(value)) return dictEntries(value).map(([key]) => key)
  throw new BadData(`${short(value)} is not a list`, place)
}

export function textOf(value: PyValue | undefined, place?: string): string {
  if (typeof value === 'string') return value
  throw new BadData(`${short(value)} is not a text`, place)
}

/** Sets keys and returns the same dict. */
export function set(dict: RowDict, values: Readonly<Record<string, PyValue>>): RowDict {
  for (const [key, value] of Object.entries(values)) dict.set(key, value)
  return dict
}

/** A new dict with the location of its source row. */
export function row(values: Readonly<Record<string, PyValue>>, from?: PyValue): RowDict {
  const dict = new Map(Object.entries(values))
  const place = placeOf(from)
  if (place !== undefined) places.set(dict, place)
  return dict
}

/** Python's `dict.pop(key)`. */
export function pop(dict: RowDict, key: string): PyValue {
  const value = at(dict, key)
  dict.delete(key)
  return value
}

/** Renames a key and moves it to the end, like Python's `d[new] = d.pop(old)`. */
export function rename(dict: RowDict, from: string, to: string): RowDict {
  dict.set(to, pop(dict, from))
  return dict
}

export function equal(a: PyValue | undefined, b: PyValue): boolean {
  return a !== undefined && pyRepr(a) === pyRepr(b)
}

/** Python's truth value. */
export function isTrue(value: PyValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 0 || value === 0n) return false
  if (isList(value)) return value.length > 0
  if (isDict(value)) return dictEntries(value as PyDict).length > 0
  return pyStr(value) !== '0.0'
}

/** The letter at an index: 0 is A. */
export function letter(index: number): string {
  return String.fromCharCode(65 + index)
}

export function fail(problem: string, about?: PyValue): never {
  throw new BadData(problem, placeOf(about))
}

function short(value: PyValue | undefined): string {
  if (value === undefined) return 'nothing'
  const text = pyRepr(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** Looks up a text by key, like a Python dict: a missing key is an error. */
export function lookUp(table: Readonly<Record<string, PyValue>>, value: PyValue): PyValue {
  if (typeof value === 'string' && Object.hasOwn(table, value)) return table[value]!
  throw new BadData(`${short(value)} is none of ${Object.keys(table).join(', ')}`)
}

/** Python's `int(value)`. */
export function integer(value: PyValue | undefined): number {
  const found = intOf(value)
  if (found === undefined) throw new BadData(`${short(value)} is not a whole number`)
  return Number(found)
}

/** Choices under the letters A, B, C…; the list must have this length. */
export function lettered(choices: readonly PyValue[], count: number): Record<string, PyValue> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [letter(index), at(choices, index)]))
}

/** A row with only these keys, all of which are required. */
export function pick(value: PyValue, ...keys: readonly string[]): RowDict {
  return row(Object.fromEntries(keys.map((key) => [key, at(value, key)])), value)
}
