import { chatDialect, type Dialect } from '../dialect.ts'
import type { JinjaExpression, JinjaStatement, Signature } from './jinja-ast.ts'
import { JinjaTokenStream } from './jinja-token-stream.ts'
import { normalizeSource } from './lexer.ts'
import { parseExpression, parseTarget, parseTuple } from './parse-jinja-expression.ts'
import { isConstantName, parseFilters } from './parse-jinja-postfix.ts'

export type ParsedTemplate = { source: string; body: JinjaStatement[] }

/** Parses a template into statements, or throws with line and column. */
export function parseTemplate(text: string, name: string, { trims, keepsLastNewline }: Dialect = chatDialect): ParsedTemplate {
  const source = normalizeSource(text, keepsLastNewline)
  const stream = new JinjaTokenStream(source, name, trims)
  return { source, body: new Parser(stream).statements(undefined) }
}

class Parser {
  readonly #stream: JinjaTokenStream
  readonly #open: string[] = []
  #loops = 0

  constructor(stream: JinjaTokenStream) {
    this.#stream = stream
  }

  /** Statements up to one of several end tags, which is not consumed. */
  statements(ends: readonly string[] | undefined): JinjaStatement[] {
    const stream = this.#stream
    const body: JinjaStatement[] = []
    while (!stream.is('eof')) {
      const { start, end, type, value } = stream.current
      if (type === 'data') {
        stream.next()
        body.push({ kind: 'data', text: value, start, end })
      } else if (type === 'variable_begin') {
        stream.next()
        const shown = parseTuple(stream)
        body.push({ kind: 'output', value: shown, start, end: stream.expect('variable_end').end })
      } else {
        stream.expect('block_begin')
        if (ends?.some((name) => stream.isName(name))) return body
        body.push(...this.#statement(start))
        stream.expect('block_end')
      }
    }
    if (ends !== undefined) {
      const inner = this.#open.at(-1)
      stream.fail(
        `Unexpected end of template. Jinja was looking for the following tags: ${ends.map((name) => `'${name}'`).join(' or ')}.${
          inner === undefined ? '' : ` The innermost block that needs to be closed is '${inner}'.`
        }`,
      )
    }
    return body
  }

  #statement(start: number): JinjaStatement[] {
    const stream = this.#stream
    if (!stream.is('name')) stream.fail('tag name expected')
    const tag = stream.current.value
    const parse = Object.hasOwn(tags, tag) ? tags[tag] : undefined
    if (parse === undefined) return this.#unknown(tag)
    stream.next()
    this.#open.push(tag)
    const made = stream.nested(() => parse(this, stream))
    this.#open.pop()
    return made.map((statement) => ({ ...statement, start, end: stream.lastEnd }) as JinjaStatement)
  }

  #unknown(tag: string): never {
    const inner = this.#open.at(-1)
    this.#stream.fail(
      `Encountered unknown tag '${tag}'.${inner === undefined ? '' : ` The innermost block that needs to be closed is '${inner}'.`}`,
    )
  }

  /** The inside of a block tag, up to its end tag, which is consumed. */
  body(...ends: string[]): JinjaStatement[] {
    this.#stream.skipIf(':')
    this.#stream.expect('block_end')
    return this.statements(ends)
  }

  bodyUntil(end: string): JinjaStatement[] {
    const body = this.body(end)
    this.#stream.next()
    return body
  }

  loopBody<Result>(parse: () => Result): Result {
    this.#loops++
    const result = parse()
    this.#loops--
    return result
  }

  /** Macros and call blocks are functions: a `break` in them does not end an outer loop. */
  outsideLoops<Result>(parse: () => Result): Result {
    const before = this.#loops
    this.#loops = 0
    const result = parse()
    this.#loops = before
    return result
  }

  get inLoop(): boolean {
    return this.#loops > 0
  }

  signature(): Signature {
    const stream = this.#stream
    const parameters: string[] = []
    const defaults: JinjaExpression[] = []
    stream.expect('(')
    while (!stream.is(')')) {
      if (parameters.length > 0) stream.expect(',')
      const { value } = stream.expect('name')
      if (isConstantName(value)) stream.fail("can't assign to 'name'")
      if (stream.skipIf('=')) defaults.push(parseExpression(stream))
      else if (defaults.length > 0) stream.fail('non-default argument follows default argument')
      parameters.push(value)
    }
    stream.expect(')')
    return { parameters, defaults }
  }
}

