import { pyFloat } from '../values/data.ts'
import type { Argument, BinaryOperator, Clause, CompareOperator, Constant, Entry, EntryComments, Expression, Parameter } from './ast.ts'
import { type SourceLocation, syntaxError } from './import-error.ts'
import { parseStrings } from './parse-string.ts'
import { PythonTokenStream } from './python-token-stream.ts'
import { type PythonToken, reserved, startsExpression, tokenizePython } from './tokenize-python.ts'

const levels: Readonly<Record<string, number>> = {
  '|': 1,
  '^': 2,
  '&': 3,
  '<<': 4,
  '>>': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '//': 6,
  '%': 6,
  '@': 6,
}

/** One expression, without commas. */
export function parseExpression(stream: PythonTokenStream): Expression {
  return stream.nested(() => {
    if (stream.is('lambda')) return parseLambda(stream)
    if (stream.is('yield') || stream.is('await')) return foreignKeyword(stream)
    const value = parseOr(stream)
    if (stream.is(':=') && value.kind === 'name') {
      stream.next()
      return { kind: 'walrus', name: value.name, value: parseExpression(stream), at: value.at }
    }
    if (!stream.is('if')) return value
    stream.next()
    const test = parseOr(stream)
    stream.expect('else', 'a conditional expression needs an "else"', 'write VALUE if TEST else OTHER')
    return { kind: 'condition', test, value, otherwise: parseExpression(stream), at: value.at }
  })
}

/** Expressions with commas between them are a tuple. */
export function parseExpressions(stream: PythonTokenStream): Expression {
  const at = stream.place()
  const first = parseStarred(stream)
  if (!stream.is(',')) return first
  const items = [first]
  while (stream.accept(',') && startsExpression(stream.current)) items.push(parseStarred(stream))
  return { kind: 'tuple', items, at }
}

/** The target of a `for` or an assignment; `in` ends it. */
export function parseTargets(stream: PythonTokenStream): Expression {
  const at = stream.place()
  const one = (): Expression =>
    stream.is('*')
      ? { kind: 'star', at: stream.place(stream.next()), value: parseBinary(stream, 1) }
      : stream.nested(() => parseBinary(stream, 1))
  const items = [one()]
  if (!stream.is(',')) return items[0]!
  while (stream.accept(',') && startsExpression(stream.current)) items.push(one())
  return { kind: 'tuple', items, at }
}

export function parseStarred(stream: PythonTokenStream): Expression {
  const at = stream.place()
  return stream.accept('*') ? { kind: 'star', value: stream.nested(() => parseBinary(stream, 1)), at } : parseExpression(stream)
}

export function parseOr(stream: PythonTokenStream): Expression {
  return parseChain(stream, 'or', () => parseChain(stream, 'and', () => parseNot(stream)))
}

function parseChain(stream: PythonTokenStream, operator: 'and' | 'or', operand: () => Expression): Expression {
  let left = operand()
  for (let length = 1; stream.is(operator); length++) {
    stream.checkChain(length)
    stream.next()
    left = { kind: operator, left, right: operand(), at: left.at }
  }
  return left
}

function parseNot(stream: PythonTokenStream): Expression {
  if (!stream.is('not')) return parseComparison(stream)
  const at = stream.place(stream.next())
  return { kind: 'unary', operator: 'not', operand: stream.nested(() => parseNot(stream)), at }
}

function parseComparison(stream: PythonTokenStream): Expression {
  const first = parseBinary(stream, 1)
  const rest: { operator: CompareOperator; operand: Expression }[] = []
  for (;;) {
    const operator = comparison(stream)
    if (operator === undefined) return rest.length === 0 ? first : { kind: 'compare', first, rest, at: first.at }
    stream.checkChain(rest.length)
    rest.push({ operator, operand: parseBinary(stream, 1) })
  }
}

function comparison(stream: PythonTokenStream): CompareOperator | undefined {
  const { kind, text } = stream.current
  if (kind === 'operator' && ['==', '!=', '<', '<=', '>', '>='].includes(text)) return stream.next().text as CompareOperator
  if (stream.accept('in')) return 'in'
  if (stream.accept('is')) return stream.accept('not') ? 'is not' : 'is'
  if (!stream.is('not') || stream.peek().text !== 'in') return undefined
  stream.next()
  stream.next()
  return 'not in'
}

export function parseBinary(stream: PythonTokenStream, level: number): Expression {
  let left = parseUnary(stream)
  for (let length = 1; ; length++) {
    const { kind, text } = stream.current
    const found = kind === 'operator' ? levels[text] : undefined
    if (found === undefined || found < level) return left
    stream.checkChain(length)
    const at = stream.place(stream.next())
    left = { kind: 'binary', operator: text as BinaryOperator, left, right: parseBinary(stream, found + 1), at }
  }
}

function parseUnary(stream: PythonTokenStream): Expression {
  const { kind, text } = stream.current
  if (kind !== 'operator' || (text !== '-' && text !== '+' && text !== '~')) return parsePower(stream)
  const at = stream.place(stream.next())
  return { kind: 'unary', operator: text, operand: stream.nested(() => parseUnary(stream)), at }
}

function parsePower(stream: PythonTokenStream): Expression {
  const base = parsePostfix(stream)
  if (!stream.is('**')) return base
  const at = stream.place(stream.next())
  return { kind: 'binary', operator: '**', left: base, right: stream.nested(() => parseUnary(stream)), at }
}

