import { createWriteStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Row } from '@rolecall/core/internal/conversation'
import { examplesOf } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { type PyValue, parseJson, stringifyJson } from '@rolecall/core/internal/python'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import { chooseExamples, choosesByRow } from '../../evaluation/dataset/retrieve/choose-examples.ts'
import { jiebaWords } from '../../node/jieba-words.ts'
import { embedderOf } from '../../node/models/embedder-of.ts'
import { allRows, openRows, skippedNotes, takeRows } from '../../node/rows/open-rows.ts'
import { LineFile } from './line-file.ts'
import type { RecordedRows } from './recorded-rows.ts'
import { rowText, shortRow } from './short-text.ts'
import { listPageSize, type RowList, type RowPage } from './viewer-data.ts'

/** How much of a row is read for a list. */
const previewBytes = 600

/** In place of a row that is not what was run. */
const withheld = '{}'

/** Random access to the rows of a dataset. */
export class ViewedRows {
  readonly #dataset: DatasetConfig
  readonly #folder: string
  readonly #recorded: RecordedRows | undefined
  /** The rows that are known to be recorded. */
  readonly #shown = new Set<number>()
  #lines: Promise<Lines> | undefined
  #isClosed = false
  #examples: Promise<Examples> | undefined

  /** `recorded`: only rows that a run recorded are shown. */
  constructor(dataset: DatasetConfig, folder: string, recorded?: RecordedRows) {
    this.#dataset = dataset
    this.#folder = folder
    this.#recorded = recorded
  }

  /** A page of previews. */
  async list(part: number): Promise<RowList> {
    const { file } = await this.#open()
    const lines = await this.#read(file, part * listPageSize, listPageSize, previewBytes)
    return { total: file.count, previews: lines.map((line) => shortRow(line)) }
  }

  /** Complete rows with their examples. */
  async rows(from: number, count: number): Promise<RowPage> {
    const { file, notes } = await this.#open()
    const lines = await this.#read(file, from, count)
    if (lines.length === 0) {
      throw new PromptError('no-row', {
        where: this.#dataset.abbr ?? 'dataset',
        problem: `row ${from} does not exist: the dataset has ${file.count} rows`,
        fix: 'choose a smaller number',
      })
    }
    this.#examples ??= this.#findExamples()
    const { examplesFor } = await this.#examples
    const texts = new Map<string, number>()
    const rows: RowPage['rows'][number][] = []
    for (const [index, row] of lines.entries()) {
      if (!this.#mayShow(from + index, row)) {
        rows.push({ row: withheld, examples: [], withheld: 'row' })
        continue
      }
      const { examples, own } = await examplesFor(row, from + index)
      if (examples.length > 0 && !this.#hasExamples(from + index, row, examples)) {
        rows.push({ row, examples: [], withheld: 'examples' })
        continue
      }
      for (const text of examples) if (!texts.has(text)) texts.set(text, texts.size)
      rows.push({ row, examples: examples.map((text) => texts.get(text)!), own })
    }
    return { texts: [...texts.keys()], rows, notes }
  }

