import type { Piece, PieceRange } from '../../base/text/index.ts'

/** From the first to the last piece that the template marked as the answer. */
export function markedAnswer(pieces: readonly Piece[]): PieceRange | undefined {
  const start = pieces.findIndex((piece) => piece.answer)
  return start < 0 ? undefined : { start, end: pieces.findLastIndex((piece) => piece.answer) + 1 }
}
