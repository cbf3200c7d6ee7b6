import type { Row } from '@rolecall/core/internal/conversation'
import type { PromptError } from '@rolecall/core/internal/errors'
import { needsMap } from '@rolecall/core/internal/python'
import { type CsvDelimiter, CsvReader, type CsvRecord } from '../../python/library/csv-reader.ts'
import { badRow, type OrError, type RowChunks } from './bad-row.ts'
import { textBlocks } from './text-blocks.ts'

/** The first record names the columns unless they are given; every value is a string, as in Python's csv module. */
export async function* readCsv(path: string, delimiter: CsvDelimiter, columns?: readonly string[]): RowChunks {
  const reader = new CsvReader(delimiter)
  const broken = new Map<number, PromptError>()
  let header: Header | undefined = columns && readHeader({ fields: [...columns], line: 0 }, path)
  const rowsIn = function* (records: Iterable<CsvRecord>): Generator<OrError<Row>> {
    for (const record of records) {
      const error = brokenIn(record, broken)
      if (header) yield error ?? asRow(record, header, path)
      else if (error) throw error
      else header = readHeader(record, path)
    }
  }
  for await (const block of textBlocks(path)) {
    for (const [line, error] of block.broken) broken.set(line, error)
    yield rowsIn(reader.read(block.text))
  }
  // The rest of the file would be one field. Skipping this error would lose rows silently.
  if (reader.openQuote !== undefined) {
    throw badRow(
      `${path}:${reader.openQuote}`,
      'a quote opened in this row is never closed',
      'close it; a quote in quotes is written twice ("")',
    )
  }
  yield rowsIn(reader.end())
}

/** The error of an unreadable line in a record; drops the errors of earlier lines. */
function brokenIn({ line: first, lastLine }: CsvRecord, broken: Map<number, PromptError>): PromptError | undefined {
  let found: PromptError | undefined
  for (const [line, error] of broken) {
    if (line > lastLine) break
    if (line >= first) found ??= error
    broken.delete(line)
  }
  return found
}

/** Every row becomes an object with a key for each. */
const mostColumns = 100_000

type Header = { columns: readonly string[]; rowOf: (fields: readonly string[]) => Row }

function readHeader({ fields: columns, line }: Pick<CsvRecord, 'fields' | 'line'>, path: string): Header {
  if (columns.length > mostColumns)
    throw badRow(
      `${path}:${line}`,
      `it has ${columns.length} columns, and a row may have ${mostColumns}`,
      'check the delimiter, and that the file has lines',
    )
  const names = new Set<string>()
  const twice = columns.find((name) => names.size === names.add(name).size)
  if (twice !== undefined)
    throw badRow(
      `${path}:${line}`,
      `two columns are called "${twice}"`,
      'give each column a unique name in the first line; if that line is a row, name the columns with `columns`',
    )
  return { columns, rowOf: columns.some(needsMap) ? (fields) => mapOf(columns, fields) : (fields) => objectOf(columns, fields) }
}

function mapOf(columns: readonly string[], fields: readonly string[]): Row {
  return new Map(columns.map((column, index) => [column, fields[index]!]))
}

/** Like `dictFromEntries`, whose checks were already done on the header. */
function objectOf(columns: readonly string[], fields: readonly string[]): Row {
  const row: Record<string, string> = {}
  for (let index = 0; index < columns.length; index++) row[columns[index]!] = fields[index]!
  return row
}

function asRow({ fields, line }: CsvRecord, { columns, rowOf }: Header, path: string): OrError<Row> {
  if (fields.length === columns.length) return rowOf(fields)
  const count = `the row has ${counted(fields.length, 'value')} for ${counted(columns.length, 'column')}`
  return fields.length < columns.length
    ? badRow(`${path}:${line}`, `${count}: "${columns[fields.length]}" is missing`, 'add it; empty values need a delimiter as well')
    : badRow(`${path}:${line}`, count, 'quote values that contain the delimiter')
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
