import { pyFloat } from '../../python/values/data.ts'
import type { Arguments, JinjaExpression } from './jinja-ast.ts'
import type { JinjaTokenStream } from './jinja-token-stream.ts'
import { parseExpression, parseTuple } from './parse-jinja-expression.ts'

export function parseCallArguments(stream: JinjaTokenStream): Arguments {
  const open = stream.expect('(')
  const found: Arguments = { args: [], kwargs: [] }
  const ensure = (valid: boolean) => valid || stream.failAt('invalid syntax for function call expression', open)
  let needsComma = false
  while (!stream.is(')')) {
    if (needsComma) {
      stream.expect(',')
      if (stream.is(')')) break
    }
    if (stream.skipIf('*')) {
      ensure(found.dynArgs === undefined && found.dynKwargs === undefined)
      found.dynArgs = parseExpression(stream)
    } else if (stream.skipIf('**')) {
      ensure(found.dynKwargs === undefined)
      found.dynKwargs = parseExpression(stream)
    } else if (stream.current.type === 'name' && stream.look().type === '=') {
      ensure(found.dynKwargs === undefined)
      const name = stream.next().value
      stream.next()
      found.kwargs.push({ name, value: parseExpression(stream) })
    } else {
      ensure(found.dynArgs === undefined && found.dynKwargs === undefined && found.kwargs.length === 0)
      found.args.push(parseExpression(stream))
    }
    needsComma = true
  }
  stream.expect(')')
  return found
}

/** Parses `| name(…)` once or more; in a filter block the first has no bar and no input. */
export function parseFilters(
  stream: JinjaTokenStream,
  input: JinjaExpression | undefined,
  startsInline = false,
): JinjaExpression | undefined {
  let filtered = input
  let inline = startsInline
  while (inline || stream.is('|')) {
    if (!inline) stream.next()
    inline = false
    const { start } = stream.current
    const name = dottedName(stream)
    const given = stream.is('(') ? parseCallArguments(stream) : { args: [], kwargs: [] }
    filtered = { kind: 'filter', input: filtered, name, ...given, start: filtered?.start ?? start, end: stream.lastEnd }
  }
  return filtered
}

export function parsePrimary(stream: JinjaTokenStream): JinjaExpression {
  const token = stream.current
  const { start, end } = token
  switch (token.type) {
    case 'name':
      stream.next()
      return constants.has(token.value)
        ? { kind: 'const', value: constants.get(token.value) as null | boolean, start, end }
        : { kind: 'name', name: token.value, start, end }
    case 'string': {
      let value = ''
      while (stream.current.type === 'string') value += stream.next().value
      return { kind: 'const', value, start, end: stream.lastEnd }
    }
    case 'integer': {
      stream.next()
      const exact = BigInt(token.value)
      return { kind: 'const', value: exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact, start, end }
    }
    case 'float':
      stream.next()
      return { kind: 'const', value: pyFloat(Number(token.value)), start, end }
    case '(': {
      stream.next()
      const inner = stream.nested(() => parseTuple(stream, { inParentheses: true }))
      stream.expect(')')
      return { ...inner, start, end: stream.lastEnd }
    }
    case '[': {
      stream.next()
      const items = parseItems(stream, ']', () => parseExpression(stream))
      return { kind: 'list', items, start, end: stream.lastEnd }
    }
    case '{': {
      stream.next()
      const entries = parseItems(stream, '}', () => {
        const key = parseExpression(stream)
        stream.expect(':')
        return { key, value: parseExpression(stream) }
      })
      return { kind: 'dict', entries, start, end: stream.lastEnd }
    }
    default:
      return stream.fail(`unexpected ${stream.describe()}`)
  }
}

function parseItems<Item>(stream: JinjaTokenStream, close: string, parse: () => Item): Item[] {
  const items: Item[] = []
  while (!stream.is(close)) {
    if (items.length > 0) stream.expect(',')
    if (stream.is(close)) break
    items.push(parse())
  }
  stream.expect(close)
  return items
}

