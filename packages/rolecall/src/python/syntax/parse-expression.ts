import type { BinaryOperator, CompareOperator, Expression } from '@rolecall/core/internal/python'
import { startsExpression } from '@rolecall/core/internal/python'
import { inBrackets, parseAtom } from './parse-atom.ts'
import { parseCall, parseParameters } from './parse-call.ts'
import type { PythonTokenStream } from './python-token-stream.ts'

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
    if (stream.is('yield')) return parseYield(stream)
    if (stream.is('await')) return foreignKeyword(stream)
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

function parseYield(stream: PythonTokenStream): Expression {
  const at = stream.place(stream.next())
  stream.markYield()
  const isFrom = stream.accept('from')
  const value = startsExpression(stream.current) ? parseExpressions(stream) : undefined
  return { kind: 'yield', isFrom, at, ...(value ? { value } : {}) }
}

/** `await`, which only matters where it is run: a config may define functions that it never calls. */
function foreignKeyword(stream: PythonTokenStream): Expression {
  const at = stream.place()
  const { text } = stream.next()
  if (startsExpression(stream.current)) parseExpressions(stream)
  return { kind: 'foreign', construct: `"${text}"`, fix: 'write the list out: a config is plain data', at }
}
