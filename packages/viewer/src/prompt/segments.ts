import type { Prompt } from '@rolecall/core/internal/format'
import type { Piece } from '@rolecall/core/internal/text'
import { isMarker, type Origin, originOf } from '@rolecall/core/internal/text'
import type { Token } from '@rolecall/core/internal/tokenizer'

/** A range of a prompt rendered in one style: part of one piece and, with tokens, of one token. */
export type Segment = {
  text: string
  /** The index of its piece in the prompt, over all messages. */
  piece: number
  /** Its tokens: several if they share a character. */
  tokens?: readonly number[]
  /** Whether the token starts and ends in this segment: a token may span several pieces. */
  opens?: boolean
  closes?: boolean
}

/** A piece as rendered. */
export type Drawn = { piece: Piece; origin: Origin; isMarker: boolean; segments: readonly Segment[] }

/** A separate part of a prompt: a message, or the whole text. */
export type Block = { role?: string; name?: string; extra?: Readonly<Record<string, unknown>>; pieces: readonly Drawn[]; isAnswer: boolean }

/** A prompt as blocks of coloured pieces; with tokens, split at token borders. */
export function blocksOf(prompt: Prompt, tokens: readonly Token[] = []): Block[] {
  const inAnswer = (index: number) => prompt.answer !== undefined && index >= prompt.answer.start && index < prompt.answer.end
  if (prompt.kind === 'completion') {
    const cuts = cutsOf(tokens)
    let offset = 0
    const pieces = prompt.pieces.map((piece, index): Drawn => {
      const start = offset
      if ('text' in piece) offset += piece.text.length
      const segments = 'ids' in piece ? idSegments(piece.ids, index, tokens) : segmentsOf(piece, index, start, cuts)
      return { piece, origin: originOf(piece, inAnswer(index)), isMarker: isMarker(piece), segments }
    })
    return [{ pieces, isAnswer: false }]
  }
  let number = 0
  return prompt.messages.map((message, index): Block => {
    const marked = message.content.some((piece) => piece.answer)
    const isAnswer = inAnswer(index)
    return {
      role: message.role,
      name: message.name,
      extra: message.extra,
      isAnswer,
      pieces: message.content.map((piece): Drawn => {
        const isOwn = isAnswer && (!marked || piece.answer === true)
        const at = number++
        return { piece, origin: originOf(piece, isOwn), isMarker: false, segments: segmentsOf(piece, at, 0, []) }
      }),
    }
  })
}

type Cut = { start: number; end: number; tokens: number[] }

/** Tokens that cover text, with tokens that share a character merged. */
function cutsOf(tokens: readonly Token[]): Cut[] {
  const cuts: Cut[] = []
  for (const [token, { span }] of tokens.entries()) {
    if (span[1] <= span[0]) continue
    const last = cuts.at(-1)
    if (last && last.end > span[0]) {
      last.end = Math.max(last.end, span[1])
      last.tokens.push(token)
    } else cuts.push({ start: span[0], end: span[1], tokens: [token] })
  }
  return cuts
}

function idSegments(ids: readonly number[], piece: number, tokens: readonly Token[]): Segment[] {
  const own = tokens.flatMap(({ pieces, span }, token) => (pieces?.[0] === piece && span[0] === span[1] ? [token] : []))
  return ids.map((id, index) => ({
    text: `<#${id}>`,
    piece,
    ...(own[index] === undefined ? {} : { tokens: [own[index]], opens: true, closes: true }),
  }))
}

function segmentsOf(piece: Piece, index: number, start: number, cuts: readonly Cut[]): Segment[] {
  if (!('text' in piece)) return [{ text: '', piece: index }]
  const { text } = piece
  if (cuts.length === 0) return [{ text, piece: index }]
  const segments: Segment[] = []
  let at = 0
  for (let next = firstEndingAfter(cuts, start); next < cuts.length; next++) {
    const cut = cuts[next]!
    const [from, to] = [Math.max(0, cut.start - start), Math.min(text.length, cut.end - start)]
    if (from >= text.length) break
    // Whitespace swallowed by a token belongs to none.
    if (from > at) segments.push({ text: text.slice(at, from), piece: index })
    segments.push({
      text: text.slice(from, to),
      piece: index,
      tokens: cut.tokens,
      opens: cut.start >= start,
      closes: cut.end <= start + text.length,
    })
    at = to
  }
  if (at < text.length) segments.push({ text: text.slice(at), piece: index })
  return segments
}

function firstEndingAfter(cuts: readonly Cut[], offset: number): number {
  let [low, high] = [0, cuts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (cuts[middle]!.end > offset) high = middle
    else low = middle + 1
  }
  return low
}
