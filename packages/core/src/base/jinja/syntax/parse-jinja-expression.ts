import type { ArithmeticOperator } from '../../python/values/arithmetic.ts'
import type { JinjaCompareOperator, JinjaExpression, JinjaTarget } from './jinja-ast.ts'
import type { JinjaTokenStream } from './jinja-token-stream.ts'
import { isConstantName, parseFiltersAndTests, parsePostfix, parsePrimary } from './parse-jinja-postfix.ts'

/** Parses an expression: conditionals, then boolean operators, comparisons, arithmetic, filters and tests, by Jinja2's precedence. */
export function parseExpression(stream: JinjaTokenStream, withCondition = true): JinjaExpression {
  return stream.nested(() => (withCondition ? parseCondition(stream) : parseOr(stream)))
}

/** Parses expressions separated by commas: several are a tuple. */
export function parseTuple(
  stream: JinjaTokenStream,
  options: { withCondition?: boolean; endsAt?: string; inParentheses?: boolean } = {},
): JinjaExpression {
  const { start } = stream.current
  const { items, isTuple } = parseSeparated(stream, options.endsAt, () => parseExpression(stream, options.withCondition ?? true))
  if (!isTuple) {
    if (items.length > 0) return items[0]!
    if (!options.inParentheses) return stream.fail(`Expected an expression, got ${stream.describe()}`)
  }
  return { kind: 'tuple', items, start, end: stream.lastEnd }
}

/** Items separated by commas; even a single one is a tuple if a comma follows it. */
function parseSeparated<Item>(
  stream: JinjaTokenStream,
  endsAt: string | undefined,
  parse: () => Item,
): { items: Item[]; isTuple: boolean } {
  const items: Item[] = []
  let isTuple = false
  while (!isTupleEnd(stream, endsAt)) {
    items.push(parse())
    if (!stream.skipIf(',')) break
    isTuple = true
  }
  return { items, isTuple }
}

function isTupleEnd(stream: JinjaTokenStream, endsAt: string | undefined): boolean {
  return ['variable_end', 'block_end', ')'].includes(stream.current.type) || (endsAt !== undefined && stream.isName(endsAt))
}

function parseCondition(stream: JinjaTokenStream): JinjaExpression {
  let result = parseOr(stream)
  while (stream.skipName('if')) {
    const test = parseOr(stream)
    const otherwise = stream.skipName('else') ? stream.nested(() => parseCondition(stream)) : undefined
    result = { kind: 'condition', test, value: result, otherwise, start: result.start, end: stream.lastEnd }
  }
  return result
}

type Parse = (stream: JinjaTokenStream) => JinjaExpression

function parseOr(stream: JinjaTokenStream): JinjaExpression {
  return parseLogical(stream, 'or', (inner) => parseLogical(inner, 'and', parseNot))
}

function parseLogical(stream: JinjaTokenStream, kind: 'or' | 'and', parseOperand: Parse): JinjaExpression {
  let left = parseOperand(stream)
  while (stream.skipName(kind)) left = { kind, left, right: parseOperand(stream), start: left.start, end: stream.lastEnd }
  return left
}

function parseNot(stream: JinjaTokenStream): JinjaExpression {
  const { start } = stream.current
  if (!stream.skipName('not')) return parseCompare(stream)
  return { kind: 'not', operand: stream.nested(() => parseNot(stream)), start, end: stream.lastEnd }
}

function parseCompare(stream: JinjaTokenStream): JinjaExpression {
  const first = parseSum(stream)
  const rest: { operator: JinjaCompareOperator; operand: JinjaExpression }[] = []
  for (;;) {
    const { type } = stream.current
    if (compareOperators.has(type)) {
      stream.next()
      rest.push({ operator: type as JinjaCompareOperator, operand: parseSum(stream) })
    } else if (stream.skipName('in')) rest.push({ operator: 'in', operand: parseSum(stream) })
    else if (stream.isName('not') && stream.look().type === 'name' && stream.look().value === 'in') {
      stream.next()
      stream.next()
      rest.push({ operator: 'not in', operand: parseSum(stream) })
    } else break
  }
  return rest.length === 0 ? first : { kind: 'compare', first, rest, start: first.start, end: stream.lastEnd }
}

/** Operators of one level of precedence, from left to right; so is `**`, unlike in Python. */
function parseBinary(stream: JinjaTokenStream, operators: readonly string[], parseOperand: Parse): JinjaExpression {
  let left = parseOperand(stream)
  while (operators.includes(stream.current.type)) {
    const operator = stream.next().type as ArithmeticOperator
    left = { kind: 'binary', operator, left, right: parseOperand(stream), start: left.start, end: stream.lastEnd }
  }
  return left
}

function parseSum(stream: JinjaTokenStream): JinjaExpression {
  return parseBinary(stream, ['+', '-'], parseConcat)
}

function parseConcat(stream: JinjaTokenStream): JinjaExpression {
  const items = [parseProduct(stream)]
  while (stream.skipIf('~')) items.push(parseProduct(stream))
  return items.length === 1 ? items[0]! : { kind: 'concat', items, start: items[0]!.start, end: stream.lastEnd }
}

function parseProduct(stream: JinjaTokenStream): JinjaExpression {
  return parseBinary(stream, ['*', '/', '//', '%'], (inner) => parseBinary(inner, ['**'], (power) => parseUnary(power)))
}

function parseUnary(stream: JinjaTokenStream, withFilter = true): JinjaExpression {
  const { start, type } = stream.current
  let node: JinjaExpression
  if (type === '-' || type === '+') {
    stream.next()
    const operand = stream.nested(() => parseUnary(stream, false))
    node = { kind: type === '-' ? 'negative' : 'positive', operand, start, end: stream.lastEnd }
  } else node = parsePrimary(stream)
  node = parsePostfix(stream, node)
  return withFilter ? parseFiltersAndTests(stream, node) : node
}

const compareOperators = new Set(['==', '!=', '<', '<=', '>', '>='])

/** Parses the target on the left of `=` or `in`. */
export function parseTarget(
  stream: JinjaTokenStream,
  { withNamespace = false, endsAt }: { withNamespace?: boolean; endsAt?: string } = {},
): JinjaTarget {
  const { start } = stream.current
  const { items, isTuple } = parseSeparated(stream, endsAt, () => parseOneTarget(stream, withNamespace))
  if (!isTuple) return items[0] ?? stream.fail(`Expected an expression, got ${stream.describe()}`)
  return { kind: 'tuple', items, start, end: stream.lastEnd }
}

function parseOneTarget(stream: JinjaTokenStream, withNamespace: boolean): JinjaTarget {
  const { start } = stream.current
  if (stream.skipIf('(')) {
    const inner = parseTarget(stream, { withNamespace })
    stream.expect(')')
    return inner
  }
  const token = stream.current
  if (token.type !== 'name') return stream.fail(`can't assign to ${stream.describe()}`)
  if (isConstantName(token.value)) return stream.fail(`can't assign to '${token.value}'`)
  stream.next()
  if (withNamespace && stream.skipIf('.')) {
    const attribute = stream.expect('name').value
    return { kind: 'namespace', name: token.value, attribute, start, end: stream.lastEnd }
  }
  return { kind: 'name', name: token.value, start, end: token.end }
}
