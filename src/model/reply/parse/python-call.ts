import { addEntry, type PyDict, PyFloat, type PyValue } from '../../../base/python/index.ts'
import { isSpace } from './json-text.ts'
import { type PythonCall, pythonCall } from './python-literal.ts'
import { nextQuote } from './python-scanner.ts'

/**
 * Reads a Python call with named arguments, e.g. `f(a=1, b='x')`. Plain literals are read at once; what has anything else in it
 * (prefixed strings, comments, mistakes) goes to the reader of the whole language, which says what is wrong.
 */
export function readPythonCall(text: string): PythonCall {
  return readPlain(text) ?? pythonCall(text)
}

function readPlain(text: string): PythonCall | undefined {
  const at = text.indexOf('(')
  const name = text.slice(0, at).trim()
  if (at < 0 || !/^[A-Za-z_][\w.-]*$/.test(name)) return undefined
  const plain = new PlainPython(text, at)
  const given = plain.arguments()
  return given !== undefined && plain.isAtEnd() ? { name, given } : undefined
}

/** Reads plain literals from a place of a text on. Undefined: there is something else. */
class PlainPython {
  readonly #text: string
  #at: number

  constructor(text: string, at: number) {
    this.#text = text
    this.#at = at
  }

  /** `(a=1, b='x')`. */
  arguments(): PyValue | undefined {
    let given: PyDict = {}
    this.#at++
    for (;;) {
      let code = this.#pass()
      if (code === closeParenthesis) break
      const key = this.#name()
      code = this.#pass()
      if (key === '' || code !== equals) return undefined
      this.#at++
      const value = this.#value(0)
      if (value === undefined) return undefined
      given = addEntry(given, key, value)
      code = this.#pass()
      if (code === comma) this.#at++
      else if (code !== closeParenthesis) return undefined
    }
    this.#at++
    return given
  }

  isAtEnd(): boolean {
    this.#pass()
    return this.#at === this.#text.length
  }

  #value(depth: number): PyValue | undefined {
    const first = this.#pass()
    if (first === doubleQuote || first === singleQuote) return this.#string(first)
    if (first === openBracket && depth < maxDepth) return this.#items(depth)
    if (first === openBrace && depth < maxDepth) return this.#dict(depth)
    const start = this.#at
    while (isScalar(this.#text.charCodeAt(this.#at))) this.#at++
    const found = this.#text.slice(start, this.#at)
    if (Object.hasOwn(words, found)) return words[found]
    if (/^-?(?:0|[1-9]\d{0,14})$/.test(found)) return Number(found)
    return /^-?(?:0|[1-9]\d*)(?:\.\d+)(?:[eE][-+]?\d+)?$/.test(found) ? new PyFloat(Number(found)) : undefined
  }

  #items(depth: number): PyValue | undefined {
    const items: PyValue[] = []
    this.#at++
    for (let code = this.#pass(); code !== closeBracket; code = this.#pass()) {
      const value = this.#value(depth + 1)
      if (value === undefined) return undefined
      items.push(value)
      code = this.#pass()
      if (code === comma) this.#at++
      else if (code !== closeBracket) return undefined
    }
    this.#at++
    return items
  }

  #dict(depth: number): PyValue | undefined {
    let found: PyDict = {}
    this.#at++
    for (let code = this.#pass(); code !== closeBrace; code = this.#pass()) {
      const key = code === doubleQuote || code === singleQuote ? this.#string(code) : undefined
      if (key === undefined || this.#pass() !== colon) return undefined
      this.#at++
      const value = this.#value(depth + 1)
      if (value === undefined) return undefined
      found = addEntry(found, key, value)
      code = this.#pass()
      if (code === comma) this.#at++
      else if (code !== closeBrace) return undefined
    }
    this.#at++
    return found
  }

  /** A string; one that goes over lines is not Python, but templates do not escape. */
  #string(quote: number): string | undefined {
    const text = this.#text
    const from = this.#at + 1
    let read = ''
    let start = from
    let end = nextQuote(text, from, text.length, quote)
    for (; text.charCodeAt(end) !== quote; end = nextQuote(text, end + 1, text.length, quote)) {
      if (end >= text.length) return undefined
      const escaped = text[end + 1]
      if (escaped === undefined || !Object.hasOwn(escapes, escaped)) return undefined
      read += text.slice(start, end) + escapes[escaped]
      end++
      start = end + 1
    }
    // Three quotes in a row open another kind of string.
    if (end === from && text.charCodeAt(end + 1) === quote) return undefined
    read += text.slice(start, end)
    this.#at = end + 1
    const next = this.#pass()
    // Neighbouring strings are one in Python.
    return next === doubleQuote || next === singleQuote ? undefined : read
  }

  #name(): string {
    const start = this.#at
    while (isWord(this.#text.charCodeAt(this.#at))) this.#at++
    if (!(this.#text.charCodeAt(this.#at) >= 0x80)) {
      const first = this.#text.charCodeAt(start)
      return isDigit(first) ? '' : this.#text.slice(start, this.#at)
    }
    unicodeName.lastIndex = start
    const found = unicodeName.exec(this.#text)?.[0] ?? ''
    this.#at = start + found.length
    return found
  }

  /** Passes white space; the character behind it. */
  #pass(): number {
    let code = this.#text.charCodeAt(this.#at)
    while (isSpace(code)) code = this.#text.charCodeAt(++this.#at)
    return code
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || isDigit(code) || code === 0x5f
}

/** A character of a number or of a word. */
function isScalar(code: number): boolean {
  return isWord(code) || code === 0x2d || code === 0x2e || code === 0x2b
}

const unicodeName = /[\p{L}_][\p{L}\p{N}_]*/uy
const words: Record<string, PyValue> = { True: true, False: false, None: null, true: true, false: false, null: null }
const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"', b: '\b', f: '\f' }
const maxDepth = 100

const doubleQuote = 0x22
const singleQuote = 0x27
const closeParenthesis = 0x29
const comma = 0x2c
const colon = 0x3a
const equals = 0x3d
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
