import type { Piece } from '@rolecall/core/internal/text'
import type { Token } from '@rolecall/core/internal/tokenizer'

/** The id of a token that only the server knows. */
export const unknownId = -1

/**
 * Aligns a server's tokens with the text that was sent, so that an answer's tokens can be found without the model's tokenizer. It follows
 * the tokens' texts, since servers count offsets in different units. Tokens that are not in the text (BOS, added by the server) cover
 * nothing; a token may have lost the space before it, or hold only some bytes of a character. The first token's text may be unknown.
 * Undefined if the tokens do not spell the text.
 *
 * @example
 * alignTokens(['<s>', '1', ' +', ' 1'], '1 + 1')?.map(([start, end]) => end - start) // => [0, 1, 2, 2]
 */
export function alignTokens(tokens: readonly (string | undefined)[], text: string): Span[] | undefined {
  const [first, ...rest] = tokens as readonly string[]
  if (first !== undefined) {
    const spans = alignFrom(tokens as readonly string[], text, 0)
    if (spans) return spans
  }
  // The first token is BOS, or its text is unknown.
  for (let end = 0; end <= (first === undefined ? Math.min(text.length, longestToken) : 0); end++) {
    const spans = alignFrom(rest, text, end)
    if (spans) return [[0, end], ...spans]
  }
  return undefined
}

type Span = readonly [start: number, end: number]

/** Except for runs of white space, no known vocabulary has longer tokens. */
const longestToken = 128

function alignFrom(tokens: readonly string[], text: string, from: number): Span[] | undefined {
  const spans: Span[] = []
  let at = from
  for (let index = 0; index < tokens.length && at < text.length; index++) {
    const found = findAt(text, tokens[index]!, at)
    if (found !== undefined) {
      spans.push([at, found])
      at = found
      continue
    }
    if (!isPartial(tokens[index]!)) return undefined
    // Tokens that share one or more characters: up to the next one that can be matched.
    let next = index + 1
    while (next < tokens.length && isPartial(tokens[next]!)) next++
    const end = next === tokens.length ? text.length : nextPlace(text, tokens[next]!, at)
    if (end === undefined) return undefined
    for (; index < next; index++) spans.push([at, end])
    index--
    at = end
  }
  return at === text.length ? spans : undefined
}

/** Where a token that starts here ends. */
function findAt(text: string, token: string, at: number): number | undefined {
  if (token === '' || isPartial(token)) return token === '' ? at : undefined
  if (text.startsWith(token, at)) return at + token.length
  let trimmed = at
  while (trimmed < text.length && /\s/.test(text[trimmed]!)) trimmed++
  if (trimmed > at && text.startsWith(token, trimmed)) return trimmed + token.length
  const plain = asWritten(token)
  if (plain === token) return undefined
  // SentencePiece puts a space before a text that has none.
  const start = at === 0 && plain.startsWith(' ') && !text.startsWith(' ') ? plain.slice(1) : plain
  return text.startsWith(start, at) ? at + start.length : undefined
}

/** Some servers return tokens as the vocabulary spells them. */
function asWritten(token: string): string {
  return token.replace(/[▁Ġ]/g, ' ').replace(/Ċ/g, '\n')
}

/** The nearest position, at least one character ahead, where a token matches. */
function nextPlace(text: string, token: string, at: number): number | undefined {
  const found = text.indexOf(token, at + 1)
  return found < 0 ? undefined : found
}

/** Some bytes of a character: written as the replacement character, or, by OpenAI, as `bytes:\xe4`. */
function isPartial(token: string): boolean {
  return token.includes('\ufffd') || /^bytes:(\\x[\da-f]{2})+$/i.test(token)
}

/** Tokens with the pieces that their characters belong to. */
export function tokensAt(spans: readonly Span[], pieces: readonly Piece[], ids?: readonly number[]): Token[] {
  const edges: { at: number; piece: number }[] = []
  let length = 0
  for (const [piece, one] of pieces.entries()) {
    if (!('text' in one) || one.text === '') continue
    edges.push({ at: length, piece })
    length += one.text.length
  }
  let first = 0
  return spans.map(([start, end], index): Token => {
    const id = ids?.[index] ?? unknownId
    if (start === end) return { id, span: [start, end] }
    while (first + 1 < edges.length && edges[first + 1]!.at <= start) first++
    let last = first
    while (last + 1 < edges.length && edges[last + 1]!.at < end) last++
    return { id, span: [start, end], pieces: [edges[first]!.piece, edges[last]!.piece] }
  })
}
