import { PythonError, typeError, valueError } from '../python-error.ts'
import { touch, touchText } from '../python-limits.ts'
import { maxDepth, PyFloat, type PyValue, unsupportedType } from '../values/data.ts'
import { entriesOf } from '../values/dict.ts'
import { numberRepr } from '../values/numbers.ts'
import { compareCodePoints } from '../values/strings.ts'
import { mapText, plainText, Sink, type Str, Text } from '../values/text.ts'
import { isDictValue, isNumber, Markup, PyObject, stringOf, Tuple, typeName, type Value } from '../values/value.ts'

/** The keyword arguments of Python's `json.dumps`, with its defaults. */
export type StringifyJsonOptions = {
  /** Spaces, or a text, per level, each item on its own line; without it all is on one line. */
  readonly indent?: number | string | null
  /** Whether to write characters outside ASCII as `\uXXXX`; true by default. */
  readonly ensureAscii?: boolean
  /** The text between items and the one after a key; `[', ', ': ']` by default, `[',', ': ']` with an indent. */
  readonly separators?: readonly [item: string, key: string] | null
  /** Whether to sort keys by code point. */
  readonly sortKeys?: boolean
}

/**
 * Writes JSON as Python's `json.dumps` does; `undefined` counts as None.
 * @example stringifyJson({ a: [pyFloat(1), 'é'] }) // => '{"a": [1.0, "\\u00e9"]}'
 * @example stringifyJson({ b: 1, a: 2 }, { sortKeys: true, separators: [',', ':'] }) // => '{"a":2,"b":1}'
 */
export function stringifyJson(value: Value | undefined, options: StringifyJsonOptions = {}): string {
  if (isOnOneLine(options)) {
    const text = writeLine(value, 0)
    if (text !== undefined) return text
  }
  const { indent = null, ensureAscii = true, sortKeys = false } = options
  const indentText = typeof indent === 'number' ? ' '.repeat(Math.max(0, indent)) : indent
  const [itemSeparator, keySeparator] = options.separators ?? [indentText === null ? ', ' : ',', ': ']
  const written = { indent: indentText ?? undefined, item: itemSeparator, key: keySeparator, sortKeys, ensureAscii }
  return plainText(toJson(value ?? null, written, new Sink(Number.POSITIVE_INFINITY)))
}

/** What most calls ask for: JSON on one line, and characters as they are. */
function isOnOneLine({ indent, ensureAscii, separators, sortKeys }: StringifyJsonOptions): boolean {
  return ensureAscii === false && (indent ?? null) === null && (separators ?? null) === null && sortKeys !== true
}

/** As above for values that are not deep; undefined for all others, which may even contain themselves. */
function writeLine(value: Value | undefined, depth: number): string | undefined {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : writeNumber(value)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (value === null || value === undefined) return 'null'
  if (depth > lineDepth) return undefined
  if (Array.isArray(value)) {
    let text = '['
    for (let index = 0; index < value.length; index++) {
      const item = writeLine(value[index] as PyValue, depth + 1)
      if (item === undefined) return undefined
      text += index === 0 ? item : `, ${item}`
    }
    return `${text}]`
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined
  let text = '{'
  const keys = Object.keys(value)
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!
    const item = writeLine((value as { readonly [key: string]: PyValue })[key], depth + 1)
    if (item === undefined) return undefined
    text += `${index === 0 ? '' : ', '}${quote(key)}: ${item}`
  }
  return `${text}}`
}

const lineDepth = 32

export type JsonOptions = { indent: string | undefined; item: string; key: string; sortKeys: boolean; ensureAscii: boolean }

export const plainJson: JsonOptions = { indent: undefined, item: ', ', key: ': ', sortKeys: false, ensureAscii: false }

/** Python's `json.dumps`; every text in it keeps its origin. */
export function toJson(value: Value, options: JsonOptions = plainJson, sink = new Sink()): Str {
  write(sink, value, options, '\n', [])
  return sink.result()
}

