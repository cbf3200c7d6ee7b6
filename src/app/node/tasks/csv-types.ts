import { dictEntries, dictFromEntries, dictGet, dictKeys, type PyValue, pyFloat } from '../../../base/python/index.ts'
import type { Row } from '../../../prompt/conversation/row.ts'

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
const integer = /^\s*[+-]?\d{1,40}\s*$/
const number = /^\s*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?)\s*$/i
const boolean = /^(?:true|false)$/i

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
  const given = values.filter((value) => !missing.has(value))
  const isFull = given.length === values.length
  if (given.length === 0) return (text) => text
  if (isFull && given.every((value) => integer.test(value))) return fitInteger(given) ? readInteger : (text) => text
  if (given.every((value) => number.test(value))) return (text) => pyFloat(readFloat(text))
  if (given.every((value) => boolean.test(value))) return (text) => text.toLowerCase() === 'true'
  return (text) => text
}

function readInteger(text: string): PyValue {
  const value = BigInt(text.trim().replace('+', ''))
  return value === BigInt.asIntN(54, value) ? Number(value) : value
}

/** Columns are 64-bit integers, signed or unsigned. */
function fitInteger(values: readonly string[]): boolean {
  const found = values.map((value) => BigInt(value.trim().replace('+', '')))
  return found.every((value) => BigInt.asIntN(64, value) === value) || found.every((value) => BigInt.asUintN(64, value) === value)
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
