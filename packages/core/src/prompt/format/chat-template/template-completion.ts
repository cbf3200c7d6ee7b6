import { distinctNotes, type Note } from '../../../base/errors/note.ts'
import { type PieceRange, slicePieces, type TextPiece } from '../../../base/text/index.ts'
import { markedAnswer } from '../answer.ts'
import type { Ask, Prompt, Stop } from '../format.ts'
import { placeMedia, type WrittenMedia } from '../parts/place-media.ts'
import type { Capabilities } from './probe.ts'
import type { ShownMessage } from './shown-messages.ts'

/** The stops of a model: its end of sequence, and what its template writes at the end of a turn. */
export function stopsOf({ endOfTurn }: Capabilities, tokens: Readonly<Record<string, string>>): Stop[] {
  const eos = tokens.eos_token
  const stops: Stop[] = eos === undefined ? [] : [{ token: eos, source: { by: 'tokenizer', path: 'eos_token' } }]
  if (endOfTurn !== '' && endOfTurn !== eos) stops.push({ text: endOfTurn, source: { by: 'format', path: 'chat_template' } })
  return stops
}

/** Splits pieces where a generation mark begins or ends, so that an answer is a range of whole pieces. */
export function cutAt(pieces: readonly TextPiece[], marks: readonly { start: number; end: number }[]): TextPiece[] {
  if (marks.length === 0) return [...pieces]
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0)
  const bounds = [...new Set([0, ...marks.flatMap(({ start, end }) => [start, end]), length])].sort((a, b) => a - b)
  return bounds.slice(1).flatMap((end, index) => slicePieces(pieces, bounds[index]!, end))
}

/** The range of the last generation mark. */
export function generated(pieces: readonly TextPiece[], marks: readonly { start: number; end: number }[]): PieceRange | undefined {
  const last = marks.at(-1)
  if (last === undefined) return undefined
  let at = 0
  const starts = pieces.map(({ text }) => {
    at += text.length
    return at - text.length
  })
  const start = starts.findIndex((offset) => offset >= last.start)
  const end = starts.findIndex((offset) => offset >= last.end)
  return start < 0 ? undefined : { start, end: end < 0 ? pieces.length : end }
}

/** From the first to the last piece that comes from the answer's text. */
export function answerIn(pieces: readonly TextPiece[], shown: readonly ShownMessage[]): PieceRange | undefined {
  const number = shown.findIndex(({ isAnswer }) => isAnswer)
  const isIts = ({ turn, control }: TextPiece) => turn === number && !control
  const start = pieces.findIndex(isIts)
  return start < 0 ? undefined : { start, end: pieces.findLastIndex(isIts) + 1 }
}

/** A prompt of these pieces, with the range of the answer. */
export function completion(
  texts: readonly TextPiece[],
  notes: readonly Note[],
  { want }: Ask,
  stop: readonly Stop[],
  bos: 'in-prompt' | 'tokenizer' | 'none',
  found?: PieceRange,
  media: readonly WrittenMedia[] = [],
): Prompt {
  const { pieces, moved } = placeMedia(texts, media)
  const atEnd = { start: pieces.length, end: pieces.length }
  const range = markedAnswer(texts) ?? found
  const answer = want === 'complete' ? range && { start: moved(range.start), end: moved(range.end) } : atEnd
  return { kind: 'completion', pieces, bos, stop, notes: distinctNotes(notes), ...(answer ? { answer } : {}) }
}