export function parsePostfix(stream: JinjaTokenStream, given: JinjaExpression): JinjaExpression {
  let node = given
  for (;;) {
    if (stream.is('.')) node = parseAttribute(stream, node)
    else if (stream.is('[')) node = parseSubscript(stream, node)
    else if (stream.is('(')) node = parseCall(stream, node)
    else return node
  }
}

export function parseFiltersAndTests(stream: JinjaTokenStream, given: JinjaExpression): JinjaExpression {
  let node = given
  for (;;) {
    if (stream.is('|')) node = parseFilters(stream, node)!
    else if (stream.isName('is')) node = parseTest(stream, node)
    else if (stream.is('(')) node = parseCall(stream, node)
    else return node
  }
}

function parseCall(stream: JinjaTokenStream, callee: JinjaExpression): JinjaExpression {
  return { kind: 'call', callee, ...parseCallArguments(stream), start: callee.start, end: stream.lastEnd }
}

function parseAttribute(stream: JinjaTokenStream, object: JinjaExpression): JinjaExpression {
  stream.next()
  const token = stream.next()
  const place = { start: object.start, end: token.end }
  if (token.type === 'name') return { kind: 'attribute', object, name: token.value, ...place }
  if (token.type !== 'integer') return stream.failAt('expected name or number', token)
  return { kind: 'item', object, key: { kind: 'const', value: Number(token.value), start: token.start, end: token.end }, ...place }
}

function parseSubscript(stream: JinjaTokenStream, object: JinjaExpression): JinjaExpression {
  const open = stream.next()
  const keys: JinjaExpression[] = []
  while (!stream.is(']')) {
    if (keys.length > 0) stream.expect(',')
    keys.push(parseKey(stream))
  }
  stream.expect(']')
  const key: JinjaExpression = keys.length === 1 ? keys[0]! : { kind: 'tuple', items: keys, start: open.start, end: stream.lastEnd }
  return { kind: 'item', object, key, start: object.start, end: stream.lastEnd }
}

function parseKey(stream: JinjaTokenStream): JinjaExpression {
  const { start } = stream.current
  const atEnd = () => stream.is(']') || stream.is(',')
  const first = stream.is(':') ? undefined : parseExpression(stream)
  if (first !== undefined && !stream.is(':')) return first
  stream.expect(':')
  const second = stream.is(':') || atEnd() ? undefined : parseExpression(stream)
  const third = stream.skipIf(':') && !atEnd() ? parseExpression(stream) : undefined
  return { kind: 'slice', parts: [first, second, third], start, end: stream.lastEnd }
}

function parseTest(stream: JinjaTokenStream, input: JinjaExpression): JinjaExpression {
  const { start } = input
  stream.next()
  const negated = stream.skipName('not')
  const name = dottedName(stream)
  let given: Arguments = { args: [], kwargs: [] }
  if (stream.is('(')) given = parseCallArguments(stream)
  else if (testArguments.has(stream.current.type) && !['else', 'or', 'and'].some((word) => stream.isName(word))) {
    if (stream.isName('is')) return stream.fail('You cannot chain multiple tests with is')
    given = { args: [parsePostfix(stream, parsePrimary(stream))], kwargs: [] }
  }
  const test: JinjaExpression = { kind: 'test', input, name, ...given, start, end: stream.lastEnd }
  return negated ? { kind: 'not', operand: test, start, end: stream.lastEnd } : test
}

function dottedName(stream: JinjaTokenStream): string {
  let name = stream.expect('name').value
  while (stream.skipIf('.')) name += `.${stream.expect('name').value}`
  return name
}

const constants = new Map<string, null | boolean>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
])

/** Whether a name is a constant, so that it cannot be assigned to. */
export function isConstantName(name: string): boolean {
  return constants.has(name)
}

const testArguments = new Set(['name', 'string', 'integer', 'float', '(', '[', '{'])
