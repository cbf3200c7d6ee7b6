import type { BinaryOperator, CompareOperator, Expression } from './ast.ts'
import { parseFiltersAndTests, parsePostfix, parsePrimary } from './parse-operand.ts'
import type { TokenStream } from './token-stream.ts'

/** Reads an expression: conditionals, then boolean operators, comparisons, arithmetic, filters and tests, as Jinja2 ranks them. */
export function parseExpression(stream: TokenStream, withCondition = true): Expression {
  return stream.nested(() => (withCondition ? parseCondition(stream) : parseOr(stream)))
}

/** Reads expressions separated by commas: one is itself, several are a tuple. */
export function parseTuple(
  stream: TokenStream,
  options: { withCondition?: boolean; endsAt?: string; inParentheses?: boolean } = {},
): Expression {
  const { start } = stream.current
  const items: Expression[] = []
  let isTuple = false
  for (;;) {
    if (items.length > 0) stream.expect(',')
    if (isTupleEnd(stream, options.endsAt)) break
    items.push(parseExpression(stream, options.withCondition ?? true))
    if (!stream.is(',')) break
    isTuple = true
  }
  if (!isTuple) {
    if (items.length > 0) return items[0]!
    if (!options.inParentheses) return stream.fail(`Expected an expression, got ${stream.describe()}`)
  }
  return { kind: 'tuple', items, start, end: stream.lastEnd }
}

export function isTupleEnd(stream: TokenStream, endsAt: string | undefined): boolean {
  return ['variable_end', 'block_end', ')'].includes(stream.current.type) || (endsAt !== undefined && stream.isName(endsAt))
}

function parseCondition(stream: TokenStream): Expression {
  let result = parseOr(stream)
  while (stream.skipName('if')) {
    const test = parseOr(stream)
    const otherwise = stream.skipName('else') ? stream.nested(() => parseCondition(stream)) : undefined
    result = { kind: 'condition', test, value: result, otherwise, start: result.start, end: stream.lastEnd }
  }
  return result
}

function parseOr(stream: TokenStream): Expression {
  let left = parseAnd(stream)
  while (stream.skipName('or')) left = { kind: 'or', left, right: parseAnd(stream), start: left.start, end: stream.lastEnd }
  return left
}

function parseAnd(stream: TokenStream): Expression {
  let left = parseNot(stream)
  while (stream.skipName('and')) left = { kind: 'and', left, right: parseNot(stream), start: left.start, end: stream.lastEnd }
  return left
}

function parseNot(stream: TokenStream): Expression {
  const { start } = stream.current
  if (!stream.skipName('not')) return parseCompare(stream)
  return { kind: 'not', operand: stream.nested(() => parseNot(stream)), start, end: stream.lastEnd }
}

function parseCompare(stream: TokenStream): Expression {
  const first = parseSum(stream)
  const rest: { operator: CompareOperator; operand: Expression }[] = []
  for (;;) {
    const { type } = stream.current
    if (compareOperators.has(type)) {
      stream.next()
      rest.push({ operator: type as CompareOperator, operand: parseSum(stream) })
    } else if (stream.skipName('in')) rest.push({ operator: 'in', operand: parseSum(stream) })
    else if (stream.isName('not') && stream.look().type === 'name' && stream.look().value === 'in') {
      stream.next()
      stream.next()
      rest.push({ operator: 'not in', operand: parseSum(stream) })
    } else break
  }
  return rest.length === 0 ? first : { kind: 'compare', first, rest, start: first.start, end: stream.lastEnd }
}

function parseSum(stream: TokenStream): Expression {
  let left = parseConcat(stream)
  while (stream.is('+') || stream.is('-')) {
    const operator = stream.next().type as BinaryOperator
    left = { kind: 'binary', operator, left, right: parseConcat(stream), start: left.start, end: stream.lastEnd }
  }
  return left
}

function parseConcat(stream: TokenStream): Expression {
  const items = [parseProduct(stream)]
  while (stream.skipIf('~')) items.push(parseProduct(stream))
  return items.length === 1 ? items[0]! : { kind: 'concat', items, start: items[0]!.start, end: stream.lastEnd }
}

function parseProduct(stream: TokenStream): Expression {
  let left = parsePower(stream)
  while (['*', '/', '//', '%'].includes(stream.current.type)) {
    const operator = stream.next().type as BinaryOperator
    left = { kind: 'binary', operator, left, right: parsePower(stream), start: left.start, end: stream.lastEnd }
  }
  return left
}

function parsePower(stream: TokenStream): Expression {
  let left = parseUnary(stream)
  // From the left, other than in Python.
  while (stream.skipIf('**'))
    left = { kind: 'binary', operator: '**', left, right: parseUnary(stream), start: left.start, end: stream.lastEnd }
  return left
}

function parseUnary(stream: TokenStream, withFilter = true): Expression {
  const { start, type } = stream.current
  let node: Expression
  if (type === '-' || type === '+') {
    stream.next()
    const operand = stream.nested(() => parseUnary(stream, false))
    node = { kind: type === '-' ? 'negative' : 'positive', operand, start, end: stream.lastEnd }
  } else node = parsePrimary(stream)
  node = parsePostfix(stream, node)
  return withFilter ? parseFiltersAndTests(stream, node) : node
}

const compareOperators = new Set(['==', '!=', '<', '<=', '>', '>='])
