import { valueError } from '../python-error.ts'
import { PyFloat, type PyValue } from './data.ts'
import { strip } from './strings.ts'

const decimals = /\p{Nd}/gu

const float = /^[+-]?(?:(?:\d+(?:_\d+)*)?\.?(?:\d+(?:_\d+)*)?(?:e[+-]?\d+(?:_\d+)*)?|inf(?:inity)?|nan)$/i

/**
 * Python's `float()`; undefined where it fails.
 * @example floatOf(' 1_000 ') // => 1000
 * @example floatOf('١٢') // => 12
 * @example floatOf('0x10') // => undefined
 */
export function floatOf(value: PyValue | undefined): number | undefined {
  if (typeof value === 'boolean' || typeof value === 'number') return Number(value)
  if (value instanceof PyFloat) return value.value
  if (typeof value === 'bigint') return Number.isFinite(Number(value)) ? Number(value) : undefined
  if (typeof value !== 'string') return undefined
  const text = asciiDigits(strip(value))
  if (!float.test(text) || !/\d|inf|nan/i.test(text) || /^[+-]?\.?e/i.test(text)) return undefined
  const plain = text.replaceAll('_', '').toLowerCase()
  if (plain.includes('nan')) return Number.NaN
  if (plain.includes('inf')) return plain.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return Number(plain)
}

/** Python's `int()`; undefined where it fails. */
export function intOf(value: PyValue | undefined): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'boolean') return BigInt(value)
  const number = value instanceof PyFloat ? value.value : value
  if (typeof number === 'number') return Number.isFinite(number) ? BigInt(Math.trunc(number)) : undefined
  return typeof value === 'string' ? parseInteger(value) : undefined
}

const prefixes: Readonly<Record<string, number>> = { '0b': 2, '0o': 8, '0x': 16 }

/** Python's `int(text, base)`; undefined where it fails. */
export function parseInteger(text: string, base = 10): bigint | undefined {
  const [, sign, body] = /^([-+]?)(\S+)$/.exec(asciiDigits(strip(text)).toLowerCase()) ?? []
  if (body === undefined) return undefined
  const prefix = prefixes[body.slice(0, 2)]
  const hasPrefix = prefix !== undefined && (base === prefix || base === 0)
  const radix = base === 0 ? (prefix ?? 10) : base
  const digits = hasPrefix ? body.slice(2).replace(/^_/, '') : body
  if (radix < 2 || radix > 36) return undefined
  const digit = `[${'0123456789abcdefghijklmnopqrstuvwxyz'.slice(0, radix)}]`
  if (!new RegExp(`^${digit}+(?:_${digit}+)*$`).test(digits)) return undefined
  const bare = digits.replaceAll('_', '')
  const literal = { 2: `0b${bare}`, 8: `0o${bare}`, 10: bare, 16: `0x${bare}` }[radix]
  const size = literal === undefined ? inRadix(bare, radix) : BigInt(literal)
  return sign === '-' ? -size : size
}

function inRadix(digits: string, radix: number): bigint {
  return [...digits].reduce((sum, digit) => sum * BigInt(radix) + BigInt(Number.parseInt(digit, 36)), 0n)
}

