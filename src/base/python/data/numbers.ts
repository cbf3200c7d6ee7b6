import { strip } from './text.ts'
import { PyFloat, type PyValue } from './value.ts'

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
  if (typeof value !== 'string') return undefined
  const text = asciiDigits(strip(value))
  if (!/^[+-]?\d+(?:_\d+)*$/.test(text)) return undefined
  const digits = text.replaceAll('_', '').replace(/^\+/, '')
  return digits.startsWith('-') ? -BigInt(digits.slice(1)) : BigInt(digits)
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
