import { PythonError, typeError, valueError } from '../python-error.ts'
import { checkLength } from '../python-limits.ts'
import type { PyFloat } from '../values/data.ts'
import { formatFloat, unsignedNumber } from '../values/numbers.ts'
import { characterOf } from '../values/percent-format.ts'
import { escapeHtml, escapeText, repr, str } from '../values/repr.ts'
import { asciiOnly, lengthOf, offsetOf } from '../values/strings.ts'
import { joinTexts, mapText, plainText, Sink, type Str, sliceText } from '../values/text.ts'
import { isFloat, isInt, isStr, type Kwargs, Markup, numeric, typeName, Undefined, type Value } from '../values/value.ts'

type Lookup = { attribute(value: Value, name: string): Value; item(value: Value, key: Value): Value }

/** `str.format`, with attributes and items looked up as the sandbox does. Values keep their origin. */
export function formatMethod(template: Str, args: readonly Value[], kwargs: Kwargs, lookup: Lookup, isHtml = false): Str {
  let automatic = 0
  let numbering: 'automatic' | 'manual' | undefined
  const number = (way: 'automatic' | 'manual') => {
    if (numbering !== undefined && numbering !== way)
      throw valueError('cannot switch from manual field specification to automatic field numbering')
    numbering = way
  }
  const format = (given: Str, depth: number): Str => {
    const text = plainText(given)
    const sink = new Sink()
    let at = 0
    while (at < text.length) {
      const brace = nextBrace(text, at)
      if (brace < 0) {
        sink.add(sliceText(given, at))
        break
      }
      sink.add(sliceText(given, at, brace))
      if (text[brace] === text[brace + 1]) {
        sink.add(sliceText(given, brace, brace + 1))
        at = brace + 2
        continue
      }
      if (text[brace] === '}') throw valueError("Single '}' encountered in format string")
      const end = closingBrace(text, brace + 1)
      sink.add(field(text.slice(brace + 1, end), depth))
      at = end + 1
    }
    return sink.result()
  }
  const field = (inside: string, depth: number): Str => {
    if (depth < 0) throw valueError('Max string recursion exceeded')
    const [, name = '', conversion, spec = ''] = /^([^!:]*(?:\[[^\]]*\][^!:]*)*)(?:!([\s\S]))?(?::([\s\S]*))?$/u.exec(inside) ?? bad(inside)
    const value = valueOfField(name)
    const shown = conversion === undefined ? value : convert(conversion, value)
    const expanded = spec.includes('{') ? plainText(format(spec, depth - 1)) : spec
    if (isHtml && expanded === '') return isStr(shown) && !(shown instanceof Markup) ? escapeText(str(shown)) : escapeHtml(shown).text
    const text = formatValue(shown, expanded)
    return isHtml ? escapeText(text) : text
  }
  const valueOfField = (name: string): Value => {
    const [first, ...rest] = name.split(/(?=[.[])/)
    const base = first ?? ''
    let value: Value | undefined
    const isNumbered = /^\d+$/.test(base)
    if (base === '' || isNumbered) {
      number(base === '' ? 'automatic' : 'manual')
      value = args[base === '' ? automatic++ : Number(base)]
      // Other than str.format, the formatter of Jinja2's sandbox gives no number to a field that begins with an attribute or an item.
    } else value = base.startsWith('.') || base.startsWith('[') ? missingField('') : kwargs?.get(base)
    if (value === undefined) {
      if (base === '' || isNumbered) throw new PythonError('IndexError', 'Replacement index out of range for positional args tuple')
      missingField(base)
    }
    for (const part of rest) {
      if (part.startsWith('.')) value = lookup.attribute(value, part.slice(1))
      else {
        const key = part.slice(1, part.indexOf(']'))
        value = lookup.item(value, /^\d+$/.test(key) ? Number(key) : key)
      }
    }
    return value
  }
  return format(template, 1)
}

function nextBrace(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '{' || text[at] === '}') return at
  return -1
}

function closingBrace(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at
  }
  throw valueError(from >= text.length ? "Single '{' encountered in format string" : "expected '}' before end of string")
}

function bad(inside: string): never {
  throw valueError(`expected ':' after conversion specifier in ${JSON.stringify(inside)}`)
}

function missingField(name: string): never {
  throw new PythonError('KeyError', `'${name}'`)
}

/** A value as `!r`, `!s` or `!a` shows it. */
export function convert(conversion: string, value: Value): Str {
  if (conversion === 'r') return repr(value)
  if (conversion === 's') return str(value)
  if (conversion === 'a') return mapText(repr(value), asciiOnly)
  throw valueError(`Unknown conversion specifier ${conversion}`)
}

