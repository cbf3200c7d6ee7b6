import type { Value } from '@rolecall/core/internal/python'
import { pyFloat } from '@rolecall/core/internal/python'

/**
 * The value of an unquoted YAML 1.1 scalar, as PyYAML resolves it: `yes` is true, `010` is 8, `1:30` is 90, and `1e-3`, which
 * has no dot, is text. Undefined for "=", which PyYAML refuses. https://yaml.org/type/
 */
export function plainScalar(text: string): Value | undefined {
  if (nulls.has(text)) return null
  const truth = booleans.get(text)
  if (truth !== undefined) return truth
  // Fast path: most words are neither numbers nor dates, which all start with one of these characters.
  if (!/^[-+.\d=]/.test(text)) return text
  if (text === '=') return undefined
  if (ints.test(text)) return intOf(text.replaceAll('_', ''))
  if (floats.test(text)) return pyFloat(floatOf(text.replaceAll('_', '').toLowerCase()))
  return text
}

const nulls = new Set(['', '~', 'null', 'Null', 'NULL'])
const cases = (word: string) => [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()]
const booleans = new Map([
  ...['yes', 'true', 'on'].flatMap(cases).map((word) => [word, true] as const),
  ...['no', 'false', 'off'].flatMap(cases).map((word) => [word, false] as const),
])
const ints = /^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][\d_]*)|[-+]?0x[\da-fA-F_]+|[-+]?[1-9][\d_]*(?::[0-5]?\d)+)$/
const floats =
  /^(?:[-+]?\d[\d_]*\.[\d_]*(?:[eE][-+]\d+)?|\.\d[\d_]*(?:[eE][-+]\d+)?|[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/

function intOf(text: string): Value {
  const digits = text.replace(/^[-+]/, '')
  const size = digits.includes(':') ? sexagesimal(digits.split(':').map(BigInt), 60n) : BigInt(octal(digits))
  const value = text.startsWith('-') ? -size : size
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
}

function octal(digits: string): string {
  return /^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits
}

function sexagesimal(parts: readonly bigint[], base: bigint): bigint {
  return parts.reduce((total, part) => total * base + part, 0n)
}

function floatOf(text: string): number {
  const size = text.replace(/^[-+]/, '')
  const sign = text.startsWith('-') ? -1 : 1
  if (size === '.inf') return sign * Number.POSITIVE_INFINITY
  if (size === '.nan') return Number.NaN
  if (!size.includes(':')) return sign * Number(size)
  return sign * size.split(':').reduce((total, part) => total * 60 + Number(part), 0)
}
