import type { Clause, Expression } from './ast.ts'
import { parseOr, parseTargets } from './parse-expression.ts'
import type { TokenStream } from './token-stream.ts'

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
