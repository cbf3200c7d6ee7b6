import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import { answersTable, hasUnread } from '../../evaluation/run/record/answers-table.ts'
import { columnMetricTables } from '../../evaluation/run/record/column-metrics.ts'
import { spendingLines } from '../../evaluation/run/record/cost.ts'
import { verdictsTable } from '../../evaluation/run/record/judge-verdicts.ts'
import { mainMetric } from '../../evaluation/run/record/main-metric.ts'
import { isSamePair, modelText, type PairName } from '../../evaluation/run/record/pair-name.ts'
import { replacedTokens } from '../../evaluation/run/record/replaced-tokens.ts'
import { plainTable, resultsTable } from '../../evaluation/run/record/results-table.ts'
import type { PairResult, RowRecord, RunSummary } from '../../evaluation/run/record/run-record.ts'
import { shownResults } from '../../evaluation/run/record/shown-results.ts'
import { summaryCsv } from '../../evaluation/run/record/summary-csv.ts'
import { groupLines, remarksOf, summaryMarkdown } from '../../evaluation/run/record/summary-markdown.ts'
import type { Pair, RowStore } from '../../evaluation/run/run-pairs.ts'
import { usedHubSources } from '../hub/local-paths.ts'
import { changedSettings } from './changed-settings.ts'
import { fileInRun, isInRun, textInRun } from './file-in-run.ts'
import { isOwnRun, markOfRun } from './own-run.ts'
import { RecordWriter } from './records/record-writer.ts'
import { addReplaced } from './replaced-answers.ts'
import { layOut, type PairFiles, type RunInfo, readResult, readRunInfo, runFiles, runVersion } from './run-layout.ts'

/** The run info at the start; `pairs` if their files are already assigned. */
type RunStart = Pick<RunInfo, 'name' | 'started' | 'rolecall' | 'config' | 'folder' | 'options'> & { pairs?: PairFiles[] }

/**
 * The output folder of a run: `configs/` (what was run), `predictions/<model>/<dataset>.jsonl` (a line per row),
 * `results/<model>/<dataset>.json` (metrics of a pair), `summary/` (metrics of the run in several formats).
 */
export class RunFolder {
  readonly path: string
  readonly info: RunInfo
  readonly #open = new Map<string, RecordWriter>()
  /** Writers closed since the last sync. */
  #ended: RecordWriter[] = []
  /** Descriptions of repairs made. */
  readonly repairs: string[] = []
  /** Rows that were recorded with other prompts, models or settings. */
  rerunRows = 0
  /** The settings that differ from those of an earlier attempt at this run. */
  changed: readonly string[] = []

  readonly #config: PyValue
  readonly #mayWrite: () => void

  /** `mayWrite` is called before each write and throws if another process has taken over the folder. */
  constructor(path: string, info: RunStart, pairs: readonly Pair[], config: PyValue, mayWrite: () => void = () => {}) {
    this.path = path
    this.#mayWrite = mayWrite
    const files =
      info.pairs ??
      layOut(
        pairs.map(({ name }) => name),
        [],
        info.options.layout,
      )
    this.info = { version: runVersion, ...info, pairs: files.map((one) => withFigure(one, pairs)) } as RunInfo
    this.#config = config
    process.on('exit', this.#flush)
  }

  /** Writes batched lines when the process exits. */
  readonly #flush = () => {
    for (const writer of this.#open.values()) {
      try {
        writer.flush()
      } catch {
        // Too late to report; those rows will run again.
      }
    }
  }

  /**
   * Writes the config and run info. A differing earlier config is renamed to `configs/config-1.json`, and so on. `isOwn`: what is written comes
   * from this user, and not from a run of somebody else.
   */
  begin(isOwn = this.#isNewOrOwn()): void {
    const text = `${stringifyJson(this.#config, { indent: 2, ensureAscii: false })}\n`
    this.changed = this.#changesTo(text)
    if (isInRun(this.path, runFiles.config) && textInRun(this.path, runFiles.config) !== text) {
      let number = 1
      while (isInRun(this.path, `configs/config-${number}.json`)) number++
      renameSync(fileInRun(this.path, runFiles.config), fileInRun(this.path, `configs/config-${number}.json`))
    }
    this.#write(runFiles.config, text)
    this.info.own = isOwn ? markOfRun(this.path, this.info) : undefined
    this.#writeInfo()
  }

