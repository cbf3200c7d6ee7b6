import { dictEntries, isDict, isList, maxDepth, PyFloat, type PyValue, tooDeep, unsupportedType } from './value.ts'

/**
 * The text of Python 3.11's `repr()`; `undefined` counts as None.
 * @example pyRepr([1, 'a', null, { ok: true }]) // => "[1, 'a', None, {'ok': True}]"
 */
export function pyRepr(value: PyValue | undefined): string {
  return write(value, [])
}

/** `ancestors` are the lists and dicts being written, outermost first. */
function write(value: PyValue | undefined, ancestors: object[]): string {
  if (typeof value === 'string') return stringRepr(value)
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof PyFloat) return numberRepr(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value === null || value === undefined) return 'None'
  const list = isList(value)
  if (!list && !isDict(value)) throw unsupportedType(value)
  if (ancestors.includes(value)) return list ? '[...]' : '{...}'
  if (ancestors.length >= maxDepth) throw new Error(`cannot show a value that is ${tooDeep}`)
  ancestors.push(value)
  const text = list
    ? // Array.from, unlike map, also visits the holes of a sparse array.
      `[${Array.from(value, (item) => write(item, ancestors)).join(', ')}]`
    : `{${dictEntries(value)
        .map(([key, item]) => `${stringRepr(key)}: ${write(item, ancestors)}`)
        .join(', ')}}`
  ancestors.pop()
  return text
}

/**
 * The text of Python 3.11's `str()`, which is what a template shows for a value; `undefined` counts as None.
 * @example pyStr('a') // => 'a'
 * @example pyStr(['a', true]) // => "['a', True]"
 */
export function pyStr(value: PyValue | undefined): string {
  // Almost all values that templates show are strings, and most others numbers.
  if (typeof value === 'string') return value
  return typeof value === 'number' ? numberRepr(value) : pyRepr(value)
}

/** Python refuses to turn longer ints into text or back, as that takes quadratic time (sys.set_int_max_str_digits). */
export const maxIntDigits = 4300

/** Python's `repr()` of an int or a float. */
export function numberRepr(value: number | bigint | PyFloat): string {
  if (value instanceof PyFloat) return floatRepr(value.value)
  if (typeof value === 'bigint') return bigintRepr(value)
  if (Number.isSafeInteger(value)) return String(value)
  // String() of a large number rounds its last digits; an int shows all of them.
  return Number.isInteger(value) ? BigInt(value).toString() : floatRepr(value)
}

function bigintRepr(value: bigint): string {
  const text = value.toString()
  if (text.length - (value < 0n ? 1 : 0) <= maxIntDigits) return text
  throw new Error(`an int of more than ${maxIntDigits} digits cannot be turned into text (Python's limit)`)
}

/** JavaScript and Python find the same shortest digits; they differ in when to use an exponent and how to write it. */
function floatRepr(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  const size = Math.abs(value)
  if (size === Infinity) return value < 0 ? '-inf' : 'inf'
  if (size === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  if (size < 1e-4 || size >= 1e16) return value.toExponential().replace(/(?<=e[+-])(?=\d$)/, '0') // at least two digits
  return Number.isInteger(value) ? `${value}.0` : String(value)
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
