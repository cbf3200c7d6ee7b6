/**
 * Orders strings as Python does, by code point; JavaScript's `<` goes by UTF-16 unit and puts '😀' before 'ﬀ'.
 * Negative when `a` comes first, zero when they are equal, for `sort`.
 */
export function compareCodePoints(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at++
  if (at === end) return a.length - b.length
  // Where they differ may be the second half of a surrogate pair, whose code point starts one unit earlier; in all other
  // cases the code points there are equal.
  return (at > 0 ? codePoint(a, at - 1) - codePoint(b, at - 1) : 0) || codePoint(a, at) - codePoint(b, at)
}

function codePoint(text: string, at: number): number {
  return text.codePointAt(at) ?? -1
}
