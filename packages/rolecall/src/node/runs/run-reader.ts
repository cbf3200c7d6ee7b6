import type { Note } from '@rolecall/core/internal/errors'
import { type ChecksOf, checkOptionsOf, isNumber, isString, PromptError } from '@rolecall/core/internal/errors'
import { namePattern } from '../../evaluation/config/select-by-name.ts'
import type { MainMetric } from '../../evaluation/run/record/main-metric.ts'
import { isSamePair, modelText, type PairName, pairText } from '../../evaluation/run/record/pair-name.ts'
import type { PairSetup } from '../../evaluation/run/record/pair-setup.ts'
import type { PairResult, RowRecord, RunSummary } from '../../evaluation/run/record/run-record.ts'
import type { Pair } from '../../evaluation/run/run-pairs.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { fileInRun, isInRun } from './file-in-run.ts'
import { type ForeignSetup, foreignSetup } from './foreign/setup-file.ts'
import { ownSetup } from './own-setup.ts'
import type { RowWithPrompts } from './recorded-prompts.ts'
import { openRecords, type Records } from './records/records.ts'
import { unreadableLines } from './records/unreadable-lines.ts'
import { type PairFiles, type RunInfo, readResult, readRunInfo, readSummary, runFiles } from './run-layout.ts'
import { isLocked } from './run-lock.ts'

/** Which pairs of a run: a model and a dataset by the names that are shown, or by patterns such as `qwen*`; or the pair's number. */
export type PairChoice = { model?: string | undefined; dataset?: string | undefined; pair?: number | undefined }

/**
 * Opens a run folder: one of `rolecall run`, or results of another harness that were imported. Nothing is read before it is asked for.
 *
 * ```ts
 * for (const { prediction, score } of openRun(folder).pair({ dataset: 'sums' }).rows()) console.log(prediction, score)
 * ```
 */
export function openRun(folder: string, choice?: PairChoice): RunReader {
  checkOptionsOf(choice ?? {}, { model: isString, dataset: isString, pair: isNumber } satisfies ChecksOf<PairChoice>, 'openRun › choice')
  return new RunReader(folder, undefined, choice)
}

/** Reads a run folder, whose process may still be writing. */
export class RunReader {
  readonly folder: string
  /** What of the run was asked for: only these pairs are read. */
  readonly choice: PairChoice
  #info: RunInfo | undefined
  #pairs: readonly RunPair[] | undefined
  #config: Promise<LoadedConfig> | undefined
  #planned: Promise<readonly Pair[]> | undefined
  #foreign: { setup: ForeignSetup | undefined } | undefined

  /** `info`, if its `configs/run.json` has been read, or is being written. */
  constructor(folder: string, info?: RunInfo, choice: PairChoice = {}) {
    this.folder = folder
    this.choice = choice
    this.#info = info
  }

  /** What was run, and where the files of its pairs are. */
  get info(): RunInfo {
    this.#info ??= readRunInfo(this.folder)
    return this.#info
  }

  /** Every model on every dataset of the run, as far as it was asked for. */
  get pairs(): readonly RunPair[] {
    this.#pairs ??= selectPairs(
      this.info.pairs.map((files) => new RunPair(this, files)),
      this.choice,
    )
    return this.#pairs
  }

  /** The pair with exactly this name; undefined if the run has none. */
  find(name: PairName): RunPair | undefined {
    return this.pairs.find((pair) => isSamePair(pair, name))
  }

  /** The pairs that a choice selects; all by default. */
  select(choice: PairChoice): RunPair[] {
    return selectPairs(this.pairs, choice)
  }

  /** The only pair that a choice selects; an error if there are none or several. `where`: what the user calls the run. */
  pair(choice: PairChoice, where = this.folder): RunPair {
    const [pair, ...others] = this.select(choice)
    if (pair && others.length === 0) return pair
    throw new PromptError(pair ? 'several-pairs' : 'no-pair', {
      where,
      problem: pair ? `it has ${others.length + 1} models and datasets, and one of them is needed` : 'it has no such model and dataset',
      fix: `choose with --model and --dataset, or ${where}#NAME: ${this.pairs.map(pairText).join(', ')}`,
    })
  }

  /** The config that was run. */
  config(): Promise<LoadedConfig> {
    this.#config ??= import('./recorded-config.ts').then(({ recordedConfig }) => recordedConfig(this.folder, this.info))
    return this.#config
  }

  /**
   * The pairs as they were run: planned again from the recorded config and options. Chat templates are rendered where they can be
   * interrupted: run folders are passed around.
   */
  planned(): Promise<readonly Pair[]> {
    this.#planned ??= this.#planGuarded()
    return this.#planned
  }

  async #planGuarded(): Promise<Pair[]> {
    const { withGuardedTemplates } = await import('../templates/guard-config.ts')
    return this.plan(withGuardedTemplates(await this.config()))
  }

  /** The pairs of a config, with the options of the run. */
  async plan(loaded: LoadedConfig): Promise<Pair[]> {
    const { plannedPairs } = await import('./planned-pairs.ts')
    return plannedPairs(loaded, this.info.options)
  }

  /** The summary as it is now, if there is one. */
  summary(): RunSummary | undefined {
    return readSummary(this.folder)
  }

  /** What is known about a run of another harness; undefined for own runs. */
  get foreign(): ForeignSetup | undefined {
    this.#foreign ??= { setup: foreignSetup(this.folder) }
    return this.#foreign.setup
  }

  /** Whether a process is working on the run. */
  get isLive(): boolean {
    return isLocked(fileInRun(this.folder, runFiles.lock))
  }

  /** What could not be read of another harness's results, or was assumed, and lines of records that are left out. */
  notes(pairs: readonly RunPair[] = this.pairs): Note[] {
    const lines = unreadableLines(pairs.map(({ recordsFile }) => recordsFile))
    return [...(this.foreign?.notes ?? []), ...lines.map((text): Note => ({ code: 'bad-lines', text }))]
  }
}