  /** The settings that differ from those of the attempt before. */
  #changesTo(config: string): string[] {
    if (!isInRun(this.path, runFiles.config) || !isInRun(this.path, runFiles.info)) return []
    try {
      const before = { config: JSON.parse(textInRun(this.path, runFiles.config) ?? '') as unknown, options: readRunInfo(this.path).options }
      return changedSettings(before, { config: JSON.parse(config) as unknown, options: this.info.options })
    } catch {
      // Damaged, or with numbers that JSON lacks: which settings differ is only told, and nothing depends on it.
      return []
    }
  }

  #isNewOrOwn(): boolean {
    return !isInRun(this.path, runFiles.info) || isOwnRun(this.path, readRunInfo(this.path))
  }

  /** Changes options that a resumed run inherits. */
  remember(changed: Partial<RunInfo['options']>): void {
    Object.assign(this.info.options, changed)
    this.#writeInfo()
  }

  #writeInfo(): void {
    const { version, ...info } = this.info
    const hub = usedHubSources()
    this.#write(runFiles.info, `${JSON.stringify({ version, ...(hub.length > 0 ? { hub } : {}), ...info }, null, 2)}\n`)
  }

  /**
   * The rows of a pair, recorded and new. Rescoring needs the same question (`by: 'question'`), or for results of other harnesses only the
   * same row; running also the same model and settings. `atOnce`: whether each row is written before the next is sent, and not with those of
   * the next few milliseconds: what a killed run has paid for is then on disk, except for the rows in flight.
   */
  storeFor(pair: Pair, by: 'key' | 'question' | 'row' = 'key', atOnce: () => boolean = () => false): RowStore {
    const files = this.#filesOf(pair.name)
    const { predictions } = files
    const writer = new RecordWriter(fileInRun(this.path, predictions), this.#mayWrite)
    this.#open.set(predictions, writer)
    const { bytes, lines } = writer.repaired
    if (bytes > 0) this.repairs.push(`${predictions}: ${bytes} bytes of a torn last line were cut off`)
    if (lines > 0) this.repairs.push(`${predictions}: ${lines} lines that are not records were skipped`)
    return {
      find: (id, key, anyRow) =>
        by === 'row' ? writer.findRow(id) : by === 'question' ? writer.findQuestion(id, key) : writer.find(id, key, anyRow),
      known: () => writer.known(),
      add: (record) => {
        const before = writer.findRow(record.id)
        if (before) this.#replace(pair, before, record)
        writer.add(record)
        if (atOnce()) writer.flush()
      },
      lost: (id, tokens) => {
        this.#mayWrite()
        addReplaced(this.path, pair.name, id, tokens)
      },
      computed: () => readResult(this.path, files)?.computed,
      end: () => {
        writer.close({ sort: true })
        this.#open.delete(predictions)
        this.#ended.push(writer)
      },
    }
  }

  #replace({ name }: Pair, before: RowRecord, record: RowRecord): void {
    if (before.key !== record.key) this.rerunRows++
    const tokens = replacedTokens(before, record)
    if (!tokens) return
    this.#mayWrite()
    addReplaced(this.path, name, record.id, tokens)
  }

  /** Flushes all added rows to disk. */
  async sync(): Promise<void> {
    const ended = this.#ended
    this.#ended = []
    await Promise.all([...[...this.#open.values()].map((writer) => writer.sync()), ...ended.map(({ settled }) => settled)])
  }

  /** Whether a row of an open pair is recorded, with any key. */
  has(pair: Pair, id: number): boolean {
    return this.#open.get(this.#filesOf(pair.name).predictions)?.has(id) ?? false
  }

  /** Whether any row was recorded, or the cost of its first replies. */
  hasRows(): boolean {
    const files = [runFiles.replaced, ...this.info.pairs.map(({ predictions }) => predictions)]
    return files.some((file) => (statSync(fileInRun(this.path, file), { throwIfNoEntry: false })?.size ?? 0) > 0)
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

  /** Closes the files of unfinished pairs. */
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

  /** Atomic: readers see the old or the new file, even after a crash. */
  #write(name: string, text: string): void {
    this.#mayWrite()
    const file = fileInRun(this.path, name)
    if (textInRun(this.path, name) === text) return
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }
}

/** A pair's files with its current main metric. */
function withFigure(files: PairFiles, pairs: readonly Pair[]): PairFiles {
  const pair = pairs.find(({ name }) => isSamePair(name, files))
  return pair ? { ...files, figure: mainMetric(pair.evaluator) } : files
}

/** The text summary is read in terminals. */
const textWidth = 160

function summaryText(given: RunSummary): string {
  const summary = shownResults(given)
  const { results } = summary
  if (results.length === 0) return ''
  const remarks = results.flatMap((result) => remarksOf(result).map((remark) => `${modelText(result)} · ${result.dataset}: ${remark}`))
  const unread = results.filter(hasUnread)
  const answers = unread.length === 0 ? [] : [plainTable(answersTable(unread))]
  const verdicts = verdictsTable(results)
  const byColumns = columnMetricTables(results).map(({ title, table }) => [title, plainTable(table)])
  const paragraphs = [
    [resultsTable(results, textWidth)],
    answers,
    verdicts.length === 0 ? [] : [plainTable(verdicts)],
    ...byColumns,
    groupLines(summary),
    [...new Set(remarks)],
    spendingLines(given),
  ]
  return `${paragraphs
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}
