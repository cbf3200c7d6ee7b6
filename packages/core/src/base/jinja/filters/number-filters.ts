import { intArgument } from '../../python/methods/method.ts'
import { typeError, valueError } from '../../python/python-error.ts'
import { calculate, normalize, round, wholeNumber } from '../../python/values/arithmetic.ts'
import { truthy } from '../../python/values/compare.ts'
import { PyFloat, pyFloat } from '../../python/values/data.ts'
import { floatOf, formatFloat, parseInteger } from '../../python/values/numbers.ts'
import { repr } from '../../python/values/repr.ts'
import { plainText } from '../../python/values/text.ts'
import { isFloat, isInt, isNumber, numeric, stringOf, typeName, Undefined, type Value } from '../../python/values/value.ts'
import { type Filter, filter, filterArgumentError } from './filter.ts'

/** Filters that return numbers, and `default`. */
export const numberFilters: readonly [string, Filter][] = [
  filter('default', ['default_value', 'boolean'], 0, orDefault),
  filter('d', ['default_value', 'boolean'], 0, orDefault),
  filter('int', ['default', 'base'], 0, (_, input, fallback = 0, base = 10) => toInt(input, intArgument(base)) ?? fallback),
  filter('float', ['default'], 0, (_, input, fallback = new PyFloat(0)) => {
    if (input instanceof Undefined) throw input.error
    const number = toFloat(input)
    return number === undefined ? fallback : pyFloat(number)
  }),
  filter('abs', [], 0, (_, input) => {
    if (input instanceof Undefined) throw input.error
    if (!isNumber(input)) throw typeError(`bad operand type for abs(): '${typeName(input)}'`)
    const number = numeric(input)
    if (isFloat(input)) return pyFloat(Math.abs(Number(number)))
    return typeof number === 'bigint' ? normalize(number < 0n ? -number : number) : Math.abs(number)
  }),
  filter('round', ['precision', 'method'], 0, (_, input, precision = 0, method = 'common') =>
    roundBy(input, intArgument(precision), stringOf(method) ?? ''),
  ),
  filter('filesizeformat', ['binary'], 0, (_, input, binary = false) => fileSize(input, truthy(binary))),
]

function orDefault(_: unknown, input: Value, fallback: Value = '', boolean: Value = false): Value {
  return input instanceof Undefined || (truthy(boolean) && !truthy(input)) ? fallback : input
}

/** Python's `int()`; undefined if it fails. */
function toInt(input: Value, base: number): number | bigint | undefined {
  if (input instanceof Undefined) throw input.error
  const text = stringOf(input)
  if (text !== undefined) {
    const exact = parseInteger(text, base)
    if (exact !== undefined) return normalize(exact)
  } else if (isInt(input)) return numeric(input)
  const number = toFloat(input)
  return number === undefined || Number.isNaN(number) ? undefined : wholeNumber(number)
}

/** Python's `float()`; undefined if it fails. */
function toFloat(input: Value): number | undefined {
  return isNumber(input) ? Number(numeric(input)) : floatOf(stringOf(input))
}

function roundBy(input: Value, precision: number, method: string): Value {
  if (!['common', 'ceil', 'floor'].includes(method)) throw filterArgumentError('method must be common, ceil or floor')
  if (method === 'common') return round(input, precision)
  if (input instanceof Undefined) throw input.error
  if (!isNumber(input)) throw typeError(`must be real number, not ${typeName(input)}`)
  const scale = calculate('**', 10, precision)
  const scaled = Number(numeric(calculate('*', input, scale) as number))
  return calculate('/', wholeNumber(method === 'ceil' ? Math.ceil(scaled) : Math.floor(scaled)), scale)
}

function fileSize(input: Value, binary: boolean): string {
  const bytes = toFloat(input)
  if (input instanceof Undefined) throw input.error
  if (bytes === undefined) {
    if (stringOf(input) === undefined) throw typeError(`float() argument must be a string or a real number, not '${typeName(input)}'`)
    throw valueError(`could not convert string to float: ${plainText(repr(input))}`)
  }
  const base = binary ? 1024 : 1000
  const prefixes = binary ? ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB', 'ZiB', 'YiB'] : ['kB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB']
  if (bytes === 1) return '1 Byte'
  if (bytes < base) return `${Math.trunc(bytes)} Bytes`
  let unit = 1
  for (const [index, prefix] of prefixes.entries()) {
    unit = base ** (index + 2)
    if (bytes < unit || index === prefixes.length - 1) return `${formatFloat((base * bytes) / unit, 'f', 1)} ${prefix}`
  }
  return ''
}
