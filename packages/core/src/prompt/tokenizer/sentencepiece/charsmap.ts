/** The replacement of the text at a position, and the length of the replaced text (UTF-16 units). */
export type Replacement = { text: string; length: number }

/** Finds the longest entry of a charsmap at a position of a text. */
export type FindReplacement = (text: string, at: number) => Replacement | undefined

/**
 * Reads a precompiled charsmap: the size of a trie (32 bits, little-endian), the trie from UTF-8 to offsets, and the
 * texts at these offsets, each ended by a zero byte. The trie is a double array as Darts-clone writes it, one 32-bit unit
 * per node: https://github.com/s-yata/darts-clone/blob/master/include/darts.h
 */
export function readCharsmap(blob: Uint8Array, fail: (problem: string) => never): FindReplacement {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength)
  const trieSize = blob.length < 4 ? 0 : view.getUint32(0, true)
  if (trieSize === 0 || trieSize % 4 !== 0 || trieSize + 4 >= blob.length) fail('its precompiled charsmap is damaged')
  const units = Uint32Array.from({ length: trieSize / 4 }, (_, index) => view.getUint32(4 + index * 4, true))
  const texts = blob.subarray(4 + trieSize)
  const decoded = new Map<number, string>()

  let node = 0
  let value = -1

  /** Descends by one byte; afterwards `value` is that of the key that ends here, or -1. */
  function step(byte: number): boolean {
    const child = node ^ byte
    const unit = units[child]
    // The highest bit marks a value, not a child; no key has a zero byte.
    if (unit === undefined || byte === 0 || (unit & 0x800000ff) !== byte) return false
    node = child ^ offsetOf(unit)
    value = (unit & 0x100) === 0 ? -1 : (units[node] ?? 0) & 0x7fffffff
    return true
  }

  function stepCharacter(code: number): boolean {
    if (code < 0x80) return step(code)
    if (code < 0x800) return step(0xc0 | (code >> 6)) && step(0x80 | (code & 0x3f))
    const last = 0x80 | (code & 0x3f)
    const beforeLast = 0x80 | ((code >> 6) & 0x3f)
    if (code < 0x10000) return step(0xe0 | (code >> 12)) && step(beforeLast) && step(last)
    return step(0xf0 | (code >> 18)) && step(0x80 | ((code >> 12) & 0x3f)) && step(beforeLast) && step(last)
  }

  function textAt(offset: number): string {
    let text = decoded.get(offset)
    if (text === undefined) {
      const end = texts.indexOf(0, offset)
      text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(texts.subarray(offset, end < 0 ? undefined : end))
      decoded.set(offset, text)
    }
    return text
  }

  return (text, at) => {
    node = offsetOf(units[0]!)
    let longest = -1
    let length = 0
    for (let next = at; next < text.length; ) {
      const code = text.codePointAt(next)!
      if (!stepCharacter(code)) break
      next += code > 0xffff ? 2 : 1
      if (value < 0) continue
      longest = value
      length = next - at
    }
    return length === 0 ? undefined : { text: textAt(longest), length }
  }
}

/** How far the children of a node are from it; bit 9 says that the offset is in steps of 256. */
function offsetOf(unit: number): number {
  return (unit & 0x200) === 0 ? unit >>> 10 : (unit >>> 10) << 8
}
