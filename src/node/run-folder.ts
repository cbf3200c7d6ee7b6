import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type PyValue, stringifyJson } from '../python/index.ts'
import { resultsTable } from '../report/results-table.ts'
import type { PairResult, RunSummary } from '../report/run-record.ts'
import { summaryCsv } from '../report/summary-csv.ts'
import { remarksOf, summaryMarkdown } from '../report/summary-markdown.ts'
import type { Pair, RowStore } from '../run.ts'
import { RecordWriter } from './records/record-writer.ts'
import { layOut, type PairFiles, type RunInfo, runFiles } from './run-layout.ts'

/**
 * The folder that a run writes: `configs/` (what was run), `predictions/<model>/<dataset>.jsonl` (a line for each row),
 * `results/<model>/<dataset>.json` (the figures of a pair), `summary/` (the figures of the run in several forms).
 */
export class RunFolder {
  readonly path: string
  readonly info: RunInfo
  readonly #open = new Map<string, RecordWriter>()
  /** What was found broken and put right. */
  readonly repairs: string[] = []

  constructor(path: string, info: Omit<RunInfo, 'version' | 'pairs'>, pairs: readonly Pair[], config: PyValue) {
    this.path = path
    this.info = { version: 1, ...info, pairs: layOut(pairs.map(({ name }) => name)) } as RunInfo
    this.#write(runFiles.config, `${stringifyJson(config, { indent: 2, ensureAscii: false })}\n`)
    this.#write(runFiles.info, `${JSON.stringify(this.info, null, 2)}\n`)
  }

  /** The rows of a pair: those that are there from before, and those that are added. */
  storeFor(pair: Pair): RowStore {
    const { predictions } = this.#filesOf(pair.name)
    const writer = new RecordWriter(join(this.path, predictions))
    this.#open.set(predictions, writer)
    const { bytes, lines } = writer.repaired
    if (bytes > 0) this.repairs.push(`${predictions}: ${bytes} bytes of a torn last line were cut off`)
    if (lines > 0) this.repairs.push(`${predictions}: ${lines} lines that are no records were left out`)
    return {
      find: (id, key, anyRow) => writer.find(id, key, anyRow),
      add: (record) => writer.add(record),
      end: () => {
        writer.close({ sort: true })
        this.#open.delete(predictions)
      },
    }
  }

  writeResult(result: PairResult): void {
    this.#write(this.#filesOf(result).results, `${JSON.stringify(result, null, 2)}\n`)
  }

  writeSummary(summary: RunSummary): void {
    const { json, markdown, csv, text } = runFiles.summary
    this.#write(markdown, summaryMarkdown(summary))
    this.#write(csv, summaryCsv(summary.results))
    this.#write(text, summaryText(summary))
    this.#write(json, `${JSON.stringify(summary, null, 2)}\n`)
  }

  /** Ends the files of pairs that were not finished. */
  close(): void {
    for (const writer of this.#open.values()) writer.close({ sort: false })
    this.#open.clear()
  }

  #filesOf({ model, dataset }: { model: string; dataset: string }): PairFiles {
    return this.info.pairs.find((files) => files.model === model && files.dataset === dataset)!
  }

  /** Whoever reads meanwhile, or after a crash, finds the old file or the new one, never a part. */
  #write(name: string, text: string): void {
    const file = join(this.path, name)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }
}

/** A file has no width, but somebody reads it in a terminal. */
const textWidth = 160

function summaryText(summary: RunSummary): string {
  const { results } = summary
  if (results.length === 0) return ''
  const remarks = results.flatMap((result) => remarksOf(result).map((remark) => `${result.model} · ${result.dataset}: ${remark}`))
  return `${[resultsTable(results, textWidth), ...(remarks.length > 0 ? ['', ...new Set(remarks)] : [])].join('\n')}\n`
}