/** A statement without its position, which is that of its whole block. */
type Made<S = JinjaStatement> = S extends JinjaStatement ? Omit<S, 'start' | 'end'> : never
type ParseTag = (parser: Parser, stream: JinjaTokenStream) => Made[]

const tags: Readonly<Record<string, ParseTag>> = {
  set(parser, stream) {
    const target = parseTarget(stream, { withNamespace: true })
    if (stream.skipIf('=')) return [{ kind: 'set', target, value: parseTuple(stream) }]
    const filter = parseFilters(stream, undefined)
    return [{ kind: 'set-block', target, filter, body: parser.bodyUntil('endset') }]
  },

  for(parser, stream) {
    const target = parseTarget(stream, { endsAt: 'in' })
    stream.expectName('in')
    const iterable = parseTuple(stream, { withCondition: false, endsAt: 'recursive' })
    const test = stream.skipName('if') ? parseExpression(stream) : undefined
    const recursive = stream.skipName('recursive')
    const body = parser.loopBody(() => parser.body('endfor', 'else'))
    const otherwise = stream.next().value === 'else' ? parser.bodyUntil('endfor') : []
    return [{ kind: 'for', target, iterable, test, recursive, body, otherwise }]
  },

  if(parser, stream) {
    const branches: { test: JinjaExpression; body: JinjaStatement[] }[] = []
    let otherwise: JinjaStatement[] = []
    for (;;) {
      const test = parseTuple(stream, { withCondition: false })
      branches.push({ test, body: parser.body('elif', 'else', 'endif') })
      const { value } = stream.next()
      if (value === 'elif') continue
      if (value === 'else') otherwise = parser.bodyUntil('endif')
      return [{ kind: 'if', branches, otherwise }]
    }
  },

  macro(parser, stream) {
    const name = stream.expect('name').value
    const signature = parser.signature()
    return [{ kind: 'macro', name, ...signature, body: parser.outsideLoops(() => parser.bodyUntil('endmacro')) }]
  },

  call(parser, stream) {
    const signature = stream.is('(') ? parser.signature() : { parameters: [], defaults: [] }
    const call = parseExpression(stream)
    if (call.kind !== 'call') return stream.failAt('expected call', call)
    return [{ kind: 'call-block', call, ...signature, body: parser.outsideLoops(() => parser.bodyUntil('endcall')) }]
  },

  filter(parser, stream) {
    const filter = parseFilters(stream, undefined, true)!
    return [{ kind: 'filter-block', filter, body: parser.bodyUntil('endfilter') }]
  },

  with(parser, stream) {
    const targets = []
    const values = []
    while (!stream.is('block_end')) {
      if (targets.length > 0) stream.expect(',')
      targets.push(parseTarget(stream))
      stream.expect('=')
      values.push(parseExpression(stream))
    }
    return [{ kind: 'with', targets, values, body: parser.bodyUntil('endwith') }]
  },

  print(_, stream) {
    const made: Made[] = []
    while (!stream.is('block_end')) {
      if (made.length > 0) stream.expect(',')
      made.push({ kind: 'output', value: parseExpression(stream) })
    }
    return made
  },

  autoescape(parser, stream) {
    const value = parseExpression(stream)
    return [{ kind: 'autoescape', value, body: parser.bodyUntil('endautoescape') }]
  },

  generation(parser) {
    return [{ kind: 'generation', body: parser.outsideLoops(() => parser.bodyUntil('endgeneration')) }]
  },

  block(parser, stream) {
    const name = stream.expect('name').value
    stream.skipName('scoped')
    const required = stream.skipName('required')
    const body = parser.outsideLoops(() => parser.bodyUntil('endblock'))
    stream.skipName(name)
    return [{ kind: 'block', name, required, body }]
  },

  break: (parser, stream) => (parser.inLoop ? [{ kind: 'break' }] : stream.fail("'break' outside loop")),
  continue: (parser, stream) => (parser.inLoop ? [{ kind: 'continue' }] : stream.fail("'continue' not properly in loop")),
  include: (_, stream) => loader(stream, 'include'),
  import: (_, stream) => loader(stream, 'import'),
  from: (_, stream) => loader(stream, 'from'),
  extends: (_, stream) => loader(stream, 'extends'),
}

function loader(stream: JinjaTokenStream, tag: string): Made[] {
  while (!stream.is('block_end') && !stream.is('eof')) stream.next()
  return [{ kind: 'loader', tag }]
}
