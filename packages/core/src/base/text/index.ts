export { bytesOf, textOf } from './join.ts'
export type { IdsPiece, Media, MediaPiece, Piece, PieceRange, Source, TextPiece } from './piece.ts'
export { control, plain } from './piece.ts'
export { isText, replaceText, slicePieces } from './replace.ts'
