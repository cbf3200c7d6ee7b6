import { PythonError } from '../../python/python-error.ts'
import { decodeString } from '../../python/syntax/parse-string.ts'
import { characterTests } from '../../python/values/characters.ts'
import { skipSpace, trimmedEnd } from '../../python/values/strings.ts'
import { errorAt } from '../template-error.ts'

/** A token of a template; `type` is `data`, a delimiter, `name`, `string`, `integer`, `float`, `eof`, or the operator itself. */
export type JinjaToken = { type: string; value: string; start: number; end: number }

/** The source as Jinja2 reads it: `\n` ends lines, and one newline at the end is dropped, unless it is kept. */
export function normalizeSource(source: string, keepsLastNewline = false): string {
  const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source
  return text.endsWith('\n') && !keepsLastNewline ? text.slice(0, -1) : text
}

/**
 * Splits a normalized source into tokens, with `trim_blocks` and `lstrip_blocks` as transformers sets them, or without.
 * https://jinja.palletsprojects.com/en/stable/templates/#whitespace-control
 */
export function tokenizeTemplate(source: string, name: string, trims = true): JinjaToken[] {
  const tokens: JinjaToken[] = []
  let at = 0
  // Whether the last token ends a line: then white space before a tag is at the start of a line.
  let lineStarting = true

  const fail = (problem: string, start: number, end = start + 1): never => {
    throw errorAt('TemplateSyntaxError', problem, source, name, { start, end })
  }

  while (at < source.length) {
    const begin = nextTag(source, at)
    if (begin < 0) {
      tokens.push({ type: 'data', value: source.slice(at), start: at, end: source.length })
      break
    }
    const opener = source[begin + 1]!
    const sign = /[-+]/.test(source[begin + 2] ?? '') ? source[begin + 2]! : ''
    const data = dataBefore(source.slice(at, begin), sign, opener !== '{')
    if (data !== '') tokens.push({ type: 'data', value: data, start: at, end: at + data.length })
    const inside = begin + 2 + sign.length
    if (opener === '#') at = endOfComment(begin, inside)
    else if (opener === '{') at = readTag(begin, inside, 'variable')
    else {
      const raw = rawStart(source, inside)
      at = raw === undefined ? readTag(begin, inside, 'block') : readRaw(begin, raw)
    }
    lineStarting = source[at - 1] === '\n'
  }
  tokens.push({ type: 'eof', value: '', start: source.length, end: source.length })
  return tokens

  function dataBefore(text: string, sign: string, isBlock: boolean): string {
    if (sign === '-') return text.slice(0, trimmedEnd(text))
    if (sign === '+' || !isBlock || !trims) return text
    const line = text.lastIndexOf('\n') + 1
    const blank = line < text.length && skipSpace(text, line) === text.length
    return blank && (line > 0 || lineStarting) ? text.slice(0, line) : text
  }

  function endOfComment(begin: number, inside: number): number {
    const end = source.indexOf('#}', inside)
    if (end < 0) fail('Missing end of comment tag', begin, begin + 2)
    const sign = end > inside ? source[end - 1]! : ''
    if (sign === '-') return skipSpace(source, end + 2)
    return trims && sign !== '+' && source[end + 2] === '\n' ? end + 3 : end + 2
  }

  function readRaw(begin: number, inside: number): number {
    const ending = trims ? /\{%([-+]?)\s*endraw\s*(?:\+%\}|-%\}\s*|%\}\n?)/g : /\{%([-+]?)\s*endraw\s*(?:\+%\}|-%\}\s*|%\})/g
    ending.lastIndex = inside
    const found = ending.exec(source)
    if (!found) return fail('Missing end of raw directive', begin, inside)
    lineStarting = false
    const text = dataBefore(source.slice(inside, found.index), found[1]!, true)
    if (text !== '') tokens.push({ type: 'data', value: text, start: inside, end: inside + text.length })
    return found.index + found[0].length
  }

  function readTag(begin: number, inside: number, kind: 'block' | 'variable'): number {
    tokens.push({ type: `${kind}_begin`, value: source.slice(begin, inside), start: begin, end: inside })
    const brackets: string[] = []
    let position = inside
    for (;;) {
      position = skipSpace(source, position)
      if (position >= source.length) return fail('Unexpected end of template', begin, begin + 2)
      const end = brackets.length === 0 ? endOfTag(source, position, kind, trims) : undefined
      if (end !== undefined) {
        tokens.push({ type: `${kind}_end`, value: '', start: position, end })
        return end
      }
      position = readToken(position, brackets)
    }
  }

  function readToken(start: number, brackets: string[]): number {
    const word = match(float, start) ?? match(integer, start)
    if (word !== undefined) {
      const type = /^\d[\d_]*$/.test(word) || /^0[xob]/i.test(word) ? 'integer' : 'float'
      tokens.push({ type, value: word.replaceAll('_', ''), start, end: start + word.length })
      return start + word.length
    }
    const identifier = match(identifiers, start)
    if (identifier !== undefined) {
      if (!characterTests.isidentifier!(identifier)) fail('Invalid character in identifier', start, start + identifier.length)
      tokens.push({ type: 'name', value: identifier, start, end: start + identifier.length })
      return start + identifier.length
    }
    const literal = match(strings, start)
    if (literal !== undefined) {
      tokens.push({ type: 'string', value: plainText(literal, start), start, end: start + literal.length })
      return start + literal.length
    }
    const operator = match(operators, start)
    if (operator === undefined) return fail(`unexpected char ${JSON.stringify(source[start])} at ${start}`, start)
    if (operator in closing) brackets.push(closing[operator]!)
    else if (operator === ')' || operator === ']' || operator === '}') {
      const expected = brackets.pop()
      if (expected !== operator) fail(`unexpected '${operator}'${expected === undefined ? '' : `, expected '${expected}'`}`, start)
    }
    tokens.push({ type: operator, value: operator, start, end: start + operator.length })
    return start + operator.length
  }

  function match(pattern: RegExp, start: number): string | undefined {
    pattern.lastIndex = start
    return pattern.exec(source)?.[0]
  }

  function plainText(literal: string, start: number): string {
    try {
      return decodeString(literal.slice(1, -1))
    } catch (error) {
      if (error instanceof PythonError) return fail(error.message, start, start + literal.length)
      throw error
    }
  }
}

