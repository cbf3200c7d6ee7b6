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
