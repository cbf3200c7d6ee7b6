import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictKeys } from '@rolecall/core/internal/python'
import { readRows } from '../../node/rows/read-rows.ts'
import type { CsvDelimiter } from '../../python/library/csv-reader.ts'
import { sniffCsv } from './sniff-csv.ts'
import type { Draft } from './write-config.ts'

/** The flags that say how a CSV file is read. */
export type ReadFlags = { columns?: string; header?: boolean; delimiter?: string }

/** Delimiters by the names that are easy to type. */
export const delimiterNames: Readonly<Record<string, CsvDelimiter>> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' }

/** Rows read to recognise the kind of a file. */
const sampleSize = 1000

type Question = (text: string, defaultAnswer: string) => Promise<string>

/** The first rows of a file; for CSV also how it is read, if not by its defaults. */
export async function readSample(path: string, given: ReadFlags, question?: Question): Promise<{ rows: Row[]; csv?: Draft['csv'] }> {
  const csv = /\.(?:csv|tsv)(?:\.gz)?$/i.test(path) ? await csvOf(path, given, question) : undefined
  const rows: Row[] = []
  for await (const row of readRows(path, csv)) {
    rows.push(row)
    if (rows.length === sampleSize) break
  }
  if (rows.length === 0) throw new PromptError('no-row', { where: path, problem: 'the file is empty', fix: 'choose a file with rows' })
  if (!rows.some((row) => dictKeys(row).some((column) => !/[{}]/.test(column))))
    throw new PromptError('no-column', {
      where: path,
      problem: 'the rows have no column that a template can use',
      fix: 'use column names without braces',
    })
  return { rows, ...(csv && Object.keys(csv).length > 0 ? { csv } : {}) }
}

async function csvOf(path: string, given: ReadFlags, question?: Question): Promise<NonNullable<Draft['csv']>> {
  const layout = await sniffCsv(path, given.delimiter === undefined ? undefined : delimiterNames[given.delimiter])
  const usual = /\.tsv(?:\.gz)?$/i.test(path) ? '\t' : ','
  const delimiter = layout.delimiter === usual ? {} : { delimiter: layout.delimiter }
  if (given.columns !== undefined) return { ...delimiter, columns: named(given.columns, layout.width) }
  if (given.header || layout.header === 'names') return delimiter
  if (layout.columns) return { ...delimiter, columns: layout.columns }
  const problem =
    layout.header === 'row'
      ? `the first line looks like a row, not like the names of columns: ${layout.first.join(' | ').slice(0, 100)}`
      : `the first line may name the columns or be a row: ${layout.first.join(' | ').slice(0, 100)}`
  const fix = 'if it names the columns: --header; if not, name them: --columns question,A,B,C,D,answer'
  const answer = question === undefined ? '' : await question(`${path}: ${problem}\nThe names of the columns, or "header"`, 'stop')
  if (answer === 'header') return delimiter
  if (answer !== '' && answer !== 'stop') return { ...delimiter, columns: named(answer, layout.width) }
  throw new PromptError('unclear-rows', { where: path, problem, fix })
}

function named(list: string, width: number): string[] {
  const names = list.split(',').map((name) => name.trim())
  if (names.length === width && new Set(names).size === width && !names.includes('')) return names
  throw new PromptError('wrong-value', {
    where: '--columns',
    problem: `${names.length} names are given for ${width} columns`,
    fix: 'name every column once, separated by commas',
  })
}
