import type { Argument, Clause, Expression, Parameter } from './ast.ts'
import { parseExpression, parseOr, parseTargets } from './parse-expression.ts'
import { reserved } from './token.ts'
import type { TokenStream } from './token-stream.ts'

/** A list of arguments, a display or a subscript: a new context up to the closing bracket. */
export function inBrackets<Result>(stream: TokenStream, read: () => Result): Result {
  const { inEntry } = stream
  stream.inEntry = false
  const result = stream.nested(read)
  stream.inEntry = inEntry
  return result
}

/** The value behind a key, in a dict or a call. */
export function parseEntryValue(stream: TokenStream): Expression {
  const { inEntry } = stream
  stream.inEntry = true
  const value = parseExpression(stream)
  stream.inEntry = inEntry
  return value
}

/** Items with commas between them up to a closing bracket. A comma that was forgotten at the end of a line is put there. */
export function readItems(stream: TokenStream, close: string, read: (notBefore: number) => void): void {
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
export function parseCall(stream: TokenStream, callee: Expression): Expression {
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

function parseArgument(stream: TokenStream, callee: Expression, before: readonly Argument[]): Argument {
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

export function startsComprehension(stream: TokenStream): boolean {
  return stream.is('for') || (stream.is('async') && stream.peek().text === 'for')
}

/** `for … in … if …`, once or more. */
export function parseClauses(stream: TokenStream): Clause[] {
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

/** Parameters up to a `)` or, in a lambda, a `:`, which is read, too. Annotations are passed over. */
export function parseParameters(stream: TokenStream, close: ')' | ':'): Parameter[] {
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
