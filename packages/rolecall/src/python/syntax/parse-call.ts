import type { Argument, Expression, Parameter } from '@rolecall/core/internal/python'
import { inBrackets, parseClauses, parseEntryValue, readItems, startsComprehension } from './parse-atom.ts'
import { parseExpression } from './parse-expression.ts'
import type { PythonTokenStream } from './python-token-stream.ts'

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
