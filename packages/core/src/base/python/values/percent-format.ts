import { PythonError, typeError, valueError } from '../python-error.ts'
import { checkLength } from '../python-limits.ts'
import { PyFloat } from './data.ts'
import { getString } from './dict.ts'
import { formatFloat } from './numbers.ts'
import { escapeHtml, escapeText, repr, str } from './repr.ts'
import { asciiOnly, lengthOf, offsetOf } from './strings.ts'
import { mapText, plainText, Sink, type Str, sliceText } from './text.ts'
import { isDictValue, isFloat, isInt, isNumber, isStr, Markup, numeric, Tuple, typeName, Undefined, type Value } from './value.ts'

const directive = /%(?:\(([^)]*)\))?([-#0 +]*)(\*|\d+)?(?:\.(\*|\d+)?)?([hlL]?)([\s\S]|$)/gu

/** Python's `format % values`. Values keep their origin. */
export function percentFormat(format: Str | Markup, values: Value): Value {
  const template = format instanceof Markup ? format.text : format
  const isHtml = format instanceof Markup
  const text = plainText(template)
  const args = values instanceof Tuple ? values.items : [values]
  const sink = new Sink()
  let used = 0
  let last = 0
  let named = false
  const next = (): Value => {
    if (used >= args.length || named) throw typeError('not enough arguments for format string')
    return args[used++]!
  }
  for (const found of text.matchAll(directive)) {
    sink.add(sliceText(template, last, found.index))
    last = found.index + found[0].length
    // The tuple mirrors the groups of the pattern above; groups that did not match are undefined.
    const [, key, flags, width, , , type] = found as unknown as [string, string | undefined, string, string?, string?, string?, string?]
    if (type === '') throw valueError('incomplete format')
    if (type === '%') {
      sink.add('%')
      continue
    }
    const precision = /\.(\*|\d+)?/.exec(found[0].slice(1 + (key === undefined ? 0 : key.length + 2)))
    const wide = width === '*' ? Number(integerOf(next())) : width === undefined ? 0 : Number(width)
    const precise = precision === null ? undefined : precision[1] === '*' ? Number(integerOf(next())) : Number(precision[1] ?? 0)
    let value: Value
    if (key === undefined) value = next()
    else {
      if (!isDictValue(values)) throw typeError('format requires a mapping')
      named = true
      const found = getString(values, key)
      if (found === undefined) throw new PythonError('KeyError', `'${key}'`)
      value = found
    }
    checkLength(wide)
    const written = pad(convert(type!, value, flags, precise, isHtml), wide, flags, isNumber(value) && !'sra'.includes(type!))
    sink.add(written)
  }
  sink.add(sliceText(template, last))
  if (used < args.length && !named && !isDictValue(values) && !isListLike(values))
    throw typeError('not all arguments converted during string formatting')
  return isHtml ? new Markup(sink.result()) : sink.result()
}

/** Python takes a single list or Undefined as the one value, and does not complain if no directive uses it. */
function isListLike(values: Value): boolean {
  return Array.isArray(values) || values instanceof Undefined
}

function convert(type: string, value: Value, flags: string, precision: number | undefined, isHtml: boolean): Str {
  switch (type) {
    case 's': {
      const text = isHtml ? escapeHtml(value).text : str(value)
      return precision === undefined ? text : sliceText(text, 0, offsetOf(plainText(text), precision))
    }
    case 'r':
    case 'a': {
      const shown = type === 'r' ? repr(value) : mapText(repr(value), asciiOnly)
      const text = isHtml ? escapeText(shown) : shown
      return precision === undefined ? text : sliceText(text, 0, offsetOf(plainText(text), precision))
    }
    case 'c':
      if (isInt(value)) return characterOf(value)
      if (isStr(value) && lengthOf(plainText(str(value))) === 1) return str(value)
      throw typeError('%c requires int or char')
    case 'd':
    case 'i':
    case 'u':
      return sign(integerOf(value, type), flags) + digits(integerOf(value, type), 10, precision)
    case 'x':
    case 'X':
    case 'o': {
      if (!isInt(value)) throw typeError(`%${type} format: an integer is required, not ${typeName(value)}`)
      const number = BigInt(numeric(value) as number | bigint)
      const text = digits(number, type === 'o' ? 8 : 16, precision)
      const prefix = flags.includes('#') ? (type === 'o' ? '0o' : '0x') : ''
      return sign(number, flags) + (type === 'X' ? (prefix + text).toUpperCase() : prefix + text)
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': {
      if (value instanceof Undefined) throw value.error
      if (!isNumber(value)) throw typeError(`must be real number, not ${typeName(value)}`)
      const number = Number(numeric(value))
      const negative = number < 0 || Object.is(number, -0)
      return signOf(negative, flags) + formatFloat(Math.abs(number), type, precision ?? 6, flags.includes('#'))
    }
    default:
      throw valueError(`unsupported format character '${type}' (0x${type.codePointAt(0)!.toString(16)})`)
  }
}

/** Python's `chr`, as `%c` and `{:c}` have it. */
export function characterOf(code: number | bigint | boolean): string {
  const number = Number(code)
  if (number < 0 || number > 0x10ffff) throw new PythonError('OverflowError', '%c arg not in range(0x110000)')
  return String.fromCodePoint(number)
}

function pad(text: Str, width: number, flags: string, isNumeric: boolean): Str {
  const missing = width - lengthOf(plainText(text))
  if (missing <= 0) return text
  const sink = new Sink()
  if (flags.includes('-')) {
    sink.add(text)
    sink.add(' '.repeat(missing))
  } else if (flags.includes('0') && isNumeric) {
    const signed = /^[-+ ]?(0x)?/i.exec(plainText(text))![0].length
    sink.add(sliceText(text, 0, signed))
    sink.add('0'.repeat(missing))
    sink.add(sliceText(text, signed))
  } else {
    sink.add(' '.repeat(missing))
    sink.add(text)
  }
  return sink.result()
}

function integerOf(value: Value, type = 'd'): bigint {
  if (value instanceof Undefined) throw value.error
  if (isInt(value)) return BigInt(numeric(value) as number | bigint)
  if (isFloat(value)) {
    const number = value instanceof PyFloat ? value.value : value
    if (!Number.isFinite(number)) throw new PythonError('OverflowError', 'cannot convert float infinity to integer')
    return BigInt(Math.trunc(number))
  }
  throw typeError(`%${type} format: a real number is required, not ${typeName(value)}`)
}

function digits(value: bigint, base: number, precision: number | undefined): string {
  return (value < 0n ? -value : value).toString(base).padStart(precision ?? 0, '0')
}

function sign(value: bigint, flags: string): string {
  return signOf(value < 0n, flags)
}

function signOf(negative: boolean, flags: string): string {
  if (negative) return '-'
  return flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
}
