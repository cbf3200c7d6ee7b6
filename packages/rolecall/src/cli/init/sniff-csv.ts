import { PromptError } from '@rolecall/core/internal/errors'
import { textBlocks } from '../../node/rows/text-blocks.ts'
import { type CsvDelimiter, CsvReader } from '../../python/library/csv-reader.ts'
import { isIdName, isNamed, optionSeries } from './column-names.ts'

/** How a CSV file is written. */
export type CsvLayout = {
  delimiter: CsvDelimiter
  /** The number of columns, and whether the first line names them. */
  width: number
  header: 'names' | 'row' | 'unclear'
  /** The first record. */
  first: readonly string[]
  /** The file is a known one without a header: these are its columns. */
  columns?: readonly string[]
}

const delimiters: readonly CsvDelimiter[] = [',', '\t', ';', '|']

/** Recognises delimiter and header of a CSV file from its first records. */
export async function sniffCsv(path: string, given?: CsvDelimiter): Promise<CsvLayout> {
  let text = ''
  for await (const block of textBlocks(path)) {
    for (const error of block.broken.values()) throw error
    text = block.text
    break
  }
  const candidates = (given === undefined ? delimiters : [given]).map((delimiter) => ({ delimiter, records: recordsIn(text, delimiter) }))
  // The delimiter that gives the most columns in every record.
  const [best] = candidates
    .map((candidate) => ({ ...candidate, width: evenWidth(candidate.records) }))
    .toSorted((a, b) => b.width - a.width)
  const { delimiter, records, width } = best!
  const [first = []] = records
  if (first.length === 0) throw new PromptError('no-row', { where: path, problem: 'the file is empty', fix: 'choose a file with rows' })
  const header = headerOf(first, records.slice(1))
  const isMmlu = header === 'row' && isMmluLike(records)
  return { delimiter, width: first.length, header, first, ...(isMmlu ? { columns: mmluColumns(width) } : {}) }
}

/** Records read to recognise a layout; the last one may be incomplete. */
const recordCount = 200

function recordsIn(text: string, delimiter: CsvDelimiter): string[][] {
  const reader = new CsvReader(delimiter)
  const records: string[][] = []
  for (const { fields } of reader.read(text)) {
    records.push(fields)
    if (records.length === recordCount) return records
  }
  if (reader.openQuote === undefined) for (const { fields } of reader.end()) records.push(fields)
  return records
}

/** The number of columns, if at least nine of ten records have it; else 0, or 1 for a single column. */
function evenWidth(records: readonly (readonly string[])[]): number {
  const width = records[0]?.length ?? 0
  const even = records.filter(({ length }) => length === width).length
  return even >= 0.9 * records.length ? width : 0
}

/** Whether the first record names the columns: by known names, or because it is unlike the others. */
function headerOf(first: readonly string[], others: readonly (readonly string[])[]): CsvLayout['header'] {
  const isKnown = (name: string) =>
    (['question', 'context', 'choices', 'gold', 'system'] as const).some((group) => isNamed(group, name)) || isIdName(name)
  const known = first.filter((cell) => cell.length <= 40 && cell.trim().length > 1 && isKnown(cell)).length
  const isSeries = optionSeries(first) !== undefined
  if (new Set(first).size === first.length && (known > 0 || isSeries)) {
    // "answer" among long sentences is a value.
    const longest = Math.max(...first.map((cell) => cell.length))
    if (longest <= 60) return 'names'
  }
  const isRow =
    new Set(first).size < first.length ||
    first.some((cell) => cell.trim() === '' || cell.length > 60 || /^-?[\d.,]+$|[?？。!！]$/.test(cell.trim()))
  if (isRow) return 'row'
  // A column whose values are all of one small set that also has the first line's.
  const isValue = first.some((cell, index) => {
    const values = new Set(others.map((record) => record[index]))
    return others.length > 2 && values.has(cell)
  })
  return isValue ? 'row' : 'unclear'
}

/** MMLU's files: a question, four options or so, and the letter of the right one. */
function isMmluLike(records: readonly (readonly string[])[]): boolean {
  const width = records[0]!.length
  const letters = 'ABCDEFGHIJ'.slice(0, Math.max(0, width - 2))
  return width >= 4 && width <= 12 && records.every((record) => record.length !== width || letters.includes(record.at(-1)!.trim() || '?'))
}

function mmluColumns(width: number): string[] {
  return ['question', ...'ABCDEFGHIJ'.slice(0, width - 2), 'answer']
}
