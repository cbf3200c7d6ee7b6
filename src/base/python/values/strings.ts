const space = /[\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/

/**
 * Python's `str.strip()`: white space as Python sees it, or any of the characters given.
 * @example strip('\x1c a\ufeff ') // => 'a\ufeff'
 * @example strip('((A))', '()') // => 'A'
 */
export function strip(text: string, characters?: string): string {
  return stripEnd(stripStart(text, characters), characters)
}

export function stripStart(text: string, characters?: string): string {
  const drop = dropOf(characters)
  let from = 0
  for (const character of text) {
    if (!drop(character)) break
    from += character.length
  }
  return text.slice(from)
}

export function stripEnd(text: string, characters?: string): string {
  const drop = dropOf(characters)
  let to = text.length
  while (to > 0) {
    const width = to > 1 && isTail(text.charCodeAt(to - 1)) && isHead(text.charCodeAt(to - 2)) ? 2 : 1
    if (!drop(text.slice(to - width, to))) break
    to -= width
  }
  return text.slice(0, to)
}

function isTail(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

function isHead(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function dropOf(characters: string | undefined): (character: string) => boolean {
  if (characters === undefined) return (character) => space.test(character)
  const set = new Set(characters)
  return (character) => set.has(character)
}

/** Python's `str.split()` without a separator. */
export function splitSpace(text: string): string[] {
  return text.split(/[\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/).filter((part) => part !== '')
}

/** Python's `str.isupper()` of one character: `Ⓐ` is, `ǅ` (title case) is not. */
export function isUpper(character: string): boolean {
  return /^\p{Uppercase}$/u.test(character)
}

/** Digits that are not decimals: superscripts, circled and the like, which `int()` refuses. */
const digitsBesideDecimals =
  '\\xb2\\xb3\\xb9\\u1369-\\u1371\\u19da\\u2070\\u2074-\\u2079\\u2080-\\u2089\\u2460-\\u2468\\u2474-\\u247c\\u2488-\\u2490\\u24ea\\u24f5-\\u24fd\\u24ff\\u2776-\\u277e\\u2780-\\u2788\\u278a-\\u2792\\u{10a40}-\\u{10a43}\\u{10e60}-\\u{10e68}\\u{11052}-\\u{1105a}\\u{1f100}-\\u{1f10a}'

const allDigits = new RegExp(`^[\\p{Nd}${digitsBesideDecimals}]+$`, 'u')

/** Python's `str.isdigit()`: also of `²`; not of an empty text. */
export function isDigit(text: string): boolean {
  return allDigits.test(text)
}

/**
 * Python's `str.casefold()`.
 * @example casefold('STRAẞE') // => 'strasse'
 */
export function casefold(text: string): string {
  let folded = ''
  for (const character of text) folded += foldOne(character)
  return folded
}

function foldOne(character: string): string {
  const code = character.codePointAt(0)!
  if (code < 0x80) return character.toLowerCase()
  if (character === 'ı') return character
  // Cherokee is the one script that folds to its capitals.
  if (code >= 0x13a0 && code <= 0x13f5) return character
  if (code >= 0x13f8 && code <= 0x13fd) return String.fromCodePoint(code - 8)
  if (code >= 0xab70 && code <= 0xabbf) return String.fromCodePoint(code - 0xab70 + 0x13a0)
  return character.toLowerCase().toUpperCase().toLowerCase()
}

/** Python's `str.capitalize()`, for words. */
export function capitalize(text: string): string {
  const [first = '', ...rest] = text
  return first.toUpperCase() + rest.join('').toLowerCase()
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
  let end = text.length
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
  return end
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

const every = (pattern: RegExp) => (value: string) => value !== '' && pattern.test(value)

/** The `is…` methods of Python's `str`. Categories come with the JavaScript engine's Unicode version. */
export const characterTests: Readonly<Record<string, (value: string) => boolean>> = {
  isalnum: every(/^[\p{L}\p{N}]+$/u),
  isalpha: every(/^\p{L}+$/u),
  isascii: (value) => !/[^\0-\x7f]/.test(value),
  isdecimal: every(/^\p{Nd}+$/u),
  isdigit: every(/^[\p{Nd}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490]+$/u),
  isidentifier: every(/^[\p{ID_Start}_][\p{ID_Continue}]*$/u),
  isnumeric: every(/^\p{N}+$/u),
  isprintable: (value) => !/(?! )[\p{C}\p{Z}]/u.test(value),
  isspace: (value) => value !== '' && [...value].every((character) => character.length === 1 && isSpace(character.charCodeAt(0))),
  islower: (value) => /\p{Lowercase}/u.test(value) && !/[\p{Uppercase}\p{Lt}]/u.test(value),
  isupper: (value) => /\p{Uppercase}/u.test(value) && !/[\p{Lowercase}\p{Lt}]/u.test(value),
  istitle(value) {
    let inWord = false
    let any = false
    for (const character of value) {
      if (/[\p{Uppercase}\p{Lt}]/u.test(character)) {
        if (inWord) return false
        inWord = true
        any = true
      } else if (/\p{Lowercase}/u.test(character)) {
        if (!inWord) return false
        any = true
      } else inWord = false
    }
    return any
  },
}
