import type { Piece } from './piece.ts'

/**
 * The text of some pieces; token ids and media have none.
 *
 * @example
 * textOf([control('USER: ', { by: 'format', path: 'begin' }), plain('Hi', { by: 'field', path: 'question' })]) // => 'USER: Hi'
 */
export function textOf(pieces: readonly Piece[]): string {
  let text = ''
  for (const piece of pieces) if ('text' in piece) text += piece.text
  return text
}

const encoder = new TextEncoder()

/**
 * The UTF-8 bytes of the joined text. They are those of the whole string, also where two pieces split a surrogate pair,
 * which encoding piece by piece would turn into two replacement characters.
 */
export function bytesOf(pieces: readonly Piece[]): Uint8Array {
  return encoder.encode(textOf(pieces))
}
