import { dictFromEntries, type PyValue, pyFloat } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import type { RowDict } from '../row-values.ts'
import type { Table } from '../table.ts'
import { csvRecords } from './csv-records.ts'

/** Texts that pandas treats as missing values. */
const missing = new Set(',#N/A,#N/A N/A,#NA,-1.#IND,-1.#QNAN,-NaN,-nan,1.#IND,1.#QNAN,<NA>,N/A,NA,NULL,NaN,None,n/a,nan,null'.split(','))

/** A pandas DataFrame. Missing values are NaN. */
export type DataFrame = { columns: string[]; rows: RowDict[] }

export type FrameOptions = {
  delimiter?: ',' | '\t'
  /** Column names for a file without a header. */
  names?: readonly string[]
  /** Keeps every value as text, and empty ones empty. */
  keepText?: boolean
  /** Whether texts such as `NA` and empty ones are missing values; by default they are. */
  keepsGaps?: boolean
}

/** `pandas.read_csv` of a file's text, with its type inference: numbers, booleans and missing values. */
export function csvFrame(
  given: string,
  path: string,
  { delimiter = ',', names, keepText = false, keepsGaps = true }: FrameOptions = {},
): DataFrame {
  const text = given.startsWith('\ufeff') ? given.slice(1) : given
  const records = csvRecords(text, delimiter).filter(
    (record) => record.length > 0 && !(record.length === 1 && /^[ \t]*$/.test(record[0]!) && !text.includes('""')),
  )
  const header = names ?? records.shift()
  if (header === undefined) throw new BadData('the file has no columns', path)
  let columns = distinct(header)
  // If the first row has more fields than the header has names, the extra leading fields are the index.
  const surplus = Math.max(0, (records[0]?.length ?? 0) - columns.length)
  if (surplus > 0) columns = [...Array.from({ length: surplus }, (_, at) => `__index_level_${at}__`), ...columns]
  for (const [index, record] of records.entries())
    if (record.length > columns.length) throw new BadData(`row ${index + 1} has ${record.length} fields, the first ${columns.length}`, path)
  const values = columns.map((_, at) => {
    const texts = records.map((record) => record[at] ?? '')
    return keepText ? texts : guessed(texts, keepsGaps ? missing : nothing)
  })
  const ordered = surplus > 0 ? [...columns.slice(surplus), ...columns.slice(0, surplus)] : columns
  const at = ordered.map((name) => columns.indexOf(name))
  return { columns: ordered, rows: records.map((_, index) => new Map(ordered.map((name, column) => [name, values[at[column]!]![index]!]))) }
}

/** A frame as `Dataset.from_pandas` converts it: missing values are null. */
export function frameTable({ columns, rows }: DataFrame): Table {
  return {
    columns,
    rows: rows.map((row) => dictFromEntries(columns.map((name) => [name, isNaNumber(row.get(name)) ? null : row.get(name)!]))),
  }
}

export function isNaNumber(value: PyValue | undefined): boolean {
  return typeof value === 'number' && Number.isNaN(value)
}

/** A second column `a` becomes `a.1`; one without a name `Unnamed: 2`. */
function distinct(header: readonly string[]): string[] {
  const seen = new Map<string, number>()
  const taken = new Set<string>()
  return header.map((given, at) => {
    const name = given === '' ? `Unnamed: ${at}` : given
    let count = seen.get(name) ?? 0
    let free = count > 0 ? `${name}.${count}` : name
    while (taken.has(free)) free = `${name}.${++count}`
    seen.set(name, count + 1)
    taken.add(free)
    return free
  })
}

const integer = /^\s*[+-]?\d+\s*$/
const float = /^\s*[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf(?:inity)?)\s*$/i
const boolean = /^(?:true|false)$/i

const nothing: ReadonlySet<string> = new Set()

function guessed(texts: readonly string[], missing: ReadonlySet<string>): PyValue[] {
  const present = texts.filter((text) => !missing.has(text))
  const hasGaps = present.length < texts.length
  if (!hasGaps && present.length > 0 && present.every((text) => integer.test(text))) return texts.map((text) => integerOf(text))
  if (present.every((text) => float.test(text))) return texts.map((text) => (missing.has(text) ? Number.NaN : pyFloat(floatOf(text))))
  if (!hasGaps && present.every((text) => isBoolean(text))) return texts.map((text) => text.toLowerCase() === 'true')
  if (hasGaps && present.every((text) => isBoolean(text)))
    return texts.map((text) => (missing.has(text) ? Number.NaN : text.toLowerCase() === 'true'))
  return texts.map((text) => (missing.has(text) ? Number.NaN : text))
}

function isBoolean(text: string): boolean {
  return boolean.test(text) && /^(?:true|True|TRUE|false|False|FALSE)$/.test(text)
}

function integerOf(text: string): PyValue {
  const value = BigInt(text.trim().replace(/^\+/, ''))
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

function floatOf(text: string): number {
  const plain = text.trim().toLowerCase()
  if (/inf/.test(plain)) return plain.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return Number(plain)
}
