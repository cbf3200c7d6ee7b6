import type { Piece } from '../../../packages/core/src/base/text/index.ts'
import { joined } from './new-prompt.ts'
import type { MlcVector } from './vector.ts'
import { windowOf } from './window.ts'

type Window = { sent: unknown; tokens: number; shifted: boolean; warned: boolean }

/**
 * What MLC of 2024-03 sends for a chat whose window fills up, with the system text once. Counts bytes and decides on its own; undefined
 * if no reply fits.
 */
export function promisedWindow(vector: MlcVector): Window | undefined {
  const { chat } = windowOf(vector)
  const { total_seq_len: used, max_window_size: size, mean_gen_len: reply, shift_fill_factor: share } = vector.window!
  const whole = [...chat.prefix, ...chat.all.flat()]
  const next = used === 0 ? whole : chat.lastRound
  if (used + length(next) + reply < size) return { sent: joined(next), tokens: length(next), shifted: false, warned: false }
  // From the end backwards: the first message with which the conversation fills its share of the window, and which leaves a round behind it.
  const sizes = chat.all.map(length)
  const sum = (from: number) => sizes.slice(from).reduce((all, one) => all + one, sizes[0] ?? 0)
  const from = sizes.findLastIndex((_, index) => index >= 1 && index < sizes.length - 2 && sum(index) >= share * size)
  const head = chat.hasSystem ? chat.all.slice(0, 1) : []
  const pieces = [...chat.prefix, ...(from < 0 ? chat.all : [...head, ...chat.all.slice(from)]).flat()]
  const tokens = length(pieces)
  if (tokens < size) return { sent: joined(pieces), tokens, shifted: true, warned: tokens + reply >= size }
  if (reply >= size) return undefined
  const bytes = new Uint8Array(pieces.flatMap((piece) => ('ids' in piece ? [] : [...new TextEncoder().encode(textOf(piece))])))
  const end = new TextDecoder().decode(bytes.slice(Math.max(0, bytes.length - (size - reply))))
  return { sent: end === '' ? [] : [end], tokens: new TextEncoder().encode(end).length, shifted: true, warned: true }
}

function textOf(piece: Piece): string {
  return 'text' in piece ? piece.text : ''
}

/** Each byte is a token in these vectors. */
function length(pieces: readonly Piece[]): number {
  return pieces.reduce((all, piece) => all + ('ids' in piece ? piece.ids.length : new TextEncoder().encode(textOf(piece)).length), 0)
}