function write(sink: Sink, value: Value | undefined, options: JsonOptions, line: string, ancestors: object[]): void {
  touch()
  if (typeof value === 'string') {
    touchText(value.length)
    sink.text += quote(value, options)
  } else if (typeof value === 'number' && Number.isSafeInteger(value)) sink.text += value
  else if (value === null || value === undefined) sink.text += 'null'
  else if (typeof value === 'boolean') sink.text += value
  else if (typeof value === 'number' || typeof value === 'bigint' || value instanceof PyFloat) sink.text += writeNumber(value)
  else if (value instanceof Text || value instanceof Markup) writeText(sink, value instanceof Markup ? value.text : value, options)
  else {
    const items = Array.isArray(value) ? (value as readonly Value[]) : value instanceof Tuple ? value.items : undefined
    if (items === undefined && !isDictValue(value))
      throw value instanceof PyObject ? typeError(`Object of type ${typeName(value)} is not JSON serializable`) : unsupportedType(value)
    if (ancestors.includes(value)) throw valueError('Circular reference detected')
    if (ancestors.length >= maxDepth)
      throw new PythonError('RecursionError', 'maximum recursion depth exceeded while encoding a JSON object')
    sink.checkLength()
    ancestors.push(value)
    if (items !== undefined) writeList(sink, items, options, line, ancestors)
    else writeDict(sink, value as Value, options, line, ancestors)
    ancestors.pop()
  }
}

function writeList(sink: Sink, items: readonly Value[], options: JsonOptions, line: string, ancestors: object[]): void {
  if (items.length === 0) {
    sink.text += '[]'
    return
  }
  const inner = options.indent === undefined ? '' : line + options.indent
  sink.text += `[${inner}`
  for (let index = 0; index < items.length; index++) {
    if (index > 0) sink.text += options.item + inner
    write(sink, items[index], options, inner, ancestors)
  }
  sink.text += options.indent === undefined ? ']' : `${line}]`
}

function writeDict(sink: Sink, dict: Value, options: JsonOptions, line: string, ancestors: object[]): void {
  const inner = options.indent === undefined ? '' : line + options.indent
  let isEmpty = true
  const begin = () => {
    sink.text += isEmpty ? `{${inner}` : options.item + inner
    isEmpty = false
  }
  if (!options.sortKeys && Object.getPrototypeOf(dict) === Object.prototype) {
    const record = dict as Record<string, Value>
    for (const key of Object.keys(record)) {
      begin()
      sink.text += quote(key, options) + options.key
      write(sink, record[key], options, inner, ancestors)
    }
  } else {
    const entries = entriesOf(dict as never)
    if (options.sortKeys) sortEntries(entries)
    for (const [key, value] of entries) {
      begin()
      writeKey(sink, key, options)
      sink.text += options.key
      write(sink, value, options, inner, ancestors)
    }
  }
  sink.text += isEmpty ? '{}' : options.indent === undefined ? '}' : `${line}}`
}

function sortEntries(entries: [Value, Value][]): void {
  if (entries.some(([key]) => stringOf(key) === undefined) && entries.some(([key]) => stringOf(key) !== undefined))
    throw typeError("'<' not supported between instances of 'str' and 'int'")
  entries.sort(([a], [b]) => {
    const left = stringOf(a)
    const right = stringOf(b)
    return left !== undefined && right !== undefined ? compareCodePoints(left, right) : Number(a) - Number(b)
  })
}

function writeKey(sink: Sink, key: Value, options: JsonOptions): void {
  const text = key instanceof Markup ? key.text : key
  if (typeof text === 'string') sink.text += quote(text, options)
  else if (text instanceof Text) writeText(sink, text, options)
  else if (typeof key === 'boolean') sink.text += `"${key}"`
  else if (key === null) sink.text += '"null"'
  else if (isNumber(key)) sink.text += `"${writeNumber(key as number)}"`
  else throw typeError(`keys must be str, int, float, bool or None, not ${typeName(key)}`)
}

function writeText(sink: Sink, text: Str, options: JsonOptions): void {
  sink.text += '"'
  sink.add(mapText(text, (part) => quote(part, options).slice(1, -1)))
  sink.text += '"'
}

const special = /["\\\u0000-\u001f\ud800-\udfff]/

const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

const beyondAscii = /[^ -~]/g

function quote(text: string, { ensureAscii }: JsonOptions = plainJson): string {
  if (!ensureAscii && !special.test(text)) return `"${text}"`
  // JSON.stringify escapes half pairs, Python does not.
  const quoted = lone.test(text)
    ? `"${text.replace(/["\\\u0000-\u001f]/g, (unit) => JSON.stringify(unit).slice(1, -1))}"`
    : JSON.stringify(text)
  return ensureAscii ? quoted.replace(beyondAscii, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) : quoted
}

function writeNumber(value: number | bigint | PyFloat): string {
  const number = value instanceof PyFloat ? value.value : value
  if (typeof number === 'bigint' || Number.isFinite(number)) return numberRepr(value)
  if (Number.isNaN(number)) return 'NaN'
  return number > 0 ? 'Infinity' : '-Infinity'
}