const specPattern = /^(?:([\s\S])?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([_,])?(?:\.(\d+))?([a-zA-Z%])?$/u

const floatTypes = 'eEfFgG%'

/** Python's `format(value, spec)`. */
export function formatValue(value: Value, spec: string): Str {
  if (value instanceof Undefined) return spec === '' ? '' : unsupportedSpec(value)
  if (spec === '') return str(value)
  const parsed = specPattern.exec(spec)
  if (parsed === null) throw valueError(`Invalid format specifier '${spec}' for object of type '${typeName(value)}'`)
  const [, fill, align, sign = '-', coercion, alternate, zero, width, grouping, precision, type] = parsed
  const isNumeric = isInt(value) || isFloat(value)
  if (!isNumeric && !isStr(value)) unsupportedSpec(value)
  const wide = width === undefined ? 0 : Number(width)
  checkLength(wide)
  const padding = { fill: fill ?? (zero ? '0' : ' '), align: align ?? (isNumeric ? (zero ? '=' : '>') : '<'), width: wide }
  if (isStr(value)) {
    if (type !== undefined && type !== 's') throw valueError(`Unknown format code '${type}' for object of type 'str'`)
    if (parsed[3] !== undefined) throw valueError('Sign not allowed in string format specifier')
    if (alternate !== undefined) throw valueError('Alternate form (#) not allowed in string format specifier')
    if (grouping !== undefined) throw valueError(`Cannot specify '${grouping}' with 's'.`)
    if (padding.align === '=') throw valueError("'=' alignment not allowed in string format specifier")
    const text = str(value)
    return pad('', precision === undefined ? text : sliceText(text, 0, offsetOf(plainText(text), Number(precision))), padding)
  }
  const number = value as number | bigint | PyFloat | boolean
  const isFloatType = type !== undefined && floatTypes.includes(type)
  if (coercion !== undefined && isInt(value) && !isFloatType)
    throw valueError('Negative zero coercion (z) not allowed in integer format specifier')
  const { negative, body } = numberBody(number, type, precision === undefined ? undefined : Number(precision), alternate !== undefined)
  const isZero = /^[0.]+(?:e[+-]\d+)?%?$/i.test(body)
  const signed = negative && !(coercion !== undefined && isZero) ? '-' : sign === '-' ? '' : sign
  const prefix = alternate !== undefined && type !== undefined && 'xXob'.includes(type) ? 2 : 0
  const head = signed + body.slice(0, prefix)
  const digits = body.slice(prefix)
  if (grouping === undefined) return pad(head, digits, padding)
  // Leading zeros are grouped as well.
  const zeros = padding.fill === '0' && padding.align === '='
  return pad(head, zeros ? groupFilled(digits, grouping, wide - head.length) : group(digits, grouping), padding)
}

function numberBody(
  value: number | bigint | PyFloat | boolean,
  type: string | undefined,
  precision: number | undefined,
  alternate: boolean,
) {
  const number = numeric(value)
  const negative = number < 0 || Object.is(number, -0)
  if (type !== undefined && floatTypes.includes(type))
    return { negative, body: formatFloat(Math.abs(Number(number)), type, precision ?? 6, alternate) }
  if (isFloat(value)) {
    if (type === 'n') return { negative, body: formatFloat(Math.abs(Number(number)), 'g', precision ?? 6, alternate) }
    if (type !== undefined) throw valueError(`Unknown format code '${type}' for object of type 'float'`)
    return { negative, body: precision === undefined ? unsignedNumber(value) : floatLike(Math.abs(Number(number)), precision) }
  }
  if (precision !== undefined) throw valueError('Precision not allowed in integer format specifier')
  const size = BigInt(number) < 0n ? -BigInt(number) : BigInt(number)
  switch (type) {
    case undefined:
    case 'd':
    case 'n':
      return { negative, body: size.toString() }
    case 'x':
      return { negative, body: `${alternate ? '0x' : ''}${size.toString(16)}` }
    case 'X':
      return { negative, body: `${alternate ? '0X' : ''}${size.toString(16).toUpperCase()}` }
    case 'o':
      return { negative, body: `${alternate ? '0o' : ''}${size.toString(8)}` }
    case 'b':
      return { negative, body: `${alternate ? '0b' : ''}${size.toString(2)}` }
    case 'c':
      return { negative: false, body: characterOf(number) }
    default:
      throw valueError(`Unknown format code '${type}' for object of type 'int'`)
  }
}

/** Without a type, a float keeps at least one digit after the point. */
function floatLike(size: number, precision: number): string {
  const text = formatFloat(size, 'g', precision)
  return /[.e]|inf|nan/.test(text) ? text : `${text}.0`
}

function group(body: string, separator: string): string {
  const [whole = '', ...rest] = body.split(/(?=[.e%])/)
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, separator), ...rest].join('')
}

function groupFilled(body: string, separator: string, width: number): string {
  let filled = body
  while (group(filled, separator).length < width) filled = `0${filled}`
  return group(filled, separator)
}

function pad(sign: string, body: Str, { fill, align, width }: { fill: string; align: string; width: number }): Str {
  const missing = width - sign.length - lengthOf(plainText(body))
  if (missing <= 0) return sign === '' ? body : joinTexts([sign, body])
  if (align === '=') return joinTexts([sign, fill.repeat(missing), body])
  const before = align === '>' ? missing : align === '^' ? missing >> 1 : 0
  return joinTexts([fill.repeat(before), sign, body, fill.repeat(missing - before)])
}

function unsupportedSpec(value: Value): never {
  throw typeError(`unsupported format string passed to ${typeName(value)}.__format__`)
}
