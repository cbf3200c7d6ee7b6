// Strings as JSON writes them, by where they stand in a text.

/** A key may be written with escapes. One that is no JSON string makes the whole object malformed, which is found later. */
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
