import { readdir, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { oneByOne } from '../../../evaluation/dataset/chunks.ts'
import type { Row } from '../../../prompt/conversation/row.ts'
import type { Found, FoundRows } from './bad-row.ts'
import { readCsv } from './read-csv.ts'
import { readJson } from './read-json.ts'
import { readJsonLines } from './read-json-lines.ts'
import { readParquet } from './read-parquet.ts'

export type ReadRowsOptions = {
  /** Where a row cannot be read: `error` (the default) throws, `skip` goes on with the next. */
  onBadRow?: 'error' | 'skip'
  /** The names of the columns of a .csv or .tsv file whose first line is a row already. */
  columns?: readonly string[]
  /** How the file is written, where its name says otherwise. */
  fileType?: RowFileType
  /** Is told why a row is skipped. */
  onSkip?: (why: PromptError) => void
}

/** The ways in which files hold rows. */
export type RowFileType = 'jsonl' | 'json' | 'csv' | 'tsv' | 'parquet'

const readers: Record<string, (path: string, columns?: readonly string[]) => FoundRows> = {
  jsonl: readJsonLines,
  ndjson: readJsonLines,
  json: readJson,
  parquet: readParquet,
  csv: (path, columns) => readCsv(path, ',', columns),
  tsv: (path, columns) => readCsv(path, '\t', columns),
}

/** The endings of files that rows are read from. */
export const rowFileEndings = Object.keys(readers).flatMap((ending) => [`.${ending}`, `.${ending}.gz`])

/** Streams the rows of a .jsonl, .json, .csv, .tsv or .parquet file; the text ones may be compressed (.gz). Memory holds a part of the file; of .json, all. */
export function readRows(path: string, options: ReadRowsOptions = {}): AsyncGenerator<Row> {
  return oneByOne(readChunks(path, options))
}

/** The same, with all rows that are read together in one chunk. */
export async function* readChunks(path: string, { columns, fileType, ...options }: ReadRowsOptions = {}): AsyncGenerator<Iterable<Row>> {
  const read = readers[fileType ?? /\.([^.]+?)(?:\.gz)?$/i.exec(path)?.[1]?.toLowerCase() ?? '']
  if (!read) {
    if ((await stat(path).catch(() => undefined))?.isDirectory()) throw await isFolder(path)
    throw new PromptError('unknown-file-type', {
      where: path,
      problem: 'rows are read from .jsonl, .json, .csv and .tsv files, also with .gz, and from .parquet files',
      fix: 'convert the file, or correct its name',
    })
  }
  for await (const chunk of read(path, columns)) yield goodRows(chunk, options)
}

/** What to write instead: some of the files in it, and the pattern that means all of one kind. */
async function isFolder(path: string): Promise<PromptError> {
  const files = (await readdir(path)).filter((name) => rowFileEndings.some((ending) => name.toLowerCase().endsWith(ending))).sort()
  const ending = files[0] === undefined ? undefined : rowFileEndings.findLast((one) => files[0]!.toLowerCase().endsWith(one))
  return new PromptError('no-file', {
    where: path,
    problem: 'this is a folder',
    fix:
      ending === undefined
        ? `name the file with the rows (${rowFileEndings.filter((one) => !one.endsWith('.gz')).join(', ')}); there is none in this folder`
        : `name a file in it (${files.slice(0, 3).join(', ')}${files.length > 3 ? '…' : ''}), or all of them: ${basename(path)}/*${ending}`,
  })
}

function* goodRows(chunk: Iterable<Found<Row>>, { onBadRow = 'error', onSkip }: ReadRowsOptions): Generator<Row> {
  for (const found of chunk) {
    if (!(found instanceof PromptError)) yield found
    else if (onBadRow === 'skip') onSkip?.(found)
    else throw found
  }
}
