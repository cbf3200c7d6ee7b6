import { relative, resolve } from 'node:path'
import type { Row } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { attempt, PromptError, suggestName } from '@rolecall/core/internal/errors'
import { dictEntries, dictFromEntries, dictGet, pyEqual } from '@rolecall/core/internal/python'
import { taskRows } from '../../compat/lm-eval/dataset/task-spec.ts'
import { type Chunks, oneByOne } from '../../evaluation/dataset/chunks.ts'
import { type ColumnMap, mapColumns } from '../../evaluation/dataset/map-columns.ts'
import { pickPlaces } from '../../evaluation/dataset/pick-places.ts'
import { isUnfit, type RowFormat, rowFormats } from '../../evaluation/dataset/row-formats/index.ts'
import { inRange, mostRows, type RowRange, rangeIndexes, readRange } from '../../evaluation/dataset/row-range.ts'
import { type FirstRows, firstRowsCount } from '../../evaluation/run/ask/check-columns.ts'
import type { CsvDelimiter } from '../../python/library/csv-reader.ts'
import { expandPaths } from './expand-paths.ts'
import { openLoaderRows } from './loader-rows.ts'
import { withMediaColumns } from './media-columns.ts'
import { openRowFiles } from './named-files.ts'
import { type ReadRowsOptions, type RowFileType, readChunks } from './read-rows.ts'
import type { NumberedRow, RowSource, RowsConfig, Skipped } from './row-source.ts'

export type { NumberedRow, RowSource, RowsConfig } from './row-source.ts'

const reasonsKept = 10

/** Opens the test rows and the rows for examples, each within its range. Nothing is read yet. */
export function openRows(dataset: RowsConfig, folder: string): { test: RowSource; train: RowSource } {
  if (isLoaded(dataset)) return openLoaderRows(dataset, folder)
  const name = dataset.abbr ?? 'dataset'
  const testOrigin = dataset.rows ?? rowsOfTask(dataset) ?? dataset.path
  const trainOrigin = dataset.train_rows ?? dataset.train_path ?? testOrigin
  const format = formatOf(dataset.row_format, `${name} › row_format`)
  const open = (origin: Origin | undefined, key: 'test_range' | 'train_range') =>
    sourceOf(origin, {
      name,
      folder,
      format,
      columns: dataset.columns,
      fileType: dataset.file_type,
      delimiter: dataset.delimiter,
      map: dataset.map_columns,
      media: dataset.media_columns && { columns: dataset.media_columns, root: dataset.media_root },
      answers: origin === dataset.path ? dataset.answers_path : undefined,
      range: readRange(dataset.reader_cfg?.[key], `${name} › reader_cfg.${key}`),
      onBadRow: dataset.on_bad_row,
    })
  return { test: open(testOrigin, 'test_range'), train: open(trainOrigin, 'train_range') }
}

/** The documents of an lm-evaluation-harness task, stored in its config. */
function rowsOfTask({ lm_eval: task }: RowsConfig): readonly object[] | undefined {
  return task?.rows === undefined ? undefined : taskRows(task.rows as readonly string[])
}

function isLoaded(dataset: RowsConfig): dataset is RowsConfig & { type: string } {
  return dataset.type !== undefined && dataset.rows === undefined
}

/** Rows, or paths of files with rows. */
type Origin = readonly object[] | string | readonly string[]

type SourceOptions = {
  name: string
  folder: string
  range: RowRange
  onBadRow: 'error' | 'skip' | undefined
  format: RowFormat | undefined
  columns: readonly string[] | undefined
  fileType: RowFileType | undefined
  delimiter: CsvDelimiter | undefined
  map: ColumnMap | undefined
  media: { columns: readonly string[]; root: string | readonly string[] | undefined } | undefined
  /** The file with the answers, if they are separate. */
  answers: string | undefined
}

