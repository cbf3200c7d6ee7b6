import type { MediaPiece, Piece, TextPiece } from '../../../base/text/index.ts'

/** Media of a message, what the template or engine wrote for them, and the turn they belong to. */
export type WrittenMedia = { piece: MediaPiece; placeholder: string; turn: number }

/**
 * Puts media into a prompt, each after its placeholder, so that whatever shows or sends the prompt knows of them. Media without
 * such a text come after the last piece of their turn. `moved` gives the new index of a piece.
 */
export function placeMedia(
  pieces: readonly TextPiece[],
  media: readonly WrittenMedia[],
): { pieces: readonly Piece[]; moved(index: number): number } {
  if (media.length === 0) return { pieces, moved: (index) => index }
  const after = new Map<number, { offset: number; media: MediaPiece }[]>()
  let at = 0
  let from = 0
  for (const { piece, placeholder, turn } of media) {
    const found = placeholder === '' ? undefined : findMark(pieces, placeholder, at, from)
    const index = found?.index ?? pieces.findLastIndex((one) => one.turn === turn)
    const offset = found?.end ?? pieces[index]?.text.length ?? 0
    after.set(index, [...(after.get(index) ?? []), { offset, media: { ...piece, turn } }])
    if (found) [at, from] = [found.index, found.end]
  }
  const starts: number[] = []
  const placed: Piece[] = (after.get(-1) ?? []).map((one) => one.media)
  for (const [index, piece] of pieces.entries()) {
    starts.push(placed.length)
    placed.push(...cut(piece, after.get(index) ?? []))
  }
  return { pieces: placed, moved: (index) => starts[index] ?? placed.length }
}

/** The next occurrence of a text in what the format wrote. */
function findMark(pieces: readonly TextPiece[], mark: string, at: number, from: number): { index: number; end: number } | undefined {
  for (let index = at; index < pieces.length; index++) {
    const { text, control } = pieces[index]!
    const found = control ? text.indexOf(mark, index === at ? from : 0) : -1
    if (found >= 0) return { index, end: found + mark.length }
  }
  return undefined
}

function cut(piece: TextPiece, media: readonly { offset: number; media: MediaPiece }[]): Piece[] {
  if (media.length === 0) return [piece]
  let at = 0
  const parts: Piece[] = []
  for (const { offset, media: one } of media) {
    if (offset > at) parts.push(sliced(piece, at, offset))
    parts.push(one)
    at = Math.max(at, offset)
  }
  return at < piece.text.length ? [...parts, sliced(piece, at, piece.text.length)] : parts
}

function sliced(piece: TextPiece, start: number, end: number): TextPiece {
  const { span } = piece.source
  const source = span === undefined ? piece.source : { ...piece.source, span: [span[0] + start, span[0] + end] as const }
  return { ...piece, text: piece.text.slice(start, end), source }
}