/** One model on one dataset of a run. */
export class RunPair implements PairName {
  readonly run: RunReader
  readonly model: string
  readonly format: string | undefined
  readonly dataset: string
  /** Its main metric, which older runs lack. */
  readonly figure: MainMetric | undefined
  readonly files: PairFiles

  constructor(run: RunReader, files: PairFiles) {
    const { model, format, dataset, figure } = files
    this.run = run
    this.model = model
    this.format = format
    this.dataset = dataset
    this.figure = figure
    this.files = files
  }

  /** The path of its records. */
  get recordsFile(): string {
    return fileInRun(this.run.folder, this.files.predictions)
  }

  /** Whether it has a file of records; the pairs of a run in progress get theirs one after the other. */
  get hasRecords(): boolean {
    return isInRun(this.run.folder, this.files.predictions)
  }

  /** Opens its records, by range and by number; `open` is for those that many requests share. */
  records(open: (file: string) => Records = (file) => openRecords(file)): Records {
    if (this.hasRecords) return open(this.recordsFile)
    throw new PromptError('no-row', {
      where: this.run.folder,
      problem: `this pair has no rows: ${this.files.predictions} does not exist`,
      fix: 'if the run is in progress, wait until it reaches this pair; otherwise restore the file, or run `rolecall run -r` again',
    })
  }

  /** The records that its scores are of: a run resumed with a lower `--limit` keeps its answers to further rows. */
  scoredRecords(open: (file: string, end?: number) => Records = openRecords): Records {
    const end = this.#scoredEnd()
    return this.records((file) => open(file, end))
  }

  #scoredEnd(): number | undefined {
    const { limit, shard } = this.run.info.options
    if (limit === undefined || limit >= 1) return limit
    // A share of rows whose number is not recorded; the rows of a shard are not the first ones.
    return shard === undefined ? this.result()?.rows : undefined
  }

  /** All its records in the order of row numbers, read one by one. */
  *rows(): Generator<RowRecord> {
    yield* readRows(this.records())
  }

  /** The same of the rows that its scores are of. */
  *scoredRows(): Generator<RowRecord> {
    yield* readRows(this.scoredRecords())
  }

  /** Its metrics as they are now, if it was scored. */
  result(): PairResult | undefined {
    return readResult(this.run.folder, this.files)
  }

  /** The pair as it was run; undefined if the config no longer has it. */
  async planned(): Promise<Pair | undefined> {
    return (await this.run.planned()).find(({ name }) => isSamePair(name, this))
  }

  /** How it was run: its prompt, model, sampling and scoring, in words that other harnesses share. */
  async setup(): Promise<PairSetup> {
    const foreign = this.run.foreign?.pairs.find((pair) => isSamePair(pair, this))
    return foreign?.setup ?? ownSetup(this.run.info, this.files, await this.planned())
  }

  /**
   * Rows with their prompts, rendered again and compared with the recorded hashes: all of them, or some in the order of their numbers.
   * `note` is called with what cannot be rendered.
   */
  async *prompts(note: (text: string) => void, rows: Iterable<RowRecord> = this.scoredRows()): AsyncGenerator<RowWithPrompts> {
    const [planned, { folder }] = [await this.planned(), await this.run.config()]
    if (planned) {
      const { recordedPrompts } = await import('./recorded-prompts.ts')
      return yield* recordedPrompts(planned, folder, rows, note)
    }
    note(`${modelText(this)} · ${this.dataset}: the config no longer has it, so its prompts cannot be rendered again`)
    for (const record of rows) yield { record }
  }
}

function* readRows(records: Records): Generator<RowRecord> {
  try {
    yield* records.rows()
  } finally {
    records.close()
  }
}

function selectPairs(pairs: readonly RunPair[], { model, dataset, pair: number }: PairChoice): RunPair[] {
  const isModel = selects(pairs.map(modelText), model)
  const isDataset = selects(
    pairs.map((pair) => pair.dataset),
    dataset,
  )
  return pairs.filter((pair, index) => isModel(modelText(pair)) && isDataset(pair.dataset) && (number === undefined || number === index))
}

/** Whether a name is the wanted one, or, if no name is, matches it as a pattern. */
function selects(names: readonly string[], wanted: string | undefined): (name: string) => boolean {
  if (wanted === undefined) return () => true
  if (names.includes(wanted)) return (name) => name === wanted
  const pattern = namePattern(wanted)
  return (name) => pattern?.test(name) ?? false
}