function formatOf(name: string | undefined, where: string): RowFormat | undefined {
  if (name === undefined || Object.hasOwn(rowFormats, name)) return name === undefined ? undefined : rowFormats[name]
  throw new PromptError('unknown-row-format', {
    where,
    problem: `there is no row format "${name}"`,
    fix: suggestName(name, Object.keys(rowFormats)),
  })
}

function isPaths(origin: Origin | undefined): origin is string | readonly string[] {
  return typeof origin === 'string' || (origin !== undefined && origin.length > 0 && typeof origin[0] === 'string')
}

function sourceOf(origin: Origin | undefined, options: SourceOptions): RowSource {
  const { name, folder, range, onBadRow = 'error', format, columns, fileType, delimiter, map, media, answers } = options
  const skipped: Skipped = { count: 0, reasons: [] }
  const onSkip = (why: PromptError) => {
    skipped.count++
    if (skipped.reasons.length < reasonsKept) skipped.reasons.push(why)
  }
  const all = (): Chunks<Row> => {
    const read = (paths: string | readonly string[], key: string, options: ReadRowsOptions) =>
      readFiles(expandPaths(paths, folder, `${name} › ${key}`), {
        ...(columns ? { columns } : {}),
        ...(fileType ? { fileType } : {}),
        ...(delimiter ? { delimiter } : {}),
        ...options,
      })
    if (isPaths(origin) && answers === undefined) return read(origin, 'path', { onBadRow, onSkip })
    // Skipping a row would shift all answers after it.
    if (isPaths(origin)) return joinAnswers(read(origin, 'path', {}), read(answers!, 'answers_path', {}), `${name} › answers_path`)
    if (origin) return single(origin as readonly Row[])
    throw new PromptError('missing', {
      where: `${name} › path`,
      problem: 'the dataset has no rows',
      fix: 'set path to a file, or write rows: [{ … }]',
    })
  }
  const chunks = () => {
    skipped.count = 0
    skipped.reasons = []
    const reads = [
      ...(map ? [(row: Row) => mapColumns(row, map)] : []),
      ...(format ? [format.read] : []),
      ...(media ? [withMedia(media, isPaths(origin) ? expandPaths(origin, folder, `${name} › path`) : [], folder)] : []),
    ]
    return inRange(numbered(reads.length > 0 ? converted(all(), reads, { name, onBadRow, onSkip }) : all()), range)
  }
  return {
    origin: isPaths(origin)
      ? [origin]
          .flat()
          .map((path) => resolve(folder, path))
          .join('\0')
      : origin,
    total: isPaths(origin) || !origin || format || map || media ? undefined : rangeIndexes(range, origin.length).length,
    most: mostRows(range),
    skipped,
    chunks,
    [Symbol.asyncIterator]: () => oneByOne(chunks()),
  }
}

/** The rows of several files in sequence. */
async function* readFiles(paths: readonly string[], options: ReadRowsOptions): AsyncGenerator<Iterable<Row>> {
  for (const path of paths) yield* readChunks(shortPath(path), options)
}

/** Reads the columns of media: rows may name files below the folders of these data files, and below the config's `media_root`. */
function withMedia({ columns, root }: NonNullable<SourceOptions['media']>, dataFiles: readonly string[], folder: string): ReadRow {
  const files = openRowFiles(dataFiles, { folder, root })
  return (row) => withMediaColumns(row, columns, files)
}

/** Allows the files that the rows of a dataset may name, without reading any rows: another process does. */
export function allowRowFiles({ path = [], train_path: train = [], media_root: root, abbr = 'dataset' }: RowsConfig, folder: string): void {
  const files = attempt(() => expandPaths([path, train].flat(), folder, `${abbr} › path`)) ?? []
  openRowFiles(files, { folder, root })
}

type FormatOptions = { name: string; onBadRow: 'error' | 'skip'; onSkip: (why: PromptError) => void }

type ReadRow = RowFormat['read']

