import { readdir, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Row } from '@rolecall/core/internal/conversation'
import { type ChecksOf, checkOptionsOf, isFunction, isList, isString, PromptError } from '@rolecall/core/internal/errors'
import { oneByOne } from '../../evaluation/dataset/chunks.ts'
import type { CsvDelimiter } from '../../python/library/csv-reader.ts'
import type { OrError, RowChunks } from './bad-row.ts'
import { readArrow } from './read-arrow.ts'
import { readCsv } from './read-csv.ts'
import { readJsonLines, readJsonRows } from './read-json-rows.ts'
import { readParquet } from './read-parquet.ts'

export type ReadRowsOptions = {
  /** For an unreadable row: `error` (the default) throws, `skip` continues with the next. */
  onBadRow?: 'error' | 'skip'
  /** Column names for a .csv or .tsv file without a header line. */
  columns?: readonly string[]
  /** The delimiter of a .csv or .tsv file. */
  delimiter?: CsvDelimiter
  /** Overrides the file type given by the name. */
  fileType?: RowFileType
  /** Called with the error of each skipped row. */
  onSkip?: (why: PromptError) => void
}

const optionChecks = {
  onBadRow: isString,
  columns: isList,
  delimiter: isString,
  fileType: isString,
  onSkip: isFunction,
} satisfies ChecksOf<ReadRowsOptions>

/** Supported file types. */
export type RowFileType = 'jsonl' | 'json' | 'csv' | 'tsv' | 'parquet' | 'arrow'

const readers: Record<string, (path: string, columns?: readonly string[], delimiter?: CsvDelimiter) => RowChunks> = {
  jsonl: readJsonLines,
  ndjson: readJsonLines,
  json: readJsonRows,
  parquet: readParquet,
  arrow: readArrow,
  csv: (path, columns, delimiter = ',') => readCsv(path, delimiter, columns),
  tsv: (path, columns, delimiter = '\t') => readCsv(path, delimiter, columns),
}

/** The extensions of row files. */
export const rowFileEndings = Object.keys(readers).flatMap((ending) => [`.${ending}`, `.${ending}.gz`])

/** Streams the rows of a .jsonl, .json, .csv, .tsv, .parquet or .arrow file; all but Parquet and Arrow may be gzipped. Only .json is held in memory as a whole. */
export function readRows(path: string, options: ReadRowsOptions = {}): AsyncGenerator<Row> {
  checkOptionsOf(options, optionChecks, 'readRows › options')
  return oneByOne(readChunks(path, options))
}

/** Like `readRows`, in the chunks in which rows are read. */
export async function* readChunks(
  path: string,
  { columns, fileType, delimiter, ...options }: ReadRowsOptions = {},
): AsyncGenerator<Iterable<Row>> {
  const read = readers[fileType ?? /\.([^.]+?)(?:\.gz)?$/i.exec(path)?.[1]?.toLowerCase() ?? '']
  if (!read) {
    if ((await stat(path).catch(() => undefined))?.isDirectory()) throw await isFolder(path)
    throw new PromptError('unknown-file-type', {
      where: path,
      problem:
        'the file type is unknown; rows are read from .jsonl, .json, .csv and .tsv files, also with .gz, and from .parquet and .arrow files',
      fix: 'convert or rename the file',
    })
  }
  for await (const chunk of read(path, columns, delimiter)) yield goodRows(chunk, options)
}

/** The error for a folder; suggests files in it, and a pattern that matches all of one type. */
async function isFolder(path: string): Promise<PromptError> {
  const files = (await readdir(path)).filter((name) => rowFileEndings.some((ending) => name.toLowerCase().endsWith(ending))).sort()
  const ending = files[0] === undefined ? undefined : rowFileEndings.findLast((one) => files[0]!.toLowerCase().endsWith(one))
  return new PromptError('no-file', {
    where: path,
    problem: 'this is a folder',
    fix:
      ending === undefined
        ? `choose a file of rows (${rowFileEndings.filter((one) => !one.endsWith('.gz')).join(', ')}); this folder has none`
        : `choose a file in it (${files.slice(0, 3).join(', ')}${files.length > 3 ? '…' : ''}), or all of them: ${basename(path)}/*${ending}`,
  })
}

function* goodRows(chunk: Iterable<OrError<Row>>, { onBadRow = 'error', onSkip }: ReadRowsOptions): Generator<Row> {
  for (const found of chunk) {
    if (!(found instanceof PromptError)) yield found
    else if (onBadRow === 'skip') onSkip?.(found)
    else throw found
  }
}
