import type { Argument, Expression } from './ast.ts'
import { parseClauses, startsComprehension } from './parse-clauses.ts'
import { parseExpression } from './parse-expression.ts'
import { inBrackets, parseEntryValue, readItems } from './parse-items.ts'
import type { TokenStream } from './token-stream.ts'

/** The arguments of a call, from its `(` on. */
export function parseCall(stream: TokenStream, callee: Expression): Expression {
  const at = callee.at
  stream.next()
  const args: Argument[] = []
  inBrackets(stream, () => {
    readItems(stream, ')', (notBefore) => {
      const start = stream.current
      const argument = parseArgument(stream, callee, args.length)
      const remark = stream.remark(start, notBefore)
      args.push(remark === undefined ? argument : { ...argument, remark })
    })
  })
  return { kind: 'call', callee, args, at }
}

function parseArgument(stream: TokenStream, callee: Expression, before: number): Argument {
  if (stream.accept('*')) return { star: '*', value: parseExpression(stream) }
  if (stream.accept('**')) return { star: '**', value: parseExpression(stream) }
  if (stream.current.kind === 'name' && stream.peek().text === '=' && stream.peek().kind === 'operator') {
    const name = stream.next().text
    stream.next()
    return { name, value: parseEntryValue(stream) }
  }
  const value = parseExpression(stream)
  if (stream.is(':') && callee.kind === 'name' && callee.name === 'dict') {
    if (!stream.slips.some(({ text }) => text === dictSlip)) stream.slip(dictSlip)
    stream.next()
    return { key: value, value: parseEntryValue(stream) }
  }
  if (!startsComprehension(stream)) return { value }
  if (before > 0) throw stream.error('a generator beside other arguments needs brackets', 'put (…) around it')
  return { value: { kind: 'comprehension', of: 'generator', item: value, clauses: parseClauses(stream), at: value.at } }
}

const dictSlip = 'dict("key": value) is read as {"key": value}'
