/** A place in a file: lines from 1, columns from 1, as editors show them. */
export type Place = { file: string; line: number; column: number }

/** `newline`, `indent` and `dedent` are the layout that Python reads; what stands inside brackets has none. */
export type TokenKind = 'name' | 'number' | 'string' | 'operator' | 'newline' | 'indent' | 'dedent' | 'end'

export type Token = {
  kind: TokenKind
  /** As it is written. */
  text: string
  line: number
  column: number
  /** The line it ends on; later than `line` for a string in triple quotes. */
  endLine: number
}

/** A comment: the text behind `#`, and whether anything stands before it on its line. */
export type Comment = { text: string; alone: boolean }

export type Tokens = { file: string; tokens: readonly Token[]; comments: ReadonlyMap<number, Comment> }

/** Names that are not values. */
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
