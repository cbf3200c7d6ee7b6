/** Maps UTF-16 offsets to offsets in code points. */
export function codePointOffsets(text: string): Uint32Array {
  const offsets = new Uint32Array(text.length + 1)
  let count = 0
  for (let at = 0; at < text.length; at++) {
    offsets[at] = count
    const code = text.charCodeAt(at)
    const isHalf = code >= 0xd800 && code < 0xdc00 && at + 1 < text.length && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
    if (!isHalf) count++
  }
  offsets[text.length] = count
  return offsets
}
