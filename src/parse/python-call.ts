import { dictFromEntries, PyFloat, type PyValue } from '../python/index.ts'
import { type PythonCall, pythonCall } from './python-literal.ts'

/**
 * Reads a Python call with named arguments, e.g. `f(a=1, b='x')`. Plain literals are read at once; what has anything else in it
 * (prefixed strings, comments, mistakes) goes to the reader of the whole language, which says what is wrong.
 */
export function readPythonCall(text: string): PythonCall {
  return readPlain(text) ?? pythonCall(text)
}

function readPlain(text: string): PythonCall | undefined {
  let at = text.indexOf('(')
  const name = text.slice(0, at).trim()
  const entries: [string, PyValue][] = []
  if (at < 0 || !/^[A-Za-z_][\w.-]*$/.test(name)) return undefined
  at++
  for (;;) {
    skipSpace()
    if (text[at] === ')') break
    const key = word(nameOnly)
    skipSpace()
    if (key === undefined || text[at] !== '=') return undefined
    at++
    const value = readValue(0)
    if (value === undefined) return undefined
    entries.push([key, value])
    skipSpace()
    if (text[at] === ',') at++
    else if (text[at] !== ')') return undefined
  }
  at++
  skipSpace()
  return at === text.length ? { name, given: dictFromEntries(entries) } : undefined

  function readValue(depth: number): PyValue | undefined {
    skipSpace()
    const first = text[at]
    if (first === '"' || first === "'") return readString(first)
    if (first === '[' && depth < maxDepth) return readItems(depth)
    if (first === '{' && depth < maxDepth) return readDict(depth)
    const found = word(scalar)
    if (found === undefined) return undefined
    if (Object.hasOwn(words, found)) return words[found]
    if (/^-?(?:0|[1-9]\d{0,14})$/.test(found)) return Number(found)
    return /^-?(?:0|[1-9]\d*)(?:\.\d+)(?:[eE][-+]?\d+)?$/.test(found) ? new PyFloat(Number(found)) : undefined
  }

  function readItems(depth: number): PyValue | undefined {
    const items: PyValue[] = []
    at++
    for (;;) {
      skipSpace()
      if (text[at] === ']') break
      const value = readValue(depth + 1)
      if (value === undefined) return undefined
      items.push(value)
      skipSpace()
      if (text[at] === ',') at++
      else if (text[at] !== ']') return undefined
    }
    at++
    return items
  }

  function readDict(depth: number): PyValue | undefined {
    const found: [string, PyValue][] = []
    at++
    for (;;) {
      skipSpace()
      const quote = text[at]
      if (quote === '}') break
      const key = quote === '"' || quote === "'" ? readString(quote) : undefined
      skipSpace()
      if (key === undefined || text[at] !== ':') return undefined
      at++
      const value = readValue(depth + 1)
      if (value === undefined) return undefined
      found.push([key, value])
      skipSpace()
      if (text[at] === ',') at++
      else if (text[at] !== '}') return undefined
    }
    at++
    return dictFromEntries(found)
  }

  /** A string; one that goes over lines is no Python, but templates do not escape. */
  function readString(quote: string): string | undefined {
    const from = at + 1
    let end = text.indexOf(quote, from)
    if (end < 0) return undefined
    if (end === from && text[end + 1] === quote) return undefined
    const backslash = text.lastIndexOf('\\', end) >= from
    if (!backslash) {
      const plain = text.slice(from, end)
      at = end + 1
      return isFollowedByString() ? undefined : plain
    }
    let read = ''
    let start = from
    for (end = from; ; end++) {
      if (end >= text.length) return undefined
      if (text[end] === quote) break
      if (text[end] !== '\\') continue
      const escaped = text[end + 1]
      if (escaped === undefined || !Object.hasOwn(escapes, escaped)) return undefined
      read += text.slice(start, end) + escapes[escaped]
      end++
      start = end + 1
    }
    read += text.slice(start, end)
    at = end + 1
    return isFollowedByString() ? undefined : read
  }

  /** Neighbouring strings are one in Python. */
  function isFollowedByString(): boolean {
    skipSpace()
    return text[at] === '"' || text[at] === "'"
  }

  function word(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }

  function skipSpace(): void {
    for (let code = text.charCodeAt(at); code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09; code = text.charCodeAt(++at));
  }
}

const nameOnly = /[\p{L}_][\p{L}\p{N}_]*/uy
const scalar = /[-\w.+]+/y
const words: Record<string, PyValue> = { True: true, False: false, None: null, true: true, false: false, null: null }
const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"', b: '\b', f: '\f' }
const maxDepth = 100
