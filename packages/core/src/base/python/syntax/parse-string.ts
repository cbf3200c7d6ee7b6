import { PythonError } from '../python-error.ts'
import type { Expression, FormattedPart } from './ast.ts'
import { notUnderstood, type SourceLocation, syntaxError } from './import-error.ts'
import { expressionEnd, type PythonToken } from './tokenize-python.ts'

/** Reads the text between the braces of an f-string. */
export type ReadInner = (text: string, place: SourceLocation) => Expression

/** String literals that stand side by side, which Python puts together. */
export function parseStrings(literals: readonly PythonToken[], file: string, readInner: ReadInner): Expression {
  const [first] = literals
  const at: SourceLocation = { file, line: first!.line, column: first!.column }
  const parts: FormattedPart[] = []
  const add = (part: FormattedPart) => {
    if (typeof part === 'string' && typeof parts.at(-1) === 'string') parts.push(`${parts.pop() as string}${part}`)
    else if (part !== '') parts.push(part)
  }
  for (const token of literals) {
    const { prefix, body, place } = openLiteral(token, file)
    if (prefix.includes('b')) return { kind: 'bytes', value: body, at }
    const decode = prefix.includes('r') ? (text: string) => text : (text: string) => decodeEscapes(text, place)
    if (prefix.includes('f')) for (const part of formattedParts(body, place, decode, readInner)) add(part)
    else add(decode(body))
  }
  if (parts.every((part) => typeof part === 'string')) return { kind: 'constant', value: parts.join(''), at }
  return { kind: 'formatted', parts, at }
}

/** A literal without its quotes. */
function openLiteral({ text, line, column }: PythonToken, file: string): { prefix: string; body: string; place: SourceLocation } {
  const prefix = /^[a-zA-Z]*/.exec(text)![0]
  const quotes = /^(?:'''|""")/.test(text.slice(prefix.length)) ? 3 : 1
  const body = text.slice(prefix.length + quotes, -quotes)
  return { prefix: prefix.toLowerCase(), body, place: { file, line, column: column + prefix.length + quotes } }
}

function decodeEscapes(text: string, place: SourceLocation): string {
  try {
    return decodeString(text)
  } catch (error) {
    if (!(error instanceof PythonError)) throw error
    throw syntaxError(
      place,
      `the string has an escape that cannot be read (${error.message})`,
      'write the character itself, or \\u and its four hexadecimal digits',
    )
  }
}

function formattedParts(
  body: string,
  place: SourceLocation,
  decode: (text: string) => string,
  readInner: ReadInner,
  depth = 0,
): FormattedPart[] {
  const parts: FormattedPart[] = []
  let text = ''
  let at = 0
  const flush = () => {
    if (text !== '') parts.push(decode(text))
    text = ''
  }
  while (at < body.length) {
    const character = body[at]!
    if ((character === '{' || character === '}') && body[at + 1] === character && depth === 0) {
      text += character
      at += 2
    } else if (character === '}')
      throw syntaxError(placeIn(body, at, place), 'an f-string has a single "}"', 'write "}}" for the character')
    else if (character === '{') {
      flush()
      const found = replacement(body, at, place, decode, readInner, depth)
      parts.push(...found.parts)
      at = found.end
    } else {
      // An escape such as \{ is not an escape; one such as \\ is two characters of one text.
      const name = /^\\N\{[^{}]*\}/.exec(body.slice(at, at + 100))?.[0]
      const width = name?.length ?? (character === '\\' && body[at + 1] !== '{' && body[at + 1] !== '}' ? 2 : 1)
      text += body.slice(at, at + width)
      at += width
    }
  }
  flush()
  return parts
}

function replacement(
  body: string,
  open: number,
  place: SourceLocation,
  decode: (text: string) => string,
  readInner: ReadInner,
  depth: number,
) {
  const here = placeIn(body, open, place)
  if (depth > 2) throw notUnderstood(here, 'an f-string this deep in the format of another', 'compute the format before')
  let at = endOfExpression(body, open + 1, here)
  const written = body.slice(open + 1, at)
  if (written.trim() === '') throw syntaxError(here, 'the braces of an f-string are empty', 'write "{{}}" for the characters')
  const value = readInner(written, placeIn(body, open + 1, place))
  let debug: string | undefined
  if (body[at] === '=') {
    const spaces = /^=\s*/.exec(body.slice(at))![0]
    debug = written + spaces
    at += spaces.length
  }
  let conversion: string | undefined
  if (body[at] === '!') {
    conversion = body[at + 1] ?? ''
    at += 2
  }
  let format: FormattedPart[] | undefined
  if (body[at] === ':') {
    const end = endOfFormat(body, at + 1, here)
    format = formattedParts(body.slice(at + 1, end), placeIn(body, at + 1, place), decode, readInner, depth + 1)
    at = end
  }
  if (body[at] !== '}') throw syntaxError(here, 'the braces of an f-string are never closed', 'add the "}"')
  const part: FormattedPart = {
    value,
    written: body.slice(open, at + 1),
    conversion,
    format,
  }
  return { parts: debug === undefined ? [part] : [debug, format || conversion ? part : { ...part, conversion: 'r' }], end: at + 1 }
}

/** Where the expression ends: at a `}`, `!`, `:` or `=` outside brackets and strings. */
function endOfExpression(body: string, from: number, place: SourceLocation): number {
  const end = expressionEnd(body, from)
  if (end !== undefined) {
    // `!r` and `=` come before the end, if nothing but them does.
    const tail = /(?:(?<![=!<>])(=\s*))?(![a-zA-Z]\s*)?$/.exec(body.slice(from, end))![0]
    return end - tail.length
  }
  throw syntaxError(place, 'the braces of an f-string are never closed', 'add the "}", or write "{{" for the character')
}

function endOfFormat(body: string, from: number, place: SourceLocation): number {
  let depth = 0
  for (let at = from; at < body.length; at++) {
    if (body[at] === '{') depth++
    else if (body[at] === '}' && depth-- === 0) return at
  }
  throw syntaxError(place, 'the braces of an f-string are never closed', 'add the "}"')
}

function placeIn(body: string, offset: number, { file, line, column }: SourceLocation): SourceLocation {
  const before = body.slice(0, offset).split('\n')
  return { file, line: line + before.length - 1, column: before.length === 1 ? column + offset : before.at(-1)!.length + 1 }
}

/** The value of a string literal's inside, with Python's escapes; unknown ones stay as they are. */
export function decodeString(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(escapes, (whole: string, body: string) => {
    const short = shortEscapes.get(body)
    if (short !== undefined) return short
    if (/^[0-7]/.test(body)) return String.fromCharCode(Number.parseInt(body, 8))
    if (/^[xuU]/.test(body)) {
      const digits = body.slice(1)
      const wanted = body[0] === 'x' ? 2 : body[0] === 'u' ? 4 : 8
      const code = Number.parseInt(digits, 16)
      if (digits.length !== wanted) throw new PythonError('TemplateSyntaxError', `truncated \\${body[0]} escape`)
      if (code > 0x10ffff) throw new PythonError('TemplateSyntaxError', 'illegal Unicode character')
      return String.fromCodePoint(code)
    }
    if (body.startsWith('N')) throw new PythonError('TemplateSyntaxError', '\\N{…} escapes are not supported')
    return whole
  })
}

const escapes = /\\(\n|[0-7]{1,3}|x[\da-fA-F]{0,2}|u[\da-fA-F]{0,4}|U[\da-fA-F]{0,8}|[\s\S])/gu

const shortEscapes = new Map([
  ['\n', ''],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
])
