import type { Edge } from '../text/automaton.ts'
import { type CharacterSet, hasCharacter, meets } from '../text/character-set.ts'

/** A character of which some bytes were read, for one edge of an automaton. */
export type HalfCharacter = {
  /** The number of the edge. */
  edge: number
  /** The bits of its code point so far, how many bytes are still to come, and how many come after the first in all. */
  code: number
  left: number
  size: number
  /** The beginning of an escape in a JSON string; empty where the character is written as it is. */
  spelt: string
}

/** What a byte leads to: the whole character, some of it, or nothing. */
export type ByteRead = 'whole' | HalfCharacter | undefined

const noBytes = { code: 0, left: 0, size: 0 }
const backslash = 0x5c

/** Reads the first byte of a character for an edge. */
export function beginCharacter({ set, spelling }: Edge, edge: number, byte: number): ByteRead {
  if (byte < 0x80) {
    if (spelling === 'json' && (byte < 0x20 || byte === 0x22 || byte === backslash)) {
      return byte === backslash && canEscape(set, '\\') ? { edge, ...noBytes, spelt: '\\' } : undefined
    }
    return hasCharacter(set, byte) ? 'whole' : undefined
  }
  const left = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1
  if (byte < 0xc2 || byte > 0xf4) return undefined
  return withMore(set, { edge, code: byte & (0x3f >> left), left, size: left, spelt: '' })
}

/** Reads one more byte. */
export function goOnCharacter({ set }: Edge, half: HalfCharacter, byte: number): ByteRead {
  if (half.spelt !== '') return goOnEscape(set, half, byte)
  if (byte < 0x80 || byte > 0xbf) return undefined
  const code = (half.code << 6) | (byte & 0x3f)
  return withMore(set, { ...half, code, left: half.left - 1 })
}

/** The smallest code point with so many bytes after the first: what fits into fewer is written with fewer. */
const smallest = [0, 0x80, 0x800, 0x10000]

/** Whether any character of the set begins with these bytes. */
function withMore(set: CharacterSet, half: HalfCharacter): ByteRead {
  const bits = 6 * half.left
  const first = Math.max(half.code << bits, smallest[half.size]!)
  const last = (half.code << bits) + (1 << bits) - 1
  if (first > last || !meets(set, first, last)) return undefined
  return half.left === 0 ? 'whole' : half
}

/** How a JSON string spells what cannot stand in it as it is. */
const escapes: ReadonlyMap<number, string> = new Map([
  ...Array.from({ length: 0x20 }, (_, code): [number, string] => [code, JSON.stringify(String.fromCharCode(code)).slice(1, -1)]),
  [0x22, '\\"'],
  [backslash, '\\\\'],
])

function goOnEscape(set: CharacterSet, half: HalfCharacter, byte: number): ByteRead {
  const spelt = half.spelt + String.fromCharCode(byte)
  for (const [code, spelling] of escapes) if (spelling === spelt && hasCharacter(set, code)) return 'whole'
  return canEscape(set, spelt) ? { ...half, spelt } : undefined
}

function canEscape(set: CharacterSet, spelt: string): boolean {
  for (const [code, spelling] of escapes) if (spelling.startsWith(spelt) && hasCharacter(set, code)) return true
  return false
}
