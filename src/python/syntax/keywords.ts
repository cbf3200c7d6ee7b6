import type { Token } from './token.ts'

/** Names that are no values. */
export const reserved = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

export function startsExpression({ kind, text }: Token): boolean {
  if (kind === 'string' || kind === 'number') return true
  if (kind === 'name') return !reserved.has(text) || ['lambda', 'not', 'yield', 'await'].includes(text)
  return kind === 'operator' && ['(', '[', '{', '-', '+', '~', '*', '...'].includes(text)
}
