import { PromptError } from '../../base/errors/prompt-error.ts'
import { dictEntries, dictFromEntries, dictGet, isDict, isList, type PyDict, type PyValue, parseJson } from '../../base/python/index.ts'
import { pythonLiteral } from './python-call.ts'

/**
 * The value of an argument that was written as text, by the type in its schema: strings stay as they are, everything else is JSON, or
 * Python if it is not JSON, since templates write `True` and `None`. Without a schema it is JSON if it parses.
 */
export function typedValue(text: string, schema: PyValue | undefined): PyValue {
  const types = typesOf(schema)
  if (types === undefined) return orText(jsonOf(text), text)
  if (types.size === 1 && types.has('string')) return text
  const json = jsonOf(text)
  const value = json === undefined ? pythonOf(text) : json
  if (value === undefined) return text
  // Among several types a text is one only where nothing else fits.
  return types.has('string') && !types.has(typeOf(value)) && !(types.has('number') && typeOf(value) === 'integer') ? text : value
}

/** A value that is declared to be a string, or JSON. */
export function declaredValue(text: string, isText: boolean): PyValue {
  if (isText) return text
  const json = jsonOf(text)
  return orText(json === undefined ? pythonOf(text) : json, text)
}

/** Arguments that were all written as strings, converted to the types in their schema; without a schema they stay strings. */
export function typedTexts(given: PyValue, schema: PyValue | undefined): PyValue {
  if (!isDict(given) || schema === undefined) return given
  const typed = dictEntries(given).map(([key, value]): [string, PyValue] => {
    const own = propertySchema(schema, key)
    return [key, typeof value === 'string' && own !== undefined ? typedValue(value, own) : value]
  })
  return dictFromEntries(typed)
}

/** `null` is a value. */
function orText(value: PyValue | undefined, text: string): PyValue {
  return value === undefined ? text : value
}

/** The schema of a property; undefined where it is not known. */
export function propertySchema(schema: PyValue | undefined, key: string): PyValue | undefined {
  if (!isDict(schema)) return undefined
  const properties = dictGet(schema, 'properties')
  const own = isDict(properties) ? dictGet(properties, key) : undefined
  return own === undefined ? undefined : resolved(own, schema)
}

/** The schema of a list's items. */
export function itemSchema(schema: PyValue | undefined): PyValue | undefined {
  return isDict(schema) ? dictGet(schema, 'items') : undefined
}

function resolved(schema: PyValue, root: PyDict): PyValue {
  const reference = isDict(schema) ? dictGet(schema, '$ref') : undefined
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return schema
  let found: PyValue | undefined = root
  for (const step of reference.slice(2).split('/')) found = isDict(found) ? dictGet(found, step) : undefined
  return found ?? schema
}

/** The types that a schema allows; undefined where it does not say. */
export function typesOf(schema: PyValue | undefined): ReadonlySet<string> | undefined {
  if (!isDict(schema)) return undefined
  const type = dictGet(schema, 'type')
  if (typeof type === 'string') return new Set([sameTypes[type.toLowerCase()] ?? type.toLowerCase()])
  if (isList(type)) return new Set(type.flatMap((one) => (typeof one === 'string' ? [sameTypes[one] ?? one] : [])))
  const values = dictGet(schema, 'enum')
  if (isList(values) && values.length > 0) return new Set(values.map(typeOf))
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const options = dictGet(schema, key)
    if (!isList(options)) continue
    const types = options.map(typesOf)
    return types.some((one) => one === undefined) ? undefined : new Set(types.flatMap((one) => [...one!]))
  }
  if (dictGet(schema, 'properties') !== undefined) return new Set(['object'])
  if (dictGet(schema, 'items') !== undefined) return new Set(['array'])
  return undefined
}

/** Names of types as Python's tools write them. */
const sameTypes: Record<string, string> = {
  str: 'string',
  text: 'string',
  int: 'integer',
  float: 'number',
  bool: 'boolean',
  dict: 'object',
  list: 'array',
}

function typeOf(value: PyValue): string {
  if (value === null) return 'null'
  if (isList(value)) return 'array'
  if (typeof value === 'number' || typeof value === 'bigint') return 'integer'
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'boolean' : isDict(value) ? 'object' : 'number'
}

function jsonOf(text: string): PyValue | undefined {
  if (isShortInteger(text)) return Number(text)
  // Most texts are not JSON, and an error costs more than a look.
  if (!/^\s*[-"{[\dtfn]/.test(text)) return undefined
  try {
    return parseJson(text.trim())
  } catch {
    return undefined
  }
}

/** An integer of a few digits, which needs no reader. */
function isShortInteger(text: string): boolean {
  if (text.length === 0 || text.length > 9 || (text.length > 1 && text.charCodeAt(0) === 0x30)) return false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x30 || code > 0x39) return false
  }
  return true
}

function pythonOf(text: string): PyValue | undefined {
  if (/^\s*(?:true|false)\s*$/i.test(text)) return /true/i.test(text)
  try {
    return pythonLiteral(text.trim())
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}
