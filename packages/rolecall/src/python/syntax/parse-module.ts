import { PromptError } from '@rolecall/core/internal/errors'
import type { AssignTarget, BinaryOperator, Expression, MethodDecorator, Module, Statement } from '@rolecall/core/internal/python'
import { ImportLimitError, syntaxError, tokenizePython } from '@rolecall/core/internal/python'
import { parseParameters } from './parse-call.ts'
import { parseBinary, parseExpression, parseExpressions, parseTargets } from './parse-expression.ts'
import { PythonTokenStream } from './python-token-stream.ts'

/** Larger than any config; a file of data is not a config. */
export const maxFileLength = 8 * 1024 * 1024

/** Reads Python's text into a tree; nothing is run. */
export function parseModule(text: string, file: string, lenient = false): Module {
  if (text.length > maxFileLength)
    throw syntaxError({ file, line: 1, column: 1 }, 'the file has more than 8 MiB', 'import the config, not the data')
  const stream = new PythonTokenStream(tokenizePython(text, file))
  const body: Statement[] = []
  while (stream.current.kind !== 'end') body.push(...(lenient ? parseOrSkip(stream) : parseStatement(stream)))
  return { file, body, slips: stream.slips }
}

/** With --lenient a statement that is not Python is skipped; the error is reported when it would have run. */
function parseOrSkip(stream: PythonTokenStream): Statement[] {
  const at = stream.place()
  const names = stream.current.kind === 'name' && stream.peek().text === '=' ? [stream.current.text] : []
  const { depth } = stream
  try {
    return parseStatement(stream)
  } catch (error) {
    if (!(error instanceof PromptError) || error instanceof ImportLimitError) throw error
    stream.skipStatement(depth)
    return [{ kind: 'broken', error, names, at }]
  }
}

/** One line may hold several simple statements. */
function parseStatement(stream: PythonTokenStream): Statement[] {
  if (stream.current.kind === 'indent') throw stream.error('unexpected indent', 'indent it like the line above')
  const compound = parseCompound(stream)
  if (compound !== undefined) return [compound]
  const statements: Statement[] = []
  do {
    if (stream.current.kind === 'newline' || stream.current.kind === 'end') break
    statements.push(parseSimple(stream))
  } while (stream.accept(';'))
  endOfLine(stream)
  return statements
}

function endOfLine(stream: PythonTokenStream): void {
  if (stream.current.kind === 'newline') stream.next()
  else if (stream.current.kind !== 'end')
    throw stream.error(`expected the end of the line, found ${stream.shown()}`, 'begin a new line before it, or correct the code before it')
}

function parseBlock(stream: PythonTokenStream): Statement[] {
  stream.expect(':', 'expected ":"')
  if (stream.current.kind !== 'newline') {
    const statements: Statement[] = []
    do {
      if ((stream.current.kind as string) === 'newline') break
      statements.push(parseSimple(stream))
    } while (stream.accept(';'))
    endOfLine(stream)
    return statements
  }
  stream.next()
  if ((stream.current.kind as string) !== 'indent')
    throw stream.error('an indented line is missing after ":"', 'write "pass" for an empty block')
  stream.next()
  return stream.nested(() => {
    const body: Statement[] = []
    while (stream.current.kind !== 'dedent' && stream.current.kind !== 'end') body.push(...parseStatement(stream))
    if (stream.current.kind === 'dedent') stream.next()
    return body
  })
}

function parseCompound(stream: PythonTokenStream): Statement | undefined {
  const { kind, text } = stream.current
  const at = stream.place()
  if (kind === 'operator' && text === '@') {
    const decorators: Expression[] = []
    while (stream.accept('@')) {
      decorators.push(parseExpression(stream))
      endOfLine(stream)
    }
    const decorated = parseCompound(stream)
    if (decorated === undefined)
      throw stream.error(`expected "def" or "class" behind "@", found ${stream.shown()}`, 'remove the line with "@"')
    if (decorated.kind !== 'function' && decorated.kind !== 'class') return decorated
    const others = decorators.filter((decorator) => !leavesAsIs(decorator))
    const registers = decorators.filter(enters)
    const marked = registers.length === 0 ? decorated : { ...decorated, registers }
    if (others.length === 0) return marked
    if (marked.kind === 'function') return { ...marked, decorated: methodDecorator(others) ?? true, decorators: others }
    const isData = others.length === 1 && lastName(others[0]!) === 'dataclass'
    return { ...marked, decorated: isData ? 'dataclass' : true, decorators: others }
  }
  if (kind !== 'name') return undefined
  switch (text) {
    case 'if':
      return parseIf(stream)
    case 'for': {
      stream.next()
      const target = parseTargets(stream)
      stream.expect('in', 'a "for" needs an "in"', 'write for NAME in LIST:')
      const items = parseExpressions(stream)
      return { kind: 'for', target, items, body: parseBlock(stream), otherwise: parseElse(stream), at }
    }
    case 'while': {
      stream.next()
      const test = parseExpression(stream)
      return { kind: 'while', test, body: parseBlock(stream), otherwise: parseElse(stream), at }
    }
    case 'with':
      return parseWith(stream)
    case 'try':
      return parseTry(stream)
    case 'def': {
      stream.next()
      const name = stream.expectName('the name of a function')
      stream.expect('(', 'a function needs parameters')
      const parameters = parseParameters(stream, ')')
      if (stream.accept('->')) parseExpression(stream)
      const { body, yields } = stream.inFunction(() => parseBlock(stream))
      return { kind: 'function', name, parameters, body, decorated: false, at, ...(yields ? { yields } : {}) }
    }
    case 'class': {
      stream.next()
      const name = stream.expectName('the name of a class')
      const { bases, metaclass } = parseBases(stream)
      return { kind: 'class', name, bases, ...(metaclass ? { metaclass } : {}), body: parseBlock(stream), decorated: false, at }
    }
    case 'async':
      stream.next()
      parseCompound(stream)
      return { kind: 'foreign', construct: '"async"', fix: 'leave it out: a config is plain data', at }
    default:
      return undefined
  }
}