  /** Previews of rows: their input columns, if the dataset names them. */
  async previews(numbers: readonly number[]): Promise<string[]> {
    return (await this.texts(numbers, previewBytes)).map((line) => shortRow(line, this.#inputs))
  }

  /** The input columns of rows, in full. */
  async questions(numbers: readonly number[]): Promise<string[]> {
    return (await this.texts(numbers)).map((line) => rowText(line, this.#inputs))
  }

  /** Rows as JSON, each cut after `maxBytes`. */
  async texts(numbers: readonly number[], maxBytes?: number): Promise<string[]> {
    const { file } = await this.#open()
    if (numbers.length === 0) return []
    const [first, last] = [Math.min(...numbers), Math.max(...numbers)]
    // The rows of a run are consecutive, except for unfinished ones.
    if (last - first < 2 * numbers.length) {
      const lines = await this.#read(file, first, last - first + 1, maxBytes)
      return numbers.map((number) => lines[number - first] ?? '')
    }
    return Promise.all(numbers.map(async (number) => (await this.#read(file, number, 1, maxBytes))[0] ?? ''))
  }

  /** All rows as JSON, in chunks. */
  async *chunks(): AsyncGenerator<{ first: number; lines: string[] }> {
    const { file } = await this.#open()
    for await (const { first, lines } of file.chunks())
      yield { first, lines: lines.map((line, index) => (this.#mayShow(first + index, line) ? line : withheld)) }
  }

  /** Rows that may be shown; whether one may is known only of a whole row. */
  async #read(file: LineFile, from: number, count: number, maxBytes?: number): Promise<string[]> {
    const lines = await file.read(from, count, this.#recorded ? undefined : maxBytes)
    return lines.map((line, index) => (this.#mayShow(from + index, line) ? line : withheld))
  }

  #mayShow(number: number, line: string): boolean {
    if (!this.#recorded || this.#shown.has(number)) return true
    if (!this.#recorded.isRecorded(number, line)) return false
    this.#shown.add(number)
    return true
  }

  #hasExamples(number: number, row: string, examples: readonly string[]): boolean {
    if (!this.#recorded) return true
    return this.#recorded.hasExamples(
      number,
      row,
      examples.map((text) => parseJson(text) as Row),
    )
  }

  get #inputs(): readonly string[] {
    return [this.#dataset.reader_cfg?.input_columns ?? []].flat()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const lines = await this.#lines?.catch(() => undefined)
    await lines?.file.close()
    lines?.remove?.()
  }

  #open(): Promise<Lines> {
    if (this.#isClosed) return Promise.reject(new Error('the rows are closed'))
    const plain = this.#plainFile()
    this.#lines ??= plain === undefined ? this.#copy() : this.#index(resolve(this.#folder, plain))
    return this.#lines
  }

  /** The dataset's file, if it has one row per line and all of them are used. */
  #plainFile(): string | undefined {
    const {
      rows,
      path,
      row_format: format,
      map_columns: map,
      answers_path: answers,
      file_type: fileType,
      type,
      media_columns: media,
      reader_cfg: reader,
      on_bad_row: onBadRow,
    } = this.#dataset
    const isPlain = typeof path === 'string' && /\.(jsonl|ndjson)$/i.test(path) && !/[*?{]/.test(path)
    return isPlain &&
      !rows &&
      !format &&
      !map &&
      !answers &&
      !fileType &&
      !type &&
      !media &&
      (reader?.test_range ?? null) === null &&
      onBadRow !== 'skip'
      ? path
      : undefined
  }

  async #index(path: string): Promise<Lines> {
    if (!existsSync(path)) throw new PromptError('no-file', { where: path, problem: 'file not found', fix: 'check the path in the config' })
    const file = await scanFile(path)
    if (!file.hasLoneReturns) return { file, notes: [] }
    await file.close()
    return this.#copy()
  }

  /** Copies the rows of other formats into a temporary JSON Lines file. */
  async #copy(): Promise<Lines> {
    const folder = mkdtempSync(join(tmpdir(), 'rolecall-view-'))
    const remove = () => rmSync(folder, { recursive: true, force: true })
    try {
      const path = join(folder, 'rows.jsonl')
      const { test } = openRows(this.#dataset, this.#folder)
      await writeLines(path, test)
      const file = await scanFile(path)
      const { count } = test.skipped
      // The reasons quote the rows.
      return { file, notes: skippedNotes(this.#recorded ? { skipped: { count, reasons: [] } } : test), remove }
    } catch (error) {
      remove()
      throw error
    }
  }

  async #findExamples(): Promise<Examples> {
    const dataset = this.#dataset
    const { test, train } = openRows(dataset, this.#folder)
    if (choosesByRow(dataset)) {
      const { examplesFor } = await chooseExamples(dataset, await allRows(train), embedderOf(dataset), undefined, jiebaWords())
      return {
        async examplesFor(text, number) {
          const examples = await examplesFor(parseJson(text) as Row, number)
          return { examples: examples.map(rowJson), own: undefined }
        },
      }
    }
    const ids = dataset.infer_cfg.retriever?.fix_id_list ?? []
    const { rows } = await takeRows(train, ids)
    const found = examplesOf(dataset, (id) => rows.get(id)?.row)
    // A row among its own examples is recognised by its number in the same file: other rows may look the same.
    const numbers =
      found.length > 0 && train.origin === test.origin && !dataset.reader_cfg?.test_range ? ids.map((id) => rows.get(id)!.number) : []
    const examples = found.map(rowJson)
    return {
      async examplesFor(_, number) {
        const own = numbers.indexOf(number)
        return { examples, own: own < 0 ? undefined : own }
      },
    }
  }
}

type Lines = { file: LineFile; notes: RowPage['notes']; remove?: () => void }
type Examples = { examplesFor(text: string, number: number): Promise<{ examples: string[]; own: number | undefined }> }

async function writeLines(path: string, rows: AsyncIterable<{ row: Row }>): Promise<void> {
  async function* lines() {
    for await (const { row } of rows) yield `${rowJson(row)}\n`
  }
  const stream = createWriteStream(path)
  // Rows may fail before the file is open: an unhandled error of the stream would end the process.
  stream.on('error', () => undefined)
  const isClosed = new Promise<void>((closed) => stream.once('close', () => closed()))
  try {
    await pipeline(lines, stream)
  } finally {
    // Its folder is removed after a failure.
    await isClosed
  }
}

/** Indexes the lines of a file; closes it on failure. */
async function scanFile(path: string): Promise<LineFile> {
  const file = new LineFile(path)
  try {
    await file.scan({ isComplete: true })
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

function rowJson(row: Row): string {
  return stringifyJson(row as PyValue, { ensureAscii: false })
}
