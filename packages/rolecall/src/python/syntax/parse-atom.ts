import type { Clause, Constant, Entry, EntryComments, Expression } from '@rolecall/core/internal/python'
import {
  type PythonToken,
  parseStrings,
  pyFloat,
  reserved,
  type SourceLocation,
  syntaxError,
  tokenizePython,
} from '@rolecall/core/internal/python'
import { parseBinary, parseExpression, parseExpressions, parseOr, parseStarred, parseTargets } from './parse-expression.ts'
import { PythonTokenStream } from './python-token-stream.ts'

const constants = new Map<string, Constant>([
  ['None', null],
  ['True', true],
  ['False', false],
])

/** A name, a literal, or something in brackets. */
export function parseAtom(stream: PythonTokenStream): Expression {
  const token = stream.current
  const at = stream.place(token)
  switch (token.kind) {
    case 'string':
      return parseStrings(readStrings(stream), stream.file, (text, place) => parseInner(text, place, stream.depth))
    case 'number':
      return parseNumber(stream.next().text, at)
    case 'name': {
      if (reserved.has(token.text)) throw stream.error(`expected a value, found the keyword "${token.text}"`, 'write a value here')
      stream.next()
      const constant = constants.get(token.text)
      return constant === undefined ? { kind: 'name', name: token.text, at } : { kind: 'constant', value: constant, at }
    }
    case 'operator':
      if (stream.accept('...')) return { kind: 'ellipsis', at }
      if (stream.accept('(')) return inBrackets(stream, () => parseParentheses(stream, at))
      if (stream.accept('[')) return inBrackets(stream, () => parseList(stream, at))
      if (stream.accept('{')) return inBrackets(stream, () => parseBraces(stream, at))
  }
  throw stream.error(`expected a value, found ${stream.shown()}`, 'write a value here')
}

function readStrings(stream: PythonTokenStream): PythonToken[] {
  const literals = [stream.next()]
  while (stream.current.kind === 'string') {
    const isKey = stream.inEntry && stream.current.line > stream.previous.endLine && stream.peek().text === ':'
    if (isKey) break
    literals.push(stream.next())
  }
  return literals
}

/** An expression inside a string, whose place is that of the string. */
export function parseInner(text: string, place: SourceLocation, depth: number): Expression {
  const { file, tokens, comments } = tokenizePython(`(${text})`, place.file)
  const moved = tokens.map((token) => ({
    ...token,
    line: token.line + place.line - 1,
    endLine: token.endLine + place.line - 1,
    column: token.line === 1 ? token.column + place.column - 2 : token.column,
  }))
  const stream = new PythonTokenStream({ file, tokens: moved, comments }, depth)
  const value = stream.nested(() => parseExpressions(stream))
  if (stream.current.kind !== 'newline') throw stream.error(`expected the end of the expression, found ${stream.shown()}`, 'correct it')
  return value
}

function parseNumber(text: string, at: SourceLocation): Expression {
  const digits = text.replaceAll('_', '')
  if (/[jJ]$/.test(digits)) return { kind: 'foreign', construct: 'a complex number', fix: 'write an int or a float', at }
  if (/^0[xXoObB]|^\d+$/.test(digits)) {
    if (/^0+[1-9]/.test(digits)) throw syntaxError(at, 'an int begins with a zero', 'remove it, or write 0o before an octal number')
    const value = digits.length > 15 ? BigInt(digits) : BigInt(Number(digits))
    const isSafe = value <= BigInt(Number.MAX_SAFE_INTEGER)
    return { kind: 'constant', value: isSafe ? Number(value) : value, at }
  }
  return { kind: 'constant', value: pyFloat(Number(digits)), at }
}

function parseParentheses(stream: PythonTokenStream, at: SourceLocation): Expression {
  if (stream.accept(')')) return { kind: 'tuple', items: [], at }
  const first = parseStarred(stream)
  if (startsComprehension(stream)) {
    const clauses = parseClauses(stream)
    stream.expect(')', 'a "(" is not closed')
    return { kind: 'comprehension', of: 'generator', item: first, clauses, at }
  }
  if (stream.accept(')')) return first
  const items = [first]
  if (!stream.accept(',')) throw stream.error(`expected "," or ")", found ${stream.shown()}`, 'write a "," before it, or close the bracket')
  readItems(stream, ')', () => items.push(parseStarred(stream)))
  return { kind: 'tuple', items, at }
}

