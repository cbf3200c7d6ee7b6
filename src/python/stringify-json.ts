import { compareCodePoints } from './compare-code-points.ts'
import { maxDepth, tooDeep } from './max-depth.ts'
import { numberRepr } from './number-repr.ts'
import { unsupportedType } from './unsupported-type.ts'
import { dictEntries, isDict, isList, PyFloat, type PyValue } from './value.ts'

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
  const { indent = null, ensureAscii = true, sortKeys = false } = options
  const indentText = typeof indent === 'number' ? ' '.repeat(Math.max(0, indent)) : indent
  const [itemSeparator, keySeparator] = options.separators ?? [indentText === null ? ', ' : ',', ': ']
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
    const text = list ? wrap('[', Array.from(value, write), ']') : wrap('{', writeEntries(dictEntries(value)), '}')
    ancestors.pop()
    return text
  }

  function writeEntries(entries: [key: string, value: PyValue][]): string[] {
    if (sortKeys) entries.sort(([a], [b]) => compareCodePoints(a, b))
    return entries.map(([key, item]) => writeString(key) + keySeparator + write(item))
  }

  /** Runs while the container itself is still on `ancestors`, so their number is the level of its items. */
  function wrap(open: string, items: string[], close: string): string {
    if (items.length === 0 || indentText === null) return open + items.join(itemSeparator) + close
    const outer = `\n${indentText.repeat(ancestors.length - 1)}`
    const inner = outer + indentText
    return open + inner + items.join(itemSeparator + inner) + outer + close
  }

  function writeString(text: string): string {
    return `"${text.replace(ensureAscii ? beyondAscii : beyondJson, escapeUnit)}"`
  }
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
