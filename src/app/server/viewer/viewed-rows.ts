import { createWriteStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { type PyValue, parseJson, stringifyJson } from '../../../base/python/index.ts'
import type { DatasetConfig } from '../../../evaluation/config/config-schema.ts'
import { chooseExamples, choosesByRow } from '../../../evaluation/dataset/retrieve/choose-examples.ts'
import { examplesOf } from '../../../prompt/conversation/examples-of.ts'
import type { Row } from '../../../prompt/conversation/row.ts'
import { jiebaWords } from '../../node/jieba-words.ts'
import { embedderOf } from '../../node/models/embedder-of.ts'
import { allRows, openRows, skippedNotes, takeRows } from '../../node/rows/open-rows.ts'
import { LineFile } from './line-file.ts'
import { shortRow } from './short-text.ts'
import { listPart, type RowFile, type RowList } from './viewer-data.ts'

/** So much of a row is read to show it in a list. */
const previewBytes = 600

/** A dataset's rows for those who look at some of them: any row is read without those before it. */
export class DatasetRows {
  readonly #dataset: DatasetConfig
  readonly #folder: string
  #lines: Promise<Lines> | undefined
  #isClosed = false
  #examples: Promise<Examples> | undefined

  constructor(dataset: DatasetConfig, folder: string) {
    this.#dataset = dataset
    this.#folder = folder
  }

  /** A part of the rows in short. */
  async list(part: number): Promise<RowList> {
    const { file } = await this.#open()
    const lines = await file.read(part * listPart, listPart, previewBytes)
    return { total: file.count, previews: lines.map((line) => shortRow(line)) }
  }

  /** Some rows, whole, with their examples. */
  async rows(from: number, count: number): Promise<RowFile> {
    const { file, notes } = await this.#open()
    const lines = await file.read(from, count)
    if (lines.length === 0) {
      throw new PromptError('no-row', {
        where: this.#dataset.abbr ?? 'dataset',
        problem: `there is no row ${from}: it has ${file.count} rows`,
        fix: 'choose a smaller number',
      })
    }
    this.#examples ??= this.#findExamples()
    const { examplesFor } = await this.#examples
    const texts = new Map<string, number>()
    const rows: RowFile['rows'][number][] = []
    for (const [index, row] of lines.entries()) {
      const { examples, own } = await examplesFor(row, from + index)
      for (const text of examples) if (!texts.has(text)) texts.set(text, texts.size)
      rows.push({ row, examples: examples.map((text) => texts.get(text)!), own })
    }
    return { texts: [...texts.keys()], rows, notes }
  }

  /** What rows with these numbers ask, in short: their input columns, where the dataset names them. */
  async previews(numbers: readonly number[]): Promise<string[]> {
    const columns = [this.#dataset.reader_cfg?.input_columns ?? []].flat()
    return (await this.texts(numbers, previewBytes)).map((line) => shortRow(line, columns))
  }

  /** The rows with these numbers as JSON, each at most so many bytes. */
  async texts(numbers: readonly number[], most?: number): Promise<string[]> {
    const { file } = await this.#open()
    const [first = 0] = numbers
    const last = numbers.at(-1) ?? first
    // Numbers of a run follow each other but for rows that are still to come.
    if (last - first < 2 * numbers.length) {
      const lines = await file.read(first, last - first + 1, most)
      return numbers.map((number) => lines[number - first] ?? '')
    }
    return Promise.all(numbers.map(async (number) => (await file.read(number, 1, most))[0] ?? ''))
  }

  /** Every row as JSON, a chunk at a time. */
  async *chunks(): AsyncGenerator<{ first: number; lines: string[] }> {
    yield* (await this.#open()).file.chunks()
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

  /** A file with one row a line, all of which are asked. */
  #plainFile(): string | undefined {
    const {
      rows,
      path,
      row_format: format,
      answers_path: answers,
      file_type: fileType,
      type,
      reader_cfg: reader,
      on_bad_row: onBadRow,
    } = this.#dataset
    const isPlain = typeof path === 'string' && /\.(jsonl|ndjson)$/i.test(path) && !/[*?{]/.test(path)
    return isPlain && !rows && !format && !answers && !fileType && !type && (reader?.test_range ?? null) === null && onBadRow !== 'skip'
      ? path
      : undefined
  }

  async #index(path: string): Promise<Lines> {
    if (!existsSync(path))
      throw new PromptError('no-file', { where: path, problem: 'there is no such file', fix: 'check the path in the config' })
    const file = await scanned(path)
    if (!file.hasLoneReturns) return { file, notes: [] }
    await file.close()
    return this.#copy()
  }

  /** Rows of other files are written line by line into one that can be read from anywhere. */
  async #copy(): Promise<Lines> {
    const folder = mkdtempSync(join(tmpdir(), 'rolecall-view-'))
    const remove = () => rmSync(folder, { recursive: true, force: true })
    try {
      const path = join(folder, 'rows.jsonl')
      const stream = createWriteStream(path)
      const { test } = openRows(this.#dataset, this.#folder)
      for await (const { row } of test) {
        if (!stream.write(`${stringifyJson(row, { ensureAscii: false })}\n`))
          await new Promise<void>((drained) => stream.once('drain', () => drained()))
      }
      await new Promise<void>((ended, failed) => stream.once('error', failed).end(() => ended()))
      const file = await scanned(path)
      return { file, notes: skippedNotes(test), remove }
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
          return { examples: examples.map(written), own: undefined }
        },
      }
    }
    const ids = dataset.infer_cfg.retriever?.fix_id_list ?? []
    const { rows } = await takeRows(train, ids)
    const found = examplesOf(dataset, (id) => rows.get(id)?.row)
    // The row that is asked is told from one that only looks the same: by its number in the same file.
    const numbers =
      found.length > 0 && train.origin === test.origin && !dataset.reader_cfg?.test_range ? ids.map((id) => rows.get(id)!.number) : []
    const examples = found.map(written)
    return {
      async examplesFor(_, number) {
        const own = numbers.indexOf(number)
        return { examples, own: own < 0 ? undefined : own }
      },
    }
  }
}

type Lines = { file: LineFile; notes: RowFile['notes']; remove?: () => void }
type Examples = { examplesFor(text: string, number: number): Promise<{ examples: string[]; own: number | undefined }> }

/** A file whose lines are found; closed again where it cannot be read. */
async function scanned(path: string): Promise<LineFile> {
  const file = new LineFile(path)
  try {
    await file.scan({ whole: true })
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

function written(row: Row): string {
  return stringifyJson(row as PyValue, { ensureAscii: false })
}