function parseList(stream: PythonTokenStream, at: SourceLocation): Expression {
  const items: Expression[] = []
  const remarks: (EntryComments | undefined)[] = []
  let clauses: Clause[] | undefined
  readItems(stream, ']', (notBefore) => {
    const start = stream.current
    items.push(parseStarred(stream))
    remarks.push(stream.remark(start, notBefore))
    if (items.length === 1 && startsComprehension(stream)) clauses = parseClauses(stream)
  })
  if (clauses) return { kind: 'comprehension', of: 'list', item: items[0]!, clauses, at }
  return remarks.some((remark) => remark !== undefined) ? { kind: 'list', items, remarks, at } : { kind: 'list', items, at }
}

function parseBraces(stream: PythonTokenStream, at: SourceLocation): Expression {
  const entries: Entry[] = []
  const items: Expression[] = []
  let clauses: Clause[] | undefined
  readItems(stream, '}', (notBefore) => {
    const start = stream.current
    if (stream.accept('**')) entries.push({ value: stream.nested(() => parseBinary(stream, 1)) })
    else {
      const first = parseStarred(stream)
      if (stream.accept(':')) {
        const value = parseEntryValue(stream)
        const remark = stream.remark(start, notBefore)
        entries.push(remark === undefined ? { key: first, value } : { key: first, value, remark })
      } else items.push(first)
    }
    if (entries.length + items.length === 1 && startsComprehension(stream)) clauses = parseClauses(stream)
  })
  if (items.length > 0 && entries.length > 0) throw stream.error('a dict has an entry without a key', 'write KEY: VALUE')
  const [entry] = entries
  if (clauses && entry?.key) return { kind: 'dict-comprehension', key: entry.key, value: entry.value, clauses, at }
  if (clauses && entry) throw stream.error('"**" cannot stand before a "for"', 'write KEY: VALUE for …')
  if (clauses) return { kind: 'comprehension', of: 'set', item: items[0]!, clauses, at }
  return items.length > 0 ? { kind: 'set', items, at } : { kind: 'dict', entries, at }
}

/** A list of arguments, a display or a subscript: a new context up to the closing bracket. */
export function inBrackets<Result>(stream: PythonTokenStream, read: () => Result): Result {
  const { inEntry } = stream
  stream.inEntry = false
  const result = stream.nested(read)
  stream.inEntry = inEntry
  return result
}

/** The value after a key, in a dict or a call. */
export function parseEntryValue(stream: PythonTokenStream): Expression {
  const { inEntry } = stream
  stream.inEntry = true
  const value = parseExpression(stream)
  stream.inEntry = inEntry
  return value
}

/** Items with commas between them up to a closing bracket. A comma that was forgotten at the end of a line is put there. */
export function readItems(stream: PythonTokenStream, close: string, read: (notBefore: number) => void): void {
  let notBefore = stream.previous.line
  while (!stream.is(close)) {
    read(notBefore)
    notBefore = stream.previous.endLine
    if (stream.accept(',') || stream.is(close)) continue
    const { kind, text, line } = stream.current
    const isNew =
      line > notBefore &&
      (kind === 'string' || kind === 'number' || (kind === 'name' && !reserved.has(text)) || text === '{' || text === '(')
    if (!isNew) throw stream.error(`expected "," or "${close}", found ${stream.shown()}`, `write a "," before it, or close the bracket`)
    stream.slip('the comma that is missing before this is read as if it were there')
  }
  stream.next()
}

export function startsComprehension(stream: PythonTokenStream): boolean {
  return stream.is('for') || (stream.is('async') && stream.peek().text === 'for')
}

/** `for … in … if …`, once or more. */
export function parseClauses(stream: PythonTokenStream): Clause[] {
  const clauses: Clause[] = []
  while (stream.accept('for')) {
    stream.checkChain(clauses.length * 50)
    const target = parseTargets(stream)
    stream.expect('in', 'a "for" needs an "in"', 'write for NAME in LIST')
    const items = parseOr(stream)
    const tests: Expression[] = []
    while (stream.accept('if')) tests.push(parseOr(stream))
    clauses.push({ target, items, tests })
  }
  if (stream.is('async')) throw stream.error('"async" is not understood', 'leave it out')
  return clauses
}
