import type { Row } from '@rolecall/core/internal/conversation'
import { dictEntries, dictFromEntries, dictGet, dictKeys, type PyValue, pyFloat } from '@rolecall/core/internal/python'

/** What pandas, with which `datasets` reads CSV files, takes for a missing value. */
const missing = new Set(
  ['', '#N/A', '#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN', '<NA>', 'N/A', 'NA'].concat([
    'NULL',
    'NaN',
    'None',
    'n/a',
    'nan',
    'null',
  ]),
)
// White space is that of C.
const integer = /^[ \t\n\v\f\r]*[+-]?\d+[ \t\n\v\f\r]*$/
const number = /^(?:[ \t\n\v\f\r]*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?[ \t\n\v\f\r]*|[+-]?inf(?:inity)?)$/i
const boolean = /^(?:true|false)$/i
/** Longer numbers do not fit into 64 bits; the zeros that a number begins with do not count. */
const longest = 20

/** The rows of CSV files with the types that `datasets` gives their columns: integers, floats, booleans or text; missing values are None. */
export function withColumnTypes(rows: readonly Row[]): Row[] {
  const readers = new Map(dictKeys(rows[0] ?? {}).map((name) => [name, readerOf(rows.map((row) => textAt(row, name)))]))
  return rows.map((row) => dictFromEntries(dictEntries(row).map(([name, value]) => [name, read(value, readers.get(name))] as const)))
}

type Reader = (text: string) => PyValue

function read(value: PyValue, reader: Reader | undefined): PyValue {
  if (typeof value !== 'string') return value
  return missing.has(value) ? null : (reader?.(value) ?? value)
}

function textAt(row: Row, column: string): string {
  const value = dictGet(row, column)
  return typeof value === 'string' ? value : ''
}

function readerOf(values: readonly string[]): Reader {
  const asText = (text: string) => text
  const given = values.filter((value) => !missing.has(value))
  if (given.length === 0) return asText
  if (given.every((value) => boolean.test(value))) return (text) => text.toLowerCase() === 'true'
  if (!given.every((value) => number.test(value))) return asText
  const integers = given.filter((value) => integer.test(value))
  const [areSigned, areUnsigned] = rangesOf(integers)
  if (integers.length < given.length) return areSigned || areUnsigned ? (text) => pyFloat(readFloat(text)) : asText
  if (given.length < values.length) return areSigned ? (text) => pyFloat(Number(integerOf(text))) : asText
  return areSigned || areUnsigned ? readInteger : asText
}

/** Whether all fit into signed, and into unsigned, integers of 64 bits. */
function rangesOf(integers: readonly string[]): [signed: boolean, unsigned: boolean] {
  if (integers.some((value) => value.replace(/^\D*0*/, '').trimEnd().length > longest)) return [false, false]
  const found = integers.map(integerOf)
  return [found.every((value) => BigInt.asIntN(64, value) === value), found.every((value) => BigInt.asUintN(64, value) === value)]
}

function readInteger(text: string): PyValue {
  const value = integerOf(text)
  return value === BigInt.asIntN(54, value) ? Number(value) : value
}

function integerOf(text: string): bigint {
  return BigInt(text.trim().replace('+', ''))
}

/** How many digits pandas reads of a number, with the zeros it begins with. */
const mostDigits = 17

/** Reads a number as pandas does, which is not always the nearest double: `0.30000000000000004` is 0.3. */
function readFloat(text: string): number {
  const [, sign, whole = '', decimals = '', power = '0'] = /^\s*([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?\s*$/i.exec(text) ?? []
  if (sign === undefined) return /-/.test(text) ? -Infinity : Infinity
  const digits = (whole + decimals).slice(0, mostDigits)
  let value = 0
  for (const digit of digits) value = value * 10 + Number(digit)
  const exponent = Number(power) + whole.length - digits.length
  const scaled =
    value === 0
      ? 0
      : exponent > 308
        ? Infinity
        : exponent > 0
          ? value * tenTo(exponent)
          : value / tenTo(Math.max(-exponent - 308, 0)) / tenTo(Math.min(-exponent, 308))
  return sign === '-' ? -scaled : scaled
}

/** A power of ten. Unlike `10 ** n`, it is the nearest double. */
function tenTo(exponent: number): number {
  return Number(`1e${exponent}`)
}