/** Applies each conversion to every row. */
async function* converted(rows: Chunks<Row>, reads: readonly ReadRow[], options: FormatOptions): AsyncGenerator<Iterable<Row>> {
  const { name, onBadRow, onSkip } = options
  let number = 0
  function* read(chunk: Iterable<Row>): Generator<Row> {
    for (const given of chunk) {
      const found = reads.reduce((row: ReturnType<ReadRow>, read) => (isUnfit(row) ? row : read(row)), given)
      if (isUnfit(found)) {
        const error = new PromptError('bad-row', { where: `${name} › row ${number}`, ...found })
        if (onBadRow === 'error') throw error
        onSkip(error)
      } else yield found
      number++
    }
  }
  for await (const chunk of rows) yield read(chunk)
}

async function* single(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows
}

async function* numbered(rows: Chunks<Row>): AsyncGenerator<Iterable<NumberedRow>> {
  let number = 0
  function* counted(chunk: Iterable<Row>): Generator<NumberedRow> {
    for (const row of chunk) yield { row, number: number++ }
  }
  for await (const chunk of rows) yield counted(chunk)
}

/** The path relative to the working folder if it is inside, for error messages. */
function shortPath(path: string): string {
  const short = relative(process.cwd(), path)
  return short === '' || short.startsWith('..') ? path : short
}

/**
 * The rows at these positions, and how many rows were read to find them; negative positions count from the end. Without positions,
 * nothing is read.
 */
export async function takeRows(source: RowSource, numbers: readonly number[]): Promise<{ rows: Map<number, NumberedRow>; seen: number }> {
  const picking = pickPlaces<NumberedRow>(numbers)
  if (numbers.length > 0) for await (const row of source) if (!picking.look(row)) break
  return { rows: picking.found(), seen: picking.seen() }
}

/** Every row of a source. */
export async function allRows(source: RowSource): Promise<Row[]> {
  const rows: Row[] = []
  for await (const { row } of source) rows.push(row)
  return rows
}

/** Notes on the rows skipped so far. */
export function skippedNotes({ skipped: { count, reasons } }: Pick<RowSource, 'skipped'>): Note[] {
  const notes = reasons.map(({ where, problem }): Note => ({ code: 'skipped-row', where, text: `skipped a bad row: ${problem}` }))
  const more = count - reasons.length
  return more > 0 ? [...notes, { code: 'skipped-row', text: `skipped ${more} more bad rows` }] : notes
}

/** The first rows of a dataset, to detect missing columns; files are read no further. */
export async function firstRows(dataset: RowsConfig, folder: string): Promise<FirstRows> {
  const { test, train } = openRows(dataset, folder)
  const asked = await first(test)
  return train.origin === test.origin ? { asked } : { asked, examples: await first(train) }
}

async function first(source: RowSource): Promise<Row[]> {
  const rows: Row[] = []
  for await (const { row } of source) {
    rows.push(row)
    if (rows.length >= firstRowsCount) break
  }
  return rows
}

/** Adds the columns of an answers file, row by row; existing columns win. */
async function* joinAnswers(rows: Chunks<Row>, answers: Chunks<Row>, path: string): AsyncGenerator<Iterable<Row>> {
  const others = oneByOne(answers)
  let number = 0
  try {
    for await (const chunk of rows) {
      const joined: Row[] = []
      for (const row of chunk) joined.push(join(row, (await others.next()).value as Row | undefined, `${path}, row ${number++}`))
      yield joined
    }
  } finally {
    await others.return(undefined)
  }
}

function join(row: Row, answer: Row | undefined, where: string): Row {
  if (answer === undefined) {
    throw new PromptError('no-answer-row', {
      where,
      problem: 'the file has fewer rows than the questions',
      fix: 'give it one row per question, in the same order',
    })
  }
  const [id, other] = [dictGet(row, 'id'), dictGet(answer, 'id')]
  if (id !== undefined && other !== undefined && !pyEqual(id, other)) {
    throw new PromptError('other-answer-row', {
      where,
      problem: `the answer belongs to ${JSON.stringify(other)}, but the question is ${JSON.stringify(id)}`,
      fix: 'sort the answers like the questions',
    })
  }
  return dictFromEntries([...dictEntries(answer), ...dictEntries(row)])
}
