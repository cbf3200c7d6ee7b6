/**
 * Python's `repr()` of a string.
 * @example stringRepr("it's") // => `"it's"`
 */
export function stringRepr(text: string): string {
  if (!special.test(text)) return `'${text}'`
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  return quote + escapeInRepr(text, quote) + quote
}

/** A part of a string as it stands in the `repr()` of the whole, which chooses the quote. */
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
