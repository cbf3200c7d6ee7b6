import { mayCome, mayComeEscaped, type StateSet } from '../text/state-set.ts'

/** A partially read character. */
export type HalfCharacter = {
  /** The bits of its code point so far, the number of bytes to come, and the number of bytes after the first. */
  code: number
  left: number
  size: number
  /** The beginning of an escape in a JSON string; empty if the character is not escaped. */
  spelt: string
}

/** The result of a byte: a whole character, or part of one. */
export type ByteRead = { whole: number; isEscaped: boolean } | { half: HalfCharacter }

const noBytes = { code: 0, left: 0, size: 0 }
const backslash = 0x5c

/** Reads the first byte of a character of a text: a backslash may be literal, or begin an escape. */
export function beginCharacter(set: StateSet, byte: number): ByteRead[] {
  if (byte < 0x80) {
    const whole: ByteRead = { whole: byte, isEscaped: false }
    return byte === backslash && canEscape(set, '\\') ? [whole, { half: { ...noBytes, spelt: '\\' } }] : [whole]
  }
  const left = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1
  if (byte < 0xc2 || byte > 0xf4) return []
  return withMore(set, { code: byte & (0x3f >> left), left, size: left, spelt: '' })
}

/** Reads one more byte. */
export function goOnCharacter(set: StateSet, half: HalfCharacter, byte: number): ByteRead[] {
  if (half.spelt !== '') return goOnEscape(set, half, byte)
  if (byte < 0x80 || byte > 0xbf) return []
  const code = (half.code << 6) | (byte & 0x3f)
  return withMore(set, { ...half, code, left: half.left - 1 })
}

/** The smallest code point by the number of bytes after the first: shorter encodings are mandatory. */
const smallest = [0, 0x80, 0x800, 0x10000]

/** Whether any allowed character begins with these bytes. */
function withMore(set: StateSet, half: HalfCharacter): ByteRead[] {
  const bits = 6 * half.left
  const first = Math.max(half.code << bits, smallest[half.size]!)
  const last = (half.code << bits) + (1 << bits) - 1
  if (first > last || !mayCome(set, first, last)) return []
  return half.left === 0 ? [{ whole: half.code, isEscaped: false }] : [{ half }]
}

/** The escape sequences of a JSON string. */
const escapes: ReadonlyMap<number, string> = new Map([
  ...Array.from({ length: 0x20 }, (_, code): [number, string] => [code, JSON.stringify(String.fromCharCode(code)).slice(1, -1)]),
  [0x22, '\\"'],
  [backslash, '\\\\'],
])

function goOnEscape(set: StateSet, half: HalfCharacter, byte: number): ByteRead[] {
  const spelt = half.spelt + String.fromCharCode(byte)
  for (const [code, spelling] of escapes) if (spelling === spelt) return [{ whole: code, isEscaped: true }]
  return canEscape(set, spelt) ? [{ half: { ...half, spelt } }] : []
}

function canEscape(set: StateSet, spelt: string): boolean {
  for (const [code, spelling] of escapes) if (spelling.startsWith(spelt) && mayComeEscaped(set, code)) return true
  return false
}
