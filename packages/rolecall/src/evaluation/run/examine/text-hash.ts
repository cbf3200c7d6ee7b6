/** 53 bits of a text, to recognise equal texts without keeping them; faster than a cryptographic hash. */
export function hashText(text: string): number {
  let first = 0xdeadbeef
  let second = 0x41c6ce57
  const even = text.length & ~1
  for (let at = 0; at < even; at += 2) {
    const codes = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)
    first = Math.imul(first ^ codes, 2654435761)
    second = Math.imul(second ^ codes, 1597334677)
  }
  if (even < text.length) {
    first = Math.imul(first ^ text.charCodeAt(even), 2654435761)
    second = Math.imul(second ^ text.charCodeAt(even), 1597334677)
  }
  first = Math.imul(first ^ (first >>> 16), 2246822507) ^ Math.imul(second ^ (second >>> 13), 3266489909)
  second = Math.imul(second ^ (second >>> 16), 2246822507) ^ Math.imul(first ^ (first >>> 13), 3266489909)
  return 4294967296 * (2097151 & second) + (first >>> 0)
}

/** The hash of a list of texts, from those before the last and that of the last. */
export function joinHashes(before: number, last: number): number {
  return ((before % 2 ** 47) * 31 + last) % 9007199254740881
}