function nextTag(source: string, from: number): number {
  for (let at = source.indexOf('{', from); at >= 0; at = source.indexOf('{', at + 1)) {
    const next = source[at + 1]
    if (next === '%' || next === '{' || next === '#') return at
  }
  return -1
}

/** The offset after `{% raw %}`, if there is one here; the newline after it stays. */
function rawStart(source: string, inside: number): number | undefined {
  const start = skipSpace(source, inside)
  if (!source.startsWith('raw', start)) return undefined
  const end = skipSpace(source, start + 3)
  if (source.startsWith('-%}', end)) return skipSpace(source, end + 3)
  return source.startsWith('%}', end) ? end + 2 : undefined
}

function endOfTag(source: string, at: number, kind: 'block' | 'variable', trims: boolean): number | undefined {
  const close = kind === 'block' ? '%}' : '}}'
  if (source.startsWith(`-${close}`, at)) return skipSpace(source, at + 3)
  if (kind === 'variable') return source.startsWith(close, at) ? at + 2 : undefined
  if (source.startsWith('+%}', at)) return at + 3
  if (!source.startsWith('%}', at)) return undefined
  return trims && source[at + 2] === '\n' ? at + 3 : at + 2
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

const float = /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy

const integer = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy

const identifiers = /[\p{L}\p{N}_]+/uy

const strings = /'[^'\\]*(?:\\[\s\S][^'\\]*)*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y

const operators = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}><=.:|,;]/y
