import {
  addEntry,
  dictEntries,
  dictGet,
  floatOf,
  intOf,
  isDict,
  isList,
  type PyDict,
  type PyValue,
  parseJson,
  pyFloat,
  strip,
} from '../../base/python/index.ts'
import { toInt } from './content.ts'

/** Of each tool, the types that its arguments may have, in the order in which they are tried. */
export type ArgumentTypes = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>

/** Reads tools as clients send them; what is none is ignored. */
export function argumentTypes(tools: PyValue | undefined): ArgumentTypes {
  const types = new Map<string, ReadonlyMap<string, readonly string[]>>()
  for (const tool of isList(tools) ? tools : []) {
    if (!isDict(tool)) continue
    const inner = dictGet(tool, 'function')
    const described = isDict(inner) ? inner : tool
    const name = dictGet(described, 'name')
    if (typeof name !== 'string') continue
    const parameters = dictGet(described, 'parameters')
    const properties = isDict(parameters) ? dictGet(parameters, 'properties') : undefined
    const entries = isDict(properties) ? dictEntries(properties) : []
    types.set(name, new Map(entries.flatMap(([key, schema]) => (isDict(schema) ? [[key, typesOf(schema, 0)] as const] : []))))
  }
  return types
}

const deepest = 100

function typesOf(schema: PyDict, depth: number): string[] {
  const type = dictGet(schema, 'type')
  const types = (isList(type) ? type : [type]).filter((one) => typeof one === 'string')
  for (const key of depth < deepest ? ['anyOf', 'oneOf'] : []) {
    const options = dictGet(schema, key)
    if (isList(options)) types.push(...options.filter(isDict).flatMap((option) => typesOf(option, depth + 1)))
  }
  if (dictGet(schema, 'nullable')) types.push('null')
  return types
}

/** A value in which the arguments of calls, written as texts, have the types of their tools' schemas. */
export function castArguments(value: PyValue, types: ArgumentTypes): PyValue {
  if (types.size === 0) return value
  if (isList(value)) return value.map((item) => castArguments(item, types))
  if (!isDict(value)) return value
  const call = dictGet(value, 'function')
  if (!isDict(call)) return value
  const name = dictGet(call, 'name')
  const given = dictGet(call, 'arguments')
  const known = typeof name === 'string' ? types.get(name) : undefined
  if (known === undefined || known.size === 0 || !isDict(given)) return value
  let cast: PyDict = {}
  for (const [key, argument] of dictEntries(given)) cast = addEntry(cast, key, castArgument(argument, known.get(key)))
  return replaced(value, 'function', replaced(call, 'arguments', cast))
}

function replaced(dict: PyDict, key: string, value: PyValue): PyDict {
  let copy: PyDict = {}
  for (const [name, item] of dictEntries(dict)) copy = addEntry(copy, name, name === key ? value : item)
  return copy
}

function castArgument(value: PyValue, types: readonly string[] | undefined): PyValue {
  if (types === undefined) return value
  if (typeof value === 'string') return castText(value, types)
  if (isList(value) && !types.includes('array')) return value.map((item) => (typeof item === 'string' ? castText(item, types) : item))
  return value
}

function castText(text: string, types: readonly string[]): PyValue {
  for (const type of types) {
    const value = Object.hasOwn(casts, type) ? casts[type]!(text) : undefined
    if (value !== undefined) return value
  }
  return text
}

const longestNumber = 4300

const casts: Readonly<Record<string, (text: string) => PyValue | undefined>> = {
  integer: (text) => (text.length > longestNumber ? undefined : toInt(intOf(text))),
  number(text) {
    if (text.length > longestNumber) return undefined
    const value = floatOf(text)
    if (value === undefined || !Number.isFinite(value)) return undefined
    // Python goes by way of a float, which loses digits of large integers.
    return text.includes('.') || !Number.isInteger(value) ? pyFloat(value) : (toInt(intOf(text) ?? BigInt(value)) ?? value)
  },
  boolean: (text) => booleans.get(strip(text).toLowerCase()),
  null: (text) => (['null', 'None'].includes(strip(text)) ? null : undefined),
  object: (text) => jsonOf(text, isDict),
  array: (text) => jsonOf(text, isList),
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

function jsonOf(text: string, isKind: (value: PyValue) => boolean): PyValue | undefined {
  try {
    const value = parseJson(text)
    return isKind(value) && !hasNotNumber(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** NaN and infinity are no JSON, and no tool could be sent them. */
function hasNotNumber(value: PyValue): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (isList(value)) return value.some(hasNotNumber)
  return isDict(value) && dictEntries(value).some(([, item]) => hasNotNumber(item))
}
