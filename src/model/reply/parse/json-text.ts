// JSON character by character, for scanners that read it while it arrives.

/** The white space of JSON. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

export function passSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text.charCodeAt(at))) at++
  return at
}

/** As `text.slice`, without the cost where that is all of it: most pieces of a stream are used whole. */
export function sliceOf(text: string, from: number, to: number): string {
  return from === 0 && to === text.length ? text : text.slice(from, to)
}

/** A character of a number or of `true`, `false` and `null`. */
export function mayBeScalar(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e
}

export const quoteKind = 1
export const openKind = 2
export const closeKind = 3
export const numberKind = 4
export const markKind = 5
/** What a character is outside strings, by its code; 0: nothing that counts. The last entry is for all beyond ASCII. */
export const kinds = new Uint8Array(129)
for (const [characters, kind] of [
  ['"', quoteKind],
  ['{[', openKind],
  ['}]', closeKind],
  ['0123456789.-eE', numberKind],
] as const)
  for (const character of characters) kinds[character.charCodeAt(0)] = kind

// Strings as JSON writes them, by where they stand in a text.

/** A key may be written with escapes. One that is not a JSON string makes the whole object malformed, which is found later. */
export function readKey(written: string): string | undefined {
  if (!written.includes('\\')) return written.slice(1, -1)
  try {
    return JSON.parse(written) as string
  } catch {
    return undefined
  }
}

/** Behind the quote that closes a string; -1 if it is not there. */
export function endOfString(text: string, from: number, limit: number): number {
  // Most strings are short, for which a loop is faster than a search.
  const near = Math.min(limit, from + 12)
  let at = from
  while (at < near) {
    const code = text.charCodeAt(at++)
    if (code === quote) return at
    if (code === backslash) at++
  }
  if (at >= limit) return -1
  for (let end = text.indexOf('"', at); end >= 0 && end < limit; end = text.indexOf('"', end + 1))
    if (backslashesBefore(text, end, at) % 2 === 0) return end + 1
  return -1
}

export function backslashesBefore(text: string, end: number, from: number): number {
  let at = end
  while (at > from && text.charCodeAt(at - 1) === backslash) at--
  return end - at
}

const quote = 0x22
const backslash = 0x5c
