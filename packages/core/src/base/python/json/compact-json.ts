import type { PyValue } from '../values/data.ts'
import { parseJson } from './parse-json.ts'
import { stringifyJson } from './stringify-json.ts'

/**
 * JSON that `parseCompactJson` reads back as it was, as fast as JavaScript's own where nothing needs Python's care: without
 * spaces. Values that need it (integral floats, big numbers, NaN, ordered dicts) are written with spaces.
 *
 * @example
 * compactJson({ a: [1, 'é'] }) // => '{"a":[1,"é"]}'
 */
export function compactJson(value: PyValue | undefined): string {
  return isPlainJson(value) ? JSON.stringify(value) : stringifyJson(defined(value!), { ensureAscii: false })
}

/**
 * Reads what `compactJson` wrote.
 *
 * @example
 * parseCompactJson('{"a":[1,"é"]}') // => { a: [1, 'é'] }
 */
export function parseCompactJson(text: string): PyValue {
  // The space after the first key shows how it was written.
  const colon = text.indexOf('":')
  return colon >= 0 && text[colon + 2] !== ' ' ? (JSON.parse(text) as PyValue) : parseJson(text)
}

/** Without the keys that have no value, which JavaScript leaves out as well. */
function defined(value: PyValue): PyValue {
  if (Array.isArray(value)) return value.map(defined)
  if (Object.getPrototypeOf(value ?? 0) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value as object)
      .filter(([, one]) => one !== undefined)
      .map(([key, one]) => [key, defined(one)]),
  )
}

/** Whether JavaScript writes it as Python would, and reads it back the same. */
export function isPlainJson(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return Math.abs(value) < 1e15
  if (typeof value !== 'object') return value === undefined
  if (Array.isArray(value)) {
    for (const one of value) if (one === undefined || !isPlainJson(one)) return false
    return true
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const key in value) if (!isPlainJson((value as Record<string, unknown>)[key])) return false
  return true
}
