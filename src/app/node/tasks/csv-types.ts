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
const integer = /^\s*[+-]?\d{1,18}\s*$/
const number = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/
const booleans: Readonly<Record<string, boolean>> = { True: true, TRUE: true, true: true, False: false, FALSE: false, false: false }

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
  if (isFull && given.every((value) => integer.test(value))) return Number
  if (given.every((value) => number.test(value))) return (text) => pyFloat(Number(text))
  if (isFull && given.every((value) => Object.hasOwn(booleans, value))) return (text) => booleans[text]!
  return (text) => text
}