/** Decimal digits come in runs of ten, from zero up, in every script. */
function asciiDigits(text: string): string {
  return text.replace(decimals, (digit) => {
    const code = digit.codePointAt(0)!
    if (code < 0x80) return digit
    // The five mathematical sets of digits follow each other and do not begin at a multiple of ten.
    if (code >= 0x1d7ce && code <= 0x1d7ff) return String((code - 0x1d7ce) % 10)
    let zero = code
    while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--
    return String(code - zero)
  })
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
  throw valueError(`Exceeds the limit (${maxIntDigits} digits) for integer string conversion`)
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
 * Python's `round(number, digits)` of a float: the exact value, half to even.
 *
 * @example
 * pyRound(2.675, 2) // => 2.67
 */
export function pyRound(value: number, digits: number): number {
  return Number.isFinite(value)
    ? Number(`${value < 0 || Object.is(value, -0) ? '-' : ''}${formatFloat(Math.abs(value), 'f', digits)}`)
    : value
}

/**
 * NumPy's `round(number, digits)`, which scales the number first: half to even, but not of the exact value.
 *
 * @example
 * numpyRound(3.335, 2) // => 3.34
 */
export function numpyRound(value: number, digits: number): number {
  const scaled = value * 10 ** digits
  const below = Math.floor(scaled)
  const isUp = scaled - below > 0.5 || (scaled - below === 0.5 && below % 2 !== 0)
  return (isUp ? below + 1 : below) / 10 ** digits
}

/** A number's size, without its sign, in one of Python's float formats (`e E f F g G %`). */
export function formatFloat(size: number, type: string, precision: number, alternate = false): string {
  if (!Number.isFinite(size)) return spellInfinite(size, type)
  const lower = type.toLowerCase()
  const digits = lower === '%' ? `${fixed(size * 100, precision)}%` : lower === 'f' ? fixed(size, precision) : undefined
  const text = digits ?? (lower === 'e' ? exponent(size, precision) : general(size, precision === 0 ? 1 : precision, alternate))
  return type === 'E' || type === 'G' ? text.toUpperCase() : text
}

function spellInfinite(size: number, type: string): string {
  const text = Number.isNaN(size) ? 'nan' : 'inf'
  const sign = type === '%' ? '%' : ''
  return (type === type.toUpperCase() && type !== '%' ? text.toUpperCase() : text) + sign
}

/** Python rounds the exact value half to even; so does toFixed up to 100 digits, except that it breaks exact ties upwards. */
function fixed(size: number, precision: number): string {
  if (precision > 100) throw valueError('precision too big')
  if (size >= 1e21) return BigInt(size).toString() + (precision > 0 ? `.${'0'.repeat(precision)}` : '')
  const text = size.toFixed(precision)
  return isTie(size, precision) && /[13579]$/.test(text) ? stepDown(text) : text
}

/** Whether a value is exactly between two numbers of this many decimals: only dyadic fractions can be. */
function isTie(size: number, precision: number): boolean {
  if (precision > 22) return false
  const scaled = size * 2 * 10 ** precision
  return Number.isSafeInteger(scaled) && scaled % 2 === 1 && scaled / 2 / 10 ** precision === size && exactDecimals(size) === precision + 1
}

function exactDecimals(size: number): number {
  const text = size.toFixed(60).replace(/0+$/, '')
  return text.length - text.indexOf('.') - 1
}

function stepDown(text: string): string {
  return text.slice(0, -1) + String(Number(text.at(-1)) - 1)
}

/** As with `fixed`, toExponential breaks exact ties upwards where Python goes to the even digit. */
function exponent(size: number, precision: number): string {
  const places = Math.min(precision, 100)
  const [digits = '', power = ''] = size.toExponential(100).split('e')
  const kept = digits.slice(0, places === 0 ? 1 : places + 2)
  const isTie = /^\.?50*$/.test(digits.slice(kept.length))
  const text = isTie && /[02468]$/.test(kept) ? `${kept}e${power}` : size.toExponential(places)
  return text.replace(/(?<=e[+-])(?=\d$)/, '0')
}

function general(size: number, precision: number, alternate: boolean): string {
  const scientific = size === 0 ? 0 : Number(size.toExponential(Math.min(precision, 101) - 1).split('e')[1])
  const text =
    scientific < -4 || scientific >= precision ? exponent(size, precision - 1) : fixed(size, Math.max(0, precision - 1 - scientific))
  if (alternate || !text.includes('.')) return text
  return text.replace(/\.?0+(?=e|$)/, '')
}

/** The size of a number as `str()` shows it. */
export function unsignedNumber(value: number | bigint | PyFloat): string {
  return numberRepr(value).replace(/^-/, '')
}