function parsePostfix(stream: PythonTokenStream): Expression {
  if (stream.is('await')) return foreignKeyword(stream)
  let object = parseAtom(stream)
  for (let length = 1; ; length++) {
    stream.checkChain(length)
    const at = stream.place()
    if (stream.accept('.'))
      object = { kind: 'attribute', object, name: stream.expectName('an attribute'), at: stream.place(stream.previous) }
    else if (stream.is('(') && !isNewItem(stream, object)) object = parseCall(stream, object)
    else if (stream.accept('[')) object = { kind: 'item', object, key: inBrackets(stream, () => parseSubscript(stream)), at }
    else return object
  }
}

/** Tuples and strings are never called: a `(` on a new line after one is the next item of a list, with the comma missing. */
function isNewItem(stream: PythonTokenStream, { kind }: Expression): boolean {
  return ['tuple', 'list', 'dict', 'set', 'constant', 'formatted'].includes(kind) && stream.current.line > stream.previous.endLine
}

function parseSubscript(stream: PythonTokenStream): Expression {
  const at = stream.place()
  const items = [parseSlice(stream)]
  let isTuple = false
  while (stream.accept(',')) {
    isTuple = true
    if (stream.is(']')) break
    items.push(parseSlice(stream))
  }
  stream.expect(']', 'a "[" is not closed')
  return isTuple ? { kind: 'tuple', items, at } : items[0]!
}

function parseSlice(stream: PythonTokenStream): Expression {
  const at = stream.place()
  const part = () => (stream.is(':') || stream.is(']') || stream.is(',') ? undefined : parseExpression(stream))
  const start = part()
  if (!stream.accept(':')) {
    if (start === undefined) throw stream.error('there is nothing between the brackets', 'write an index or a key')
    return start
  }
  const stop = part()
  const step = stream.accept(':') ? part() : undefined
  return { kind: 'slice', at, start, stop, step }
}

function parseLambda(stream: PythonTokenStream): Expression {
  const at = stream.place(stream.next())
  const parameters = parseParameters(stream, ':')
  return { kind: 'lambda', parameters, body: parseExpression(stream), at }
}

/** `yield` and `await`, which only matter where they are run: a config may define functions that it never calls. */
function foreignKeyword(stream: PythonTokenStream): Expression {
  const at = stream.place()
  const { text } = stream.next()
  stream.accept('from')
  if (startsExpression(stream.current)) parseExpressions(stream)
  return { kind: 'foreign', construct: `"${text}"`, fix: 'write the list out: a config is plain data', at }
}

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

/** The arguments of a call, from its `(` on. */
export function parseCall(stream: PythonTokenStream, callee: Expression): Expression {
  const at = callee.at
  stream.next()
  const args: Argument[] = []
  inBrackets(stream, () => {
    readItems(stream, ')', (notBefore) => {
      const start = stream.current
      const argument = parseArgument(stream, callee, args)
      const remark = stream.remark(start, notBefore)
      args.push(remark === undefined ? argument : { ...argument, remark })
    })
  })
  return { kind: 'call', callee, args, at }
}

function parseArgument(stream: PythonTokenStream, callee: Expression, before: readonly Argument[]): Argument {
  if (stream.accept('*')) return { star: '*', value: parseExpression(stream) }
  if (stream.accept('**')) return { star: '**', value: parseExpression(stream) }
  if (stream.current.kind === 'name' && stream.peek().text === '=' && stream.peek().kind === 'operator') {
    const name = stream.next().text
    stream.next()
    return { name, value: parseEntryValue(stream) }
  }
  const value = parseExpression(stream)
  if (stream.is(':') && callee.kind === 'name' && callee.name === 'dict') {
    // Once for each dict, not for each of its keys.
    if (!before.some((argument) => 'key' in argument)) stream.slip(dictSlip)
    stream.next()
    return { key: value, value: parseEntryValue(stream) }
  }
  if (!startsComprehension(stream)) return { value }
  const clauses = parseClauses(stream)
  if (before.length > 0 || stream.is(',')) throw stream.error('a generator beside other arguments needs brackets', 'put (…) around it')
  return { value: { kind: 'comprehension', of: 'generator', item: value, clauses, at: value.at } }
}

const dictSlip = 'dict("key": value) is read as {"key": value}'

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

/** Parameters up to and including a `)` or, in a lambda, a `:`. Annotations are skipped. */
export function parseParameters(stream: PythonTokenStream, close: ')' | ':'): Parameter[] {
  const parameters: Parameter[] = []
  let keywordOnly = false
  while (!stream.accept(close)) {
    if (stream.accept('/')) {
      // Positional-only parameters are called like the others.
    } else if (stream.accept('**')) parameters.push({ name: stream.expectName('a parameter'), star: '**' })
    else if (stream.accept('*')) {
      keywordOnly = true
      if (!stream.is(',')) parameters.push({ name: stream.expectName('a parameter'), star: '*' })
    } else {
      const parameter: Parameter = { name: stream.expectName('a parameter') }
      if (keywordOnly) parameter.keywordOnly = true
      if (close === ')' && stream.accept(':')) parseExpression(stream)
      if (stream.accept('=')) parameter.byDefault = parseExpression(stream)
      parameters.push(parameter)
    }
    if (close === ')' && stream.accept(':')) parseExpression(stream)
    if (!stream.accept(',') && !stream.is(close)) throw stream.error(`expected "," or "${close}", found ${stream.shown()}`, 'correct it')
  }
  return parameters
}
