import type { Row } from '../../dataset/row.ts'
import type { PromptError } from '../../prompt-error.ts'
import { CsvReader, type CsvRecord } from '../../python/csv.ts'
import { dictFromEntries } from '../../python/index.ts'
import { badRow, type Found } from './bad-row.ts'
import { textBlocks } from './text-blocks.ts'

/** The first record names the columns; every value is a string, as Python's csv module gives it. */
export async function* readCsv(path: string, delimiter: ',' | '\t'): AsyncGenerator<Found<Row>> {
  let columns: readonly string[] | undefined
  for await (const { record, broken } of csvRecords(path, delimiter)) {
    if (columns) yield broken ?? asRow(record, columns, path)
    else if (broken) throw broken
    else columns = asColumns(record, path)
  }
}

/** Records with the reason why one of their lines cannot be read. */
async function* csvRecords(path: string, delimiter: ',' | '\t'): AsyncGenerator<{ record: CsvRecord; broken?: PromptError }> {
  const reader = new CsvReader(delimiter)
  const brokenLines = new Map<number, PromptError>()
  const checked = (record: CsvRecord) => {
    if (brokenLines.size === 0) return { record }
    const [found] = [...brokenLines].filter(([line]) => line >= record.line && line <= record.lastLine)
    for (const line of brokenLines.keys()) if (line <= record.lastLine) brokenLines.delete(line)
    return found ? { record, broken: found[1] } : { record }
  }
  for await (const { text, broken } of textBlocks(path)) {
    for (const [line, error] of broken) brokenLines.set(line, error)
    for (const record of reader.read(text)) yield checked(record)
  }
  // Everything after the quote would be one field: rows would be lost in silence, so that this is never skipped.
  if (reader.openQuote !== undefined)
    throw badRow(
      `${path}:${reader.openQuote}`,
      'a quote is opened in this row and never closed',
      'close it; a quote in quotes is written twice ("")',
    )
  for (const record of reader.end()) yield checked(record)
}

function asColumns({ fields, line }: CsvRecord, path: string): readonly string[] {
  const twice = fields.find((name, index) => fields.indexOf(name) !== index)
  if (twice === undefined) return fields
  throw badRow(`${path}:${line}`, `two columns are called "${twice}"`, 'give each column its own name in the first line')
}

function asRow({ fields, line }: CsvRecord, columns: readonly string[], path: string): Found<Row> {
  if (fields.length === columns.length) return dictFromEntries(columns.map((column, index) => [column, fields[index]!]))
  const count = `the row has ${fields.length} value${fields.length === 1 ? '' : 's'} for ${columns.length} column${columns.length === 1 ? '' : 's'}`
  return fields.length < columns.length
    ? badRow(`${path}:${line}`, `${count}: "${columns[fields.length]}" is missing`, 'add it; an empty value needs its delimiter, too')
    : badRow(`${path}:${line}`, count, 'put a value that holds the delimiter in quotes')
}
