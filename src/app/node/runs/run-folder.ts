import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type PyValue, stringifyJson } from '../../../base/python/index.ts'
import { answersTable, hasUnread } from '../../../evaluation/run/record/answers-table.ts'
import { totalsText } from '../../../evaluation/run/record/cost.ts'
import { figuresByTables } from '../../../evaluation/run/record/figures-by.ts'
import { mainFigure } from '../../../evaluation/run/record/main-figure.ts'
import { isSamePair, modelText, type PairName } from '../../../evaluation/run/record/pair-name.ts'
import { plainTable, resultsTable } from '../../../evaluation/run/record/results-table.ts'
import type { PairResult, RunSummary } from '../../../evaluation/run/record/run-record.ts'
import { summaryCsv } from '../../../evaluation/run/record/summary-csv.ts'
import { groupLines, remarksOf, summaryMarkdown } from '../../../evaluation/run/record/summary-markdown.ts'
import type { Pair, RowStore } from '../../../evaluation/run/run-pairs.ts'
import { RecordWriter } from './records/record-writer.ts'
import { layOut, type PairFiles, type RunInfo, runFiles, runVersion } from './run-layout.ts'

/** What is known of a run when it starts; the files of its pairs where they are laid out already. */
type RunStart = Pick<RunInfo, 'name' | 'started' | 'rolecall' | 'config' | 'folder' | 'options'> & { pairs?: PairFiles[] }

/**
 * The folder that a run writes: `configs/` (what was run), `predictions/<model>/<dataset>.jsonl` (a line for each row),
 * `results/<model>/<dataset>.json` (the figures of a pair), `summary/` (the figures of the run in several forms).
 */
export class RunFolder {
  readonly path: string
  readonly info: RunInfo
  readonly #open = new Map<string, RecordWriter>()
  /** Files of pairs that have ended since they were last synced. */
  #ended: RecordWriter[] = []
  /** What was found broken and put right. */
  readonly repairs: string[] = []
  /** Rows that were there, but with other prompts, models or settings. */
  rerunRows = 0

  readonly #config: PyValue
  readonly #mayWrite: () => void

  /** `mayWrite` is asked before anything is written, and throws where the folder is another's by now. */
  constructor(path: string, info: RunStart, pairs: readonly Pair[], config: PyValue, mayWrite: () => void = () => {}) {
    this.path = path
    this.#mayWrite = mayWrite
    const files = info.pairs ?? layOut(pairs.map(({ name }) => name))
    this.info = { version: runVersion, ...info, pairs: files.map((one) => withFigure(one, pairs)) } as RunInfo
    this.#config = config
    process.on('exit', this.#flush)
  }

  /** Lines wait some milliseconds for others, which a process that exits does not. */
  readonly #flush = () => {
    for (const writer of this.#open.values()) {
      try {
        writer.flush()
      } catch {
        // Nobody is left who could hear of it; those rows are asked again.
      }
    }
  }

  /** Writes what is run. A config that is there and differs is kept as `configs/config-1.json`, and so on. */
  begin(): void {
    const file = join(this.path, runFiles.config)
    const text = `${stringifyJson(this.#config, { indent: 2, ensureAscii: false })}\n`
    if (existsSync(file) && readFileSync(file, 'utf8') !== text) {
      let number = 1
      while (existsSync(join(this.path, `configs/config-${number}.json`))) number++
      renameSync(file, join(this.path, `configs/config-${number}.json`))
    }
    this.#write(runFiles.config, text)
    this.#write(runFiles.info, `${JSON.stringify(this.info, null, 2)}\n`)
  }

  /**
   * The rows of a pair: those that are there from before, and those that are added. To score again, what was asked must be
   * the same (`by: 'question'`); to ask, also the model and its settings.
   */
  storeFor(pair: Pair, by: 'key' | 'question' = 'key'): RowStore {
    const { predictions } = this.#filesOf(pair.name)
    const writer = new RecordWriter(join(this.path, predictions), this.#mayWrite)
    this.#open.set(predictions, writer)
    const { bytes, lines } = writer.repaired
    if (bytes > 0) this.repairs.push(`${predictions}: ${bytes} bytes of a torn last line were cut off`)
    if (lines > 0) this.repairs.push(`${predictions}: ${lines} lines that are not records were left out`)
    return {
      find: (id, key, anyRow) => (by === 'question' ? writer.findQuestion(id, key) : writer.find(id, key, anyRow)),
      known: () => writer.known(),
      add: (record) => {
        if (writer.differs(record.id, record.key)) this.rerunRows++
        writer.add(record)
      },
      end: () => {
        writer.close({ sort: true })
        this.#open.delete(predictions)
        this.#ended.push(writer)
      },
    }
  }

  /** Has all rows that were added put on the disk. */
  async sync(): Promise<void> {
    const ended = this.#ended
    this.#ended = []
    await Promise.all([...[...this.#open.values()].map((writer) => writer.sync()), ...ended.map(({ settled }) => settled)])
  }

  /** Whether a row of an open pair is there, whatever it was asked. */
  has(pair: Pair, id: number): boolean {
    return this.#open.get(this.#filesOf(pair.name).predictions)?.has(id) ?? false
  }

  /** Whether anything was answered. */
  hasRows(): boolean {
    return this.info.pairs.some(({ predictions }) => (statSync(join(this.path, predictions), { throwIfNoEntry: false })?.size ?? 0) > 0)
  }

  writeResult(result: PairResult): void {
    this.#write(this.#filesOf(result).results, `${JSON.stringify(result, null, 2)}\n`)
  }

  writeSummary(summary: RunSummary): void {
    const { json, markdown, csv, text } = runFiles.summary
    this.#write(markdown, summaryMarkdown(summary))
    this.#write(csv, summaryCsv(summary))
    this.#write(text, summaryText(summary))
    this.#write(json, `${JSON.stringify(summary, null, 2)}\n`)
  }

  /** Ends the files of pairs that were not finished. */
  close(): void {
    process.removeListener('exit', this.#flush)
    const failures = [...this.#open.values()].flatMap((writer) => {
      try {
        writer.close({ sort: false })
        return []
      } catch (error) {
        return [error]
      }
    })
    this.#open.clear()
    if (failures.length > 0) throw failures[0]
  }

  #filesOf(name: PairName): PairFiles {
    return this.info.pairs.find((files) => isSamePair(files, name))!
  }

  /** Whoever reads meanwhile, or after a crash, finds the old file or the new one, never a part. */
  #write(name: string, text: string): void {
    this.#mayWrite()
    const file = join(this.path, name)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }
}

/** A pair's files, and what its rows are scored by this time. */
function withFigure(files: PairFiles, pairs: readonly Pair[]): PairFiles {
  const pair = pairs.find(({ name }) => isSamePair(name, files))
  return pair ? { ...files, figure: mainFigure(pair.evaluator) } : files
}

/** A file has no width, but somebody reads it in a terminal. */
const textWidth = 160

function summaryText(summary: RunSummary): string {
  const { results, totals } = summary
  if (results.length === 0) return ''
  const remarks = results.flatMap((result) => remarksOf(result).map((remark) => `${modelText(result)} · ${result.dataset}: ${remark}`))
  const unread = results.filter(hasUnread)
  const answers = unread.length === 0 ? [] : [plainTable(answersTable(unread))]
  const byColumns = figuresByTables(results).map(({ title, table }) => [title, plainTable(table)])
  const paragraphs = [
    [resultsTable(results, textWidth)],
    answers,
    ...byColumns,
    groupLines(summary),
    [...new Set(remarks)],
    totals ? [totalsText(totals)] : [],
  ]
  return `${paragraphs
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}
