import { checkLength, touch, touchText } from '../../python/limits.ts'
import { PythonError, typeError, valueError } from '../../python/python-error.ts'
import { maxDepth, PyFloat } from '../../python/values/data.ts'
import { entriesOf } from '../../python/values/dict.ts'
import { numberRepr } from '../../python/values/numbers.ts'
import { compareCodePoints } from '../../python/values/strings.ts'
import { mapText, Sink, type Str, Text } from '../../python/values/text.ts'
import { isDictValue, isNumber, Markup, stringOf, Tuple, typeName, type Value } from '../../python/values/value.ts'

export type JsonOptions = { indent: string | undefined; item: string; key: string; sortKeys: boolean; ensureAscii: boolean }

export const plainJson: JsonOptions = { indent: undefined, item: ', ', key: ': ', sortKeys: false, ensureAscii: false }

/** Python's `json.dumps`; every text in it keeps its origin. */
export function toJson(value: Value, options: JsonOptions = plainJson): Str {
  const sink = new Sink()
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
    if (items === undefined && !isDictValue(value)) throw typeError(`Object of type ${typeName(value)} is not JSON serializable`)
    if (ancestors.includes(value)) throw valueError('Circular reference detected')
    if (ancestors.length >= maxDepth)
      throw new PythonError('RecursionError', 'maximum recursion depth exceeded while encoding a JSON object')
    checkLength(sink.before + sink.text.length)
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

function quote(text: string, { ensureAscii }: JsonOptions): string {
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