/** The bases of a class and its metaclass; other keywords are left out. */
function parseBases(stream: PythonTokenStream): { bases: Expression[]; metaclass?: Expression } {
  const bases: Expression[] = []
  let metaclass: Expression | undefined
  if (!stream.accept('(')) return { bases }
  while (!stream.accept(')')) {
    const base = parseExpression(stream)
    if (!stream.accept('=')) bases.push(base)
    else {
      const value = parseExpression(stream)
      if (base.kind === 'name' && base.name === 'metaclass') metaclass = value
    }
    if (!stream.is(')')) stream.expect(',', 'the bases of a class are separated by commas')
  }
  return { bases, ...(metaclass ? { metaclass } : {}) }
}

function parseIf(stream: PythonTokenStream): Statement {
  const at = stream.place(stream.next())
  const test = parseExpression(stream)
  const body = parseBlock(stream)
  const otherwise = stream.is('elif') ? [stream.nested(() => parseIf(stream))] : parseElse(stream)
  return { kind: 'if', test, body, otherwise, at }
}

function parseElse(stream: PythonTokenStream): Statement[] {
  return stream.accept('else') ? parseBlock(stream) : []
}

function parseWith(stream: PythonTokenStream): Statement {
  const at = stream.place(stream.next())
  const items: { value: Expression; target?: AssignTarget }[] = []
  do {
    const value = parseExpression(stream)
    // Not `parseTargets`: a comma begins the next item.
    items.push(stream.accept('as') ? { value, target: checkTarget(parseBinary(stream, 1)) } : { value })
  } while (stream.accept(','))
  return { kind: 'with', items, body: parseBlock(stream), at }
}

function parseTry(stream: PythonTokenStream): Statement {
  const at = stream.place(stream.next())
  const body = parseBlock(stream)
  const handlers: { types?: Expression; name?: string; body: Statement[] }[] = []
  while (stream.accept('except')) {
    stream.accept('*')
    const types = stream.is(':') ? undefined : parseExpressions(stream)
    const name = stream.accept('as') ? stream.expectName('a name') : undefined
    handlers.push({ ...(types === undefined ? {} : { types }), ...(name === undefined ? {} : { name }), body: parseBlock(stream) })
  }
  if (handlers.length === 0 && !stream.is('finally')) throw stream.error('a "try" needs an "except" or a "finally"', 'write one behind it')
  const otherwise = parseElse(stream)
  const last = stream.accept('finally') ? parseBlock(stream) : []
  return { kind: 'try', body, handlers, otherwise, last, at }
}

function parseSimple(stream: PythonTokenStream): Statement {
  const { kind, text } = stream.current
  const at = stream.place()
  if (kind === 'name') {
    switch (text) {
      case 'pass':
      case 'break':
      case 'continue':
        stream.next()
        return { kind: text, at }
      case 'import':
        return parseImport(stream)
      case 'from':
        return parseImportFrom(stream)
      case 'return': {
        stream.next()
        const isBare = stream.current.kind === 'newline' || stream.current.kind === 'end' || stream.is(';')
        return isBare ? { kind: 'return', at } : { kind: 'return', value: parseExpressions(stream), at }
      }
      case 'del':
        stream.next()
        return { kind: 'delete', targets: itemsOf(checkTarget(parseTargets(stream))), at }
      case 'assert': {
        stream.next()
        const test = parseExpression(stream)
        if (stream.accept(',')) parseExpression(stream)
        return { kind: 'assert', test, at }
      }
      case 'global':
      case 'nonlocal': {
        stream.next()
        const names = [stream.expectName('a name')]
        while (stream.accept(',')) names.push(stream.expectName('a name'))
        return { kind: text, names, at }
      }
      case 'raise': {
        stream.next()
        const isBare = stream.current.kind === 'newline' || stream.current.kind === 'end' || stream.is(';')
        if (isBare) return { kind: 'raise', at }
        const value = parseExpression(stream)
        if (stream.accept('from')) parseExpression(stream)
        return { kind: 'raise', value, at }
      }
    }
  }
  return parseAssignment(stream)
}

