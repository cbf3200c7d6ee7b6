import { textOf } from './join.ts'
import type { Piece, TextPiece } from './piece.ts'

/** The part of some text pieces from one offset of their joined text to another. */
export function slicePieces(pieces: readonly TextPiece[], start: number, end: number): TextPiece[] {
  const sliced: TextPiece[] = []
  let offset = 0
  for (const piece of pieces) {
    const from = Math.max(start - offset, 0)
    const to = Math.min(end - offset, piece.text.length)
    offset += piece.text.length
    if (from >= to) continue
    sliced.push(from === 0 && to === piece.text.length ? piece : cutPiece(piece, from, to))
  }
  return sliced
}

/** The replacement of an occurrence; it may depend on the origin. */
type Replacement = readonly TextPiece[] | ((found: readonly TextPiece[]) => readonly TextPiece[])

/**
 * As `str.replace` over the joined text of some pieces, every occurrence, keeping who wrote what; an occurrence may span
 * several pieces. An empty needle matches before every character and at the end, as in Python.
 */
export function replaceText(pieces: readonly TextPiece[], needle: string, replacement: Replacement): TextPiece[] {
  const replace = typeof replacement === 'function' ? replacement : () => replacement
  const text = textOf(pieces)
  const found = needle === '' ? everyGap(text) : occurrences(text, needle)
  if (found.length === 0) return [...pieces]
  const replaced: TextPiece[] = []
  let last = 0
  for (const at of found) {
    replaced.push(...slicePieces(pieces, last, at), ...replace(slicePieces(pieces, at, at + needle.length)))
    last = at + needle.length
  }
  replaced.push(...slicePieces(pieces, last, text.length))
  return replaced
}

/** Only the text pieces: for content in which ids or images cannot stand. */
export function isText(piece: Piece): piece is TextPiece {
  return 'text' in piece
}

function cutPiece(piece: TextPiece, from: number, to: number): TextPiece {
  const span = piece.source.span
  // A span holds offsets in the text at `path`; it can be narrowed only while the piece still is that text, unchanged.
  const narrowed = span && span[1] - span[0] === piece.text.length ? ([span[0] + from, span[0] + to] as const) : span
  return { ...piece, text: piece.text.slice(from, to), source: narrowed ? { ...piece.source, span: narrowed } : piece.source }
}

function occurrences(text: string, needle: string): number[] {
  const found: number[] = []
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) found.push(at)
  return found
}

function everyGap(text: string): number[] {
  const gaps = [0]
  for (const character of text) gaps.push(gaps[gaps.length - 1]! + character.length)
  return gaps
}
