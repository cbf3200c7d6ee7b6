import type { Prompt } from '../../format/format.ts'
import { isMarker, originOf } from '../../text/origin.ts'
import type { Token } from '../../tokenize/tokenize.ts'
import type { Tokenizer } from '../../tokenize/tokenizer.ts'
import { originPaint } from '../render/show-pieces.ts'
import { colors, type Line, printable, WrappedLines } from '../terminal.ts'

type Completion = Prompt & { kind: 'completion' }

/**
 * Each token as the text it covers, with its id behind it and the format's control tokens in brackets; a new line after a
 * token that ends with a newline. Tokens that share a character stand behind it together.
 */
export function showTokens(prompt: Completion, tokens: readonly Token[], tokenizer: Tokenizer, width: number): Line[] {
  const text = prompt.pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
  const special = new Set(tokenizer.addedTokens.map(({ id }) => id))
  const lines = new WrappedLines(width)
  for (const group of grouped(tokens)) {
    const { id, span, pieces } = group[0]!
    const covered = text.slice(...span)
    // What covers no text, such as BOS or the space that SentencePiece puts in front, is shown as the vocabulary writes it.
    const shown = printable(covered === '' ? (tokenizer.tokenOf(id) ?? '') : visibly(covered))
    const piece = pieces && prompt.pieces[pieces[0]]!
    const isControl = piece !== undefined && isMarker(piece) && ('ids' in piece || special.has(id))
    const paint = pieces && covered !== '' ? paintOf(prompt, pieces[0]) : colors.dim
    const ids = `[${group.map((token) => token.id).join(' ')}]`
    lines.reserve(isControl ? `⟦${shown}⟧${ids}` : shown + ids)
    if (isControl) lines.add('⟦', colors.dim)
    lines.add(shown, paint)
    lines.add(isControl ? `⟧${ids}` : ids, colors.dim)
    if (covered.endsWith('\n')) lines.newline()
  }
  return lines.end()
}

/** Tokens that hold parts of the same characters, together. */
function grouped(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = []
  for (const token of tokens) {
    const last = groups.at(-1)?.[0]
    if (token.partial && last?.partial && last.span[0] === token.span[0] && last.span[1] === token.span[1]) groups.at(-1)!.push(token)
    else groups.push([token])
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