function itemsOf(target: AssignTarget): AssignTarget[] {
  return target.kind === 'tuple' || target.kind === 'list' ? target.items : [target]
}

const augmented = /^(\+|-|\*|\/|\/\/|%|\*\*|&|\||\^|<<|>>|@)=$/

function parseAssignment(stream: PythonTokenStream): Statement {
  const start = stream.current
  const at = stream.place()
  const first = parseExpressions(stream)
  if (stream.current.kind === 'operator') {
    const operator = augmented.exec(stream.current.text)?.[1]
    if (operator !== undefined) {
      if (first.kind === 'tuple' || first.kind === 'list')
        throw stream.error(`"${operator}=" changes one value`, 'write a line for each of them')
      stream.next()
      return { kind: 'augment', target: checkTarget(first), operator: operator as BinaryOperator, value: parseExpressions(stream), at }
    }
    if (stream.accept(':')) {
      parseExpression(stream)
      if (!stream.accept('=')) return { kind: 'pass', ...(first.kind === 'name' ? { annotated: first.name } : {}), at }
      return { kind: 'assign', targets: [checkTarget(first)], value: parseExpressions(stream), annotated: true, at }
    }
  }
  if (!stream.is('=')) return { kind: 'expression', value: first, at }
  const values = [first]
  while (stream.accept('=')) values.push(parseExpressions(stream))
  const value = values.pop()!
  const remark = stream.remark(start, start.line - 20)
  return { kind: 'assign', targets: values.map(checkTarget), value, at, remark }
}

function checkTarget(target: Expression): AssignTarget {
  switch (target.kind) {
    case 'name':
    case 'attribute':
    case 'item':
      return target
    case 'star':
      checkTarget(target.value)
      return target
    case 'tuple':
    case 'list':
      target.items.forEach(checkTarget)
      return target
    default:
      throw syntaxError(target.at, 'nothing can be assigned to this', 'write a name before the "="')
  }
}

/** `import a.b as c`. */
export function parseImport(stream: PythonTokenStream): Statement {
  const at = stream.place(stream.next())
  const names: { module: string; as?: string }[] = []
  do {
    const module = parseDotted(stream)
    names.push(stream.accept('as') ? { module, as: stream.expectName('a name') } : { module })
  } while (stream.accept(','))
  return { kind: 'import', names, at }
}

function methodDecorator(decorators: readonly Expression[]): MethodDecorator | undefined {
  const [only] = decorators
  if (decorators.length !== 1 || only?.kind !== 'name') return undefined
  return (['staticmethod', 'classmethod', 'property'] as const).find((name) => name === only.name)
}

/** `@LOAD_DATASET.register_module()` enters a class into a table; a cache or an abstract method does not change what is computed. */
function leavesAsIs(decorator: Expression): boolean {
  return ['register_module', 'lru_cache', 'cache', 'abstractmethod'].includes(lastName(decorator) ?? '')
}

/** `@TEXT_POSTPROCESSORS.register_module('name')`: the name under which configs find a class or function. */
function enters(decorator: Expression): boolean {
  return lastName(decorator) === 'register_module'
}

/** The last part of a decorator's name: `dataclass` of `@dataclasses.dataclass(frozen=True)`. */
function lastName(decorator: Expression): string | undefined {
  const named = decorator.kind === 'call' ? decorator.callee : decorator
  return named.kind === 'attribute' || named.kind === 'name' ? named.name : undefined
}

function parseDotted(stream: PythonTokenStream): string {
  let name = stream.expectName('the name of a module')
  while (stream.accept('.')) name += `.${stream.expectName('the name of a module')}`
  return name
}

/** `from a.b import c as d`. */
export function parseImportFrom(stream: PythonTokenStream): Statement {
  const at = stream.place(stream.next())
  let level = 0
  for (;;) {
    if (stream.accept('.')) level++
    else if (stream.accept('...')) level += 3
    else break
  }
  const module = level > 0 && stream.is('import') ? '' : parseDotted(stream)
  stream.expect('import', 'expected "import"', 'write from MODULE import NAME')
  if (stream.accept('*')) return { kind: 'import-from', level, module, names: [{ name: '*' }], at }
  const inBrackets = stream.accept('(')
  const names: { name: string; as?: string }[] = []
  do {
    if (inBrackets && stream.is(')')) break
    const name = stream.expectName('a name')
    names.push(stream.accept('as') ? { name, as: stream.expectName('a name') } : { name })
  } while (stream.accept(','))
  if (inBrackets) stream.expect(')', 'a "(" is not closed')
  return { kind: 'import-from', level, module, names, at }
}
