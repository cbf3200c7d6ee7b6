import {
  dictGet,
  dictKeys,
  isDict,
  isList,
  maxDepth,
  type PyDict,
  PyFloat,
  type PyValue,
  tooDeep,
  unsupportedType,
} from '../values/data.ts'
import { numberRepr } from '../values/numbers.ts'
import { compareCodePoints } from '../values/strings.ts'

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
export function stringifyJson(value: PyValue | undefined, options: StringifyJsonOptions = {}): string {
  if (isOnOneLine(options)) {
    const text = writeLine(value, 0)
    if (text !== undefined) return text
  }
  const { indent = null, ensureAscii = true, sortKeys = false } = options
  const indentText = typeof indent === 'number' ? ' '.repeat(Math.max(0, indent)) : indent
  const [itemSeparator, keySeparator] = options.separators ?? [indentText === null ? ', ' : ',', ': ']
  const plainLayout = ['', itemSeparator, ''] as const
  const ancestors: object[] = []
  return write(value)

  function write(value: PyValue | undefined): string {
    if (typeof value === 'string') return writeString(value)
    if (typeof value === 'number' || typeof value === 'bigint' || value instanceof PyFloat) return writeNumber(value)
    if (typeof value === 'boolean') return String(value)
    if (value === null || value === undefined) return 'null'
    const list = isList(value)
    if (!list && !isDict(value)) throw unsupportedType(value)
    if (ancestors.includes(value)) throw new TypeError('cannot write a list or dict that contains itself as JSON')
    if (ancestors.length >= maxDepth) throw new Error(`cannot write a value that is ${tooDeep} as JSON`)
    ancestors.push(value)
    const text = list ? writeList(value) : writeDict(value)
    ancestors.pop()
    return text
  }

  // Both run while the container itself is still on `ancestors`, so their number is the level of its items.
  function writeList(list: readonly PyValue[]): string {
    if (list.length === 0) return '[]'
    const [start, between, end] = layout()
    let text = `[${start}${write(list[0])}`
    for (let index = 1; index < list.length; index++) text += between + write(list[index])
    return `${text}${end}]`
  }

  function writeDict(dict: PyDict): string {
    const keys = dictKeys(dict)
    if (keys.length === 0) return '{}'
    if (sortKeys) keys.sort(compareCodePoints)
    const [start, between, end] = layout()
    let text = `{${start}`
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]!
      text += `${index === 0 ? '' : between}${writeString(key)}${keySeparator}${write(dictGet(dict, key))}`
    }
    return `${text}${end}}`
  }

  /** What stands before the first item, between items, and after the last. */
  function layout(): readonly [start: string, between: string, end: string] {
    if (indentText === null) return plainLayout
    const outer = `\n${indentText.repeat(ancestors.length - 1)}`
    const inner = outer + indentText
    return [inner, itemSeparator + inner, outer]
  }

  function writeString(text: string): string {
    if (!ensureAscii) return writePlainString(text)
    // Asking whether there is anything to escape is faster than replacing nothing.
    return isBeyondAscii.test(text) ? `"${text.replace(beyondAscii, escapeUnit)}"` : `"${text}"`
  }
}

/** What most calls ask for: JSON on one line, and characters as they are. */
function isOnOneLine({ indent, ensureAscii, separators, sortKeys }: StringifyJsonOptions): boolean {
  return ensureAscii === false && (indent ?? null) === null && (separators ?? null) === null && sortKeys !== true
}

/** As above for values that are not deep; undefined for all others, which may even contain themselves. */
function writeLine(value: PyValue | undefined, depth: number): string | undefined {
  if (typeof value === 'string') return writePlainString(value)
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
    text += `${index === 0 ? '' : ', '}${writePlainString(key)}: ${item}`
  }
  return `${text}}`
}

const lineDepth = 32

function writePlainString(text: string): string {
  if (!isBeyondJson.test(text)) return `"${text}"`
  // JavaScript escapes as Python does, but for halves of characters.
  return halves.test(text) ? `"${text.replace(beyondJson, escapeUnit)}"` : JSON.stringify(text)
}

function writeNumber(value: number | bigint | PyFloat): string {
  const number = value instanceof PyFloat ? value.value : value
  if (typeof number === 'bigint' || Number.isFinite(number)) return numberRepr(value)
  if (Number.isNaN(number)) return 'NaN'
  return number > 0 ? 'Infinity' : '-Infinity'
}

// Without the u flag, so that a character beyond the BMP is escaped as the two halves of its pair, as JSON wants it.
const beyondAscii = /["\\]|[^ -~]/g
const beyondJson = /["\\\u0000-\u001f]/g
const isBeyondAscii = /["\\]|[^ -~]/
const isBeyondJson = /["\\\u0000-\u001f]/

/** A half of a character without the other one. */
const halves = /\p{Surrogate}/u

const shortEscapes = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\f', '\\f'],
  ['\b', '\\b'],
])

function escapeUnit(unit: string): string {
  return shortEscapes.get(unit) ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
