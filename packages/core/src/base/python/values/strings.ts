/**
 * Python's `str.strip()`: white space as Python sees it, or any of the characters given.
 * @example strip('\x1c a\ufeff ') // => 'a\ufeff'
 * @example strip('((A))', '()') // => 'A'
 */
export function strip(text: string, characters?: string): string {
  return text.slice(...strippedRange(text, characters))
}

export function stripStart(text: string, characters?: string): string {
  return text.slice(...strippedRange(text, characters, 'start'))
}

export function stripEnd(text: string, characters?: string): string {
  return text.slice(...strippedRange(text, characters, 'end'))
}

/** The range of a text between the white space, or other characters, at its start and end. */
export function strippedRange(text: string, characters?: string, side: 'both' | 'start' | 'end' = 'both'): [start: number, end: number] {
  const given = characters === undefined ? undefined : new Set(Array.from(characters, (character) => character.codePointAt(0)!))
  const isDropped = (code: number) => (given === undefined ? isSpace(code) : given.has(code))
  let start = 0
  let end = text.length
  if (side !== 'end') while (start < end && isDropped(text.codePointAt(start)!)) start += codePointWidth(text, start)
  while (side !== 'start' && end > start) {
    const last = end - 2 >= start && codePointWidth(text, end - 2) === 2 ? end - 2 : end - 1
    if (!isDropped(text.codePointAt(last)!)) break
    end = last
  }
  return [start, end]
}

/** Python's `str.split()` without a separator. */
export function splitSpace(text: string): string[] {
  return wordRanges(text).map(([start, end]) => text.slice(start, end))
}

/** The words of a text, as in `str.split()`; after `most` of them, from the left or the right, the rest is one word. */
export function wordRanges(value: string, most = Number.POSITIVE_INFINITY, fromRight = false): [start: number, end: number][] {
  const words: [number, number][] = []
  if (fromRight) {
    let end = value.length
    for (;;) {
      while (end > 0 && isSpace(value.charCodeAt(end - 1))) end--
      if (end === 0) return words.reverse()
      let start = end
      if (words.length >= most) start = 0
      else while (start > 0 && !isSpace(value.charCodeAt(start - 1))) start--
      words.push([start, end])
      end = start
    }
  }
  let start = 0
  for (;;) {
    while (start < value.length && isSpace(value.charCodeAt(start))) start++
    if (start === value.length) return words
    let end = start
    if (words.length >= most) end = value.length
    else while (end < value.length && !isSpace(value.charCodeAt(end))) end++
    words.push([start, end])
    start = end
  }
}

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

/** Whether Python's `str.isspace` holds for a UTF-16 unit; all of Python's white space is in the BMP. */
export function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 9 && code <= 13) || (code >= 0x1c && code <= 0x1f)
  if (code < 0x1680) return code === 0x85 || code === 0xa0
  return (
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  )
}

/** The offset of the first unit from `at` that is not white space. */
export function skipSpace(text: string, at: number): number {
  let end = at
  while (end < text.length && isSpace(text.charCodeAt(end))) end++
  return end
}

/** The offset after the last unit that is not white space. */
export function trimmedEnd(text: string): number {
  return strippedRange(text, undefined, 'end')[1]
}

const surrogates = /[\ud800-\udfff]/

/** Whether positions in UTF-16 units differ from Python's, which count code points. */
export function hasPairs(text: string): boolean {
  return surrogates.test(text)
}

export function lengthOf(text: string): number {
  if (!hasPairs(text)) return text.length
  let length = 0
  for (let at = 0; at < text.length; length++) at += codePointWidth(text, at)
  return length
}

/** The UTF-16 offset of the code point with this number; the length of the text for numbers beyond. */
export function offsetOf(text: string, index: number): number {
  if (!hasPairs(text)) return Math.min(index, text.length)
  let at = 0
  for (let count = 0; count < index && at < text.length; count++) at += codePointWidth(text, at)
  return at
}

/** The number of the code point at a UTF-16 offset. */
export function indexOfOffset(text: string, offset: number): number {
  return lengthOf(text.slice(0, offset))
}

export function codePointWidth(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code < 0xd800 || code > 0xdbff) return 1
  const next = text.charCodeAt(at + 1)
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1
}

/**
 * Python's `repr()` of a string.
 * @example stringRepr("it's") // => `"it's"`
 */
export function stringRepr(text: string): string {
  if (!special.test(text)) return `'${text}'`
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  return quote + escapeInRepr(text, quote) + quote
}

/** A part of a string, escaped as in the `repr()` of the whole, which chooses the quote. */
export function escapeInRepr(text: string, quote: string): string {
  const escaped = text.replace(unprintable, escapeCharacter)
  return quote === "'" ? escaped.replaceAll("'", "\\'") : escaped
}

/** Anything but printable ASCII without quote and backslash: most strings have none and need no second look. */
const special = /[^ -&(-[\]-~]/

// The categories of str.isprintable: https://docs.python.org/3/library/stdtypes.html#str.isprintable
// They come with the JavaScript engine: a character newer than Python 3.11's Unicode 14 is escaped there and may not be here.
const unprintable = /(?! )[\\\p{C}\p{Z}]/gu

const shortEscapes = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

function escapeCharacter(character: string): string {
  const short = shortEscapes.get(character)
  if (short !== undefined) return short
  const hex = character.codePointAt(0)!.toString(16)
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

export function asciiOnly(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, (character) => {
    const code = character.codePointAt(0)!
    if (code < 0x100) return `\\x${code.toString(16)}`
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`
  })
}
