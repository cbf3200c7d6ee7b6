import type { Prompt } from '@rolecall/core/internal/format'
import { isMarker, type Origin, originOf } from '@rolecall/core/internal/text'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { type Token, tokenize } from '@rolecall/core/internal/tokenizer'
import { shownHubPath } from '../../node/hub/hub-name.ts'
import { shippedTokenizer, tokenizerAt } from '../../node/models/load-tokenizer.ts'
import { originPaint } from '../render/show-pieces.ts'
import type { View } from '../render/view.ts'
import { colors, printable, type TerminalLine, WrappedLines } from '../terminal.ts'

type Completion = Prompt & { kind: 'completion' }

/**
 * Each token as its text followed by its id, with control tokens in brackets; a new line after a token that ends with a newline. The ids of
 * tokens that share a character are grouped.
 */
export function showTokens(
  prompt: Completion,
  tokens: readonly Token[],
  tokenizer: Tokenizer,
  width: number,
  mask?: readonly (0 | 1)[],
): TerminalLine[] {
  const text = prompt.pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
  const special = new Set(tokenizer.addedTokens.map(({ id }) => id))
  const lines = new WrappedLines(width)
  const trained = new Set(tokens.filter((_, index) => mask?.[index] === 1))
  for (const group of grouped(tokens)) {
    const { id, span, pieces } = group[0]!
    const covered = text.slice(span[0], Math.max(...group.map((token) => token.span[1])))
    // Tokens without text, such as BOS or SentencePiece's leading space, are shown as in the vocabulary.
    const shown = printable(covered === '' ? (tokenizer.tokenOf(id) ?? '') : visibly(covered))
    const piece = pieces && prompt.pieces[pieces[0]]!
    const isControl = piece !== undefined && isMarker(piece) && ('ids' in piece || special.has(id))
    const origin = pieces && covered !== '' ? paintOf(prompt, pieces[0]) : colors.dim
    const paint = trained.has(group[0]!) ? (text: string) => colors.underline(origin(text)) : origin
    const ids = `[${group.map((token) => (trained.has(token) ? `${token.id}*` : token.id)).join(' ')}]`
    lines.reserve(isControl ? `⟦${shown}⟧${ids}` : shown + ids)
    if (isControl) lines.add('⟦', colors.dim)
    lines.add(shown, paint)
    lines.add(isControl ? `⟧${ids}` : ids, colors.dim)
    if (covered.endsWith('\n')) lines.newline()
  }
  return lines.end()
}

/** Groups tokens with parts of the same character. */
function grouped(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = []
  let groupEnd = 0
  for (const token of tokens) {
    // A token may hold the end of one character and the start of the next.
    if (token.span[0] < groupEnd && token.span[1] > token.span[0]) groups.at(-1)?.push(token)
    else groups.push([token])
    groupEnd = Math.max(groupEnd, token.span[1])
  }
  return groups
}

function visibly(text: string): string {
  return text.replaceAll('\n', '⏎').replaceAll('\t', '→').replaceAll(' ', '·')
}

function paintOf({ pieces, answer }: Completion, piece: number) {
  const isAnswer = answer !== undefined && piece >= answer.start && piece < answer.end
  return originPaint[originOf(pieces[piece]!, isAnswer)]
}

/** Token counts by origin; a token across pieces counts for the one it starts in. */
export function countByOrigin({ rendered: { prompt }, markers, tokens: needed }: View, tokenizer: Tokenizer): string {
  if (prompt.kind === 'chat') return 'tokens: only the server knows how it writes messages'
  const { tokens } = tokenize(prompt, tokenizer, { markers, tokens: needed })
  const counts = new Map<Origin | 'tokenizer', number>()
  for (const { pieces } of tokens) {
    const origin = pieces ? originOf(prompt.pieces[pieces[0]]!, isAnswer(prompt.answer, pieces[0])) : 'tokenizer'
    counts.set(origin, (counts.get(origin) ?? 0) + 1)
  }
  const parts = [...counts].map(([origin, count]) =>
    origin === 'tokenizer' ? `${origin} ${count}` : originPaint[origin](`${origin} ${count}`),
  )
  return `${tokens.length} tokens by ${shownHubPath(tokenizer.name)}: ${parts.join(', ')}`
}

function isAnswer(answer: { start: number; end: number } | undefined, piece: number): boolean {
  return answer !== undefined && piece >= answer.start && piece < answer.end
}

const standIns = new Map<string, Tokenizer>()

/** The given tokenizer, else the model's, else the shipped one. */
export function tokenizerFor(
  { tokenizer, tokenizerPath }: Pick<View, 'tokenizer' | 'tokenizerPath'>,
  given: string | undefined,
): Tokenizer {
  return given === undefined ? (tokenizer ?? standIn(tokenizerPath)) : tokenizerAt(given)
}

/** The shipped tokenizer, with a name that says if it replaces another. */
function standIn(tokenizerPath: string | undefined): Tokenizer {
  const name = `the shipped tokenizer${tokenizerPath === undefined ? '' : ` (there is no ${tokenizerPath} here)`}`
  const tokenizer = standIns.get(name) ?? { ...shippedTokenizer(), name }
  standIns.set(name, tokenizer)
  return tokenizer
}
