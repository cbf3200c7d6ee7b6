import { PromptError } from '../../../base/errors/prompt-error.ts'
import { addEntry, dictFromEntries, type PyDict, PyFloat, type PyValue } from '../../../base/python/index.ts'
import { literalValue } from '../../../base/python/literal.ts'
import { PythonError } from '../../../base/python/python-error.ts'
import type { Expression } from '../../../base/python/syntax/ast.ts'
import { parseOneExpression } from '../../../base/python/syntax/parse-one-expression.ts'
import { entriesOf } from '../../../base/python/values/dict.ts'
import { toPlainData } from '../../../base/python/values/plain-data.ts'
import { isDictValue, isListValue, Tuple, type Value } from '../../../base/python/values/value.ts'

export type PythonCall = { name: string; given: PyValue }

/** Reads a Python literal, e.g. `{'a': None}`. Throws if the text is anything else. */
export function pythonLiteral(text: string): PyValue {
  return literal(expressionOf(text))
}

/**
 * Reads a Python call with named arguments, e.g. `f(a=1, b='x')`. Throws if the text is anything else. Plain literals are read here, about
 * ten times faster and with line breaks in strings, which templates do not escape; everything else is left to the parser of Python.
 */
export function readPythonCall(text: string): PythonCall {
  return readPlainCall(text) ?? callOf(expressionOf(text), true)
}

/** Parses a text that is one expression. Slips that are forgiven in configs are errors here. */
export function expressionOf(text: string): Expression {
  const { expression, isEmpty, slips } = parseOneExpression(text, 'reply')
  if (slips[0]) throw malformed(slips[0].text)
  if (expression) return expression
  throw malformed(isEmpty ? 'there is no call' : 'this is not one call')
}

export function callOf(expression: Expression, hasDottedName = false): PythonCall {
  const { callee } = expression.kind === 'call' ? expression : { callee: undefined }
  const name = callee?.kind === 'name' || hasDottedName ? callee && nameOf(callee) : undefined
  if (expression.kind !== 'call' || name === undefined) throw malformed('this is not a call of a function by its name')
  const entries = expression.args.map(({ name, value }): [string, PyValue] => {
    if (name === undefined) throw malformed('an argument has no name: name=value is needed')
    return [name, literal(value)]
  })
  return { name, given: dictFromEntries(entries) }
}

function nameOf(expression: Expression): string | undefined {
  if (expression.kind === 'name') return expression.name
  if (expression.kind !== 'attribute') return undefined
  const owner = nameOf(expression.object)
  return owner === undefined ? undefined : `${owner}.${expression.name}`
}

/** The value of an expression that is a literal. JSON's words are accepted, since models mix them with Python's. */
export function literal(expression: Expression): PyValue {
  try {
    const value = literalValue(expression, jsonWords)
    checkKeys(value)
    return toPlainData(value)
  } catch (error) {
    throw error instanceof PythonError ? malformed('an argument is not a plain value') : error
  }
}

const jsonWords = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
])

function checkKeys(value: Value): void {
  if (isListValue(value)) value.forEach(checkKeys)
  else if (value instanceof Tuple) value.items.forEach(checkKeys)
  else if (isDictValue(value))
    for (const [key, item] of entriesOf(value)) {
      if (typeof key !== 'string') throw malformed('the keys of a dict must be texts')
      checkKeys(item)
    }
}

export function malformed(problem: string): PromptError {
  return new PromptError('malformed', { where: 'reply', problem, fix: 'ask the model again' })
}

/** Reads a call whose arguments are plain literals; undefined if there is anything else in it. */
function readPlainCall(text: string): PythonCall | undefined {
  const open = text.indexOf('(')
  const name = text.slice(0, open).trim()
  if (open < 0 || !/^[A-Za-z_][\w.-]*$/.test(name)) return undefined
  let at = open
  const given = readEntries(')', '=', () => take(/[\p{L}_][\p{L}\p{N}_]*/uy), 0)
  return given !== undefined && at + (take(/[ \n\r\t]*/y)?.length ?? 0) >= text.length ? { name, given } : undefined

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }

  /** Passes white space; the character after it. */
  function next(): string | undefined {
    while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
    return text[at]
  }

  /** Items up to a closing bracket; undefined if one is not plain. */
  function readItems<Item>(close: string, readItem: () => Item | undefined): Item[] | undefined {
    const items: Item[] = []
    at++
    while (next() !== close) {
      const item = readItem()
      if (item === undefined) return undefined
      items.push(item)
      if (next() === ',') at++
      else if (text[at] !== close) return undefined
    }
    at++
    return items
  }

  function readEntries(close: string, separator: string, readKey: () => string | undefined, depth: number): PyDict | undefined {
    const entries = readItems(close, (): [string, PyValue] | undefined => {
      const key = readKey()
      if (key === undefined || next() !== separator) return undefined
      at++
      const value = readValue(depth)
      return value === undefined ? undefined : [key, value]
    })
    return entries?.reduce((dict: PyDict, [key, value]) => addEntry(dict, key, value), {})
  }

  function readValue(depth: number): PyValue | undefined {
    const first = next()
    if (first === '"' || first === "'") return readString()
    if (depth > maxDepth) return undefined
    if (first === '[') return readItems(']', () => readValue(depth + 1))
    if (first === '{') return readEntries('}', ':', readString, depth + 1)
    const word = take(/[\w.+-]+/y) ?? ''
    if (Object.hasOwn(words, word)) return words[word]
    // Python rejects 07, but models write it.
    if (/^-?\d{1,15}$/.test(word)) return Number(word)
    return /^-?(?:0|[1-9]\d*)\.\d+(?:[eE][-+]?\d+)?$/.test(word) ? new PyFloat(Number(word)) : undefined
  }

  function readString(): string | undefined {
    const written = take(text[at] === '"' ? /"[^"\\]*(?:\\.[^"\\]*)*"/sy : /'[^'\\]*(?:\\.[^'\\]*)*'/sy)
    // Python joins neighbouring strings, and three quotes open another kind of string.
    if (written === undefined || next() === '"' || next() === "'") return undefined
    const inside = written.slice(1, -1)
    if (!inside.includes('\\')) return inside
    let isPlain = true
    const read = inside.replace(/\\(.)/gs, (_, escaped: string) => {
      isPlain &&= Object.hasOwn(escapes, escaped)
      return escapes[escaped] ?? ''
    })
    return isPlain ? read : undefined
  }
}

const words: Record<string, PyValue> = { True: true, False: false, None: null, true: true, false: false, null: null }
const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"', b: '\b', f: '\f' }
const maxDepth = 100
