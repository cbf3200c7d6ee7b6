import { existsSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { withoutMarks } from '../../../base/errors/secrets.ts'
import { type PyValue, stringifyJson } from '../../../base/python/index.ts'
import { checkConfig } from '../../../evaluation/config/check-config.ts'
import type { ModelConfig } from '../../../evaluation/config/config-schema.ts'
import { inFormat } from '../../../evaluation/config/in-format.ts'
import type { MainFigure } from '../../../evaluation/run/record/main-figure.ts'
import { unreadOutcomes } from '../../../evaluation/run/record/outcome.ts'
import { distinctModels, isSameModel, type ModelName, modelText, nameOf } from '../../../evaluation/run/record/pair-name.ts'
import type { PairResult, RowRecord, RunSummary } from '../../../evaluation/run/record/run-record.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import { openRecords, type Records } from '../../node/runs/records/records.ts'
import { type RunInfo, readResult, readRunInfo, runFiles } from '../../node/runs/run-layout.ts'
import { isLocked } from '../../node/runs/run-lock.ts'
import type { Side } from './compare-sides.ts'
import { findRows, type Wanted } from './find-rows.ts'
import { readRowColumns } from './row-columns.ts'
import { readLengths } from './run-lengths.ts'
import { shortText } from './short-text.ts'
import type { DatasetRows } from './viewed-rows.ts'
import {
  listPart,
  type PairState,
  type RecordLine,
  type RecordList,
  type RowColumns,
  type RunLengths,
  type RunSite,
  type RunState,
  type ScoreColumn,
} from './viewer-data.ts'

/** A run that is looked at, perhaps while it is going on. */
export class OpenRun {
  readonly folder: string
  readonly info: RunInfo
  #config: LoadedConfig | undefined
  readonly #records = new Map<number, Records>()
  readonly #columns = new Map<number, { rows: number; columns: Promise<RowColumns> }>()
  readonly #lengths = new Map<number, { rows: string; lengths: Promise<RunLengths> }>()

  constructor(folder: string) {
    this.folder = resolve(folder)
    this.info = readRunInfo(this.folder)
  }

  /** The config that was run, with a model for each format that it was asked in: `--formats` makes several of one. */
  loadedConfig(): LoadedConfig {
    this.#config ??= this.#readConfig()
    return this.#config
  }

  /** Once: a run that is deleted while it is looked at must not take the site with it. */
  #readConfig(): LoadedConfig {
    const file = join(this.folder, runFiles.config)
    const config = checkConfig(withoutFunctions(withoutMarks(readJson(file))), `${file} › `, { foreignKeys: true })
    const models = config.models as readonly ModelConfig[]
    const asked = distinctModels(this.info.pairs).map((name) => modelNamed(models, name))
    return { file, folder: this.info.folder, config: { ...config, models: asked as never } }
  }

  site(config: number): RunSite {
    const { name, started, pairs } = this.info
    const models = distinctModels(pairs)
    const datasets = this.loadedConfig().config.datasets.map(({ abbr }, index) => abbr ?? `dataset-${index}`)
    return {
      name,
      started,
      folder: basename(this.folder),
      config,
      pairs: pairs.map((pair) => ({
        ...nameOf(pair),
        modelIndex: models.findIndex((model) => isSameModel(model, pair)),
        datasetIndex: datasets.indexOf(pair.dataset),
      })),
    }
  }

  /** Figures and how far each pair is, now. */
  state(): RunState {
    if (!existsSync(this.folder)) {
      throw new PromptError('run-gone', {
        where: this.folder,
        problem: 'this run was deleted or moved',
        fix: 'start `rolecall view` again with the folder where it is now',
      })
    }
    const summary = this.#json<RunSummary>(runFiles.summary.json)
    const pairs = this.info.pairs.map((files, pair): PairState => {
      const result = this.#result(files)
      const figure = result ?? files.figure
      const file = join(this.folder, files.predictions)
      if (!existsSync(file)) return { rows: 0, figure: figure && figureOf(figure), result }
      const records = this.#open(pair)
      const mean = result || !figure ? undefined : meanSoFar(records, figure)
      return { rows: records.count, figure: figure && figureOf(figure), mean, result }
    })
    return { isLive: isLocked(join(this.folder, runFiles.lock)), pairs, summary }
  }

  /** Of all rows from one on: the number, the score, whether it failed and what became of the answer. */
  scores(pair: number, from: number): ScoreColumn {
    const records = this.#open(pair)
    const outcomes: Partial<Record<(typeof unreadOutcomes)[number], number[]>> = {}
    const column = { from, ids: [] as number[], scores: [] as (number | null)[], failed: [] as number[], outcomes }
    for (let place = from; place < records.count; place++) {
      const { id, score, failed, outcomes: bits } = records.outline(place)
      column.ids.push(id)
      column.scores.push(score ?? null)
      if (failed) column.failed.push(id)
      if (bits === 0) continue
      for (const [bit, outcome] of unreadOutcomes.entries()) {
        if ((bits & (1 << bit)) === 0) continue
        outcomes[outcome] ??= []
        outcomes[outcome].push(id)
      }
    }
    return column
  }

  /** A part of a pair's rows in short, with what was asked. */
  async list(pair: number, part: number, rows: DatasetRows | undefined): Promise<RecordList> {
    const records = this.#open(pair)
    const read = records.read(part * listPart, (part + 1) * listPart)
    const asked = await rows?.previews(read.map(({ id }) => id)).catch(() => undefined)
    return { total: records.count, lines: read.map((record, index) => shortLine(record, asked?.[index])) }
  }

  /** Rows, whole, as JSON. */
  records(pair: number, from: number, count: number): string[] {
    const found = this.#open(pair).read(from, from + count)
    if (found.length > 0) return found.map((record) => stringifyJson(record as unknown as PyValue, { ensureAscii: false }))
    throw new PromptError('no-row', { where: this.folder, problem: `there is no row ${from} yet`, fix: 'choose a smaller number' })
  }

  /** What a table of the rows is sorted and filtered by; read once for each state of the file. */
  columns(pair: number, rows: DatasetRows | undefined): Promise<RowColumns> {
    const records = this.#open(pair)
    const known = this.#columns.get(pair)
    if (known?.rows === records.count) return known.columns
    const columns = readRowColumns(records, rows)
    columns.catch(() => this.#columns.delete(pair))
    this.#columns.set(pair, { rows: records.count, columns })
    return columns
  }

  /** How long prompts, answers and waiting were on a dataset, named by its number among those of the run; read once for each state of the files. */
  lengths(dataset: number): Promise<RunLengths> {
    const name = [...new Set(this.info.pairs.map((pair) => pair.dataset))][dataset]
    const pairs = this.info.pairs.flatMap((files, pair) =>
      files.dataset === name && existsSync(join(this.folder, files.predictions)) ? [{ pair, records: this.#open(pair) }] : [],
    )
    const rows = pairs.map(({ records }) => records.count).join(' ')
    const known = this.#lengths.get(dataset)
    if (known?.rows === rows) return known.lengths
    const lengths = readLengths(pairs)
    lengths.catch(() => this.#lengths.delete(dataset))
    this.#lengths.set(dataset, { rows, lengths })
    return lengths
  }

  /** The places of the rows that have a text somewhere: in what was asked, answered or expected. */
  find(pair: number, wanted: Wanted, rows: DatasetRows | undefined): Promise<number[]> {
    return findRows(this.#open(pair), rows, wanted)
  }

  /** What is compared with another run: all of it, or one of its models. */
  side(model?: number): Side {
    const wanted = model === undefined ? undefined : distinctModels(this.info.pairs)[model]
    const pairs = this.info.pairs.map((pair, number) => ({ ...nameOf(pair), number }))
    return {
      pairs: wanted ? pairs.filter((pair) => isSameModel(pair, wanted)) : pairs,
      records: (pair) => (existsSync(join(this.folder, this.info.pairs[pair]!.predictions)) ? this.#open(pair) : undefined),
      result: (pair) => this.#result(this.info.pairs[pair]!),
    }
  }

  close(): void {
    for (const records of this.#records.values()) records.close()
    this.#records.clear()
  }

  #open(pair: number): Records {
    const files = this.info.pairs[pair]
    const file = files && join(this.folder, files.predictions)
    if (!file || !existsSync(file)) {
      throw new PromptError('no-row', {
        where: this.folder,
        problem: 'there are no rows of this pair yet',
        fix: 'wait until the run reaches it',
      })
    }
    const known = this.#records.get(pair)
    if (known) known.refresh()
    const records = known ?? openRecords(file)
    this.#records.set(pair, records)
    return records
  }

  #json<Value>(name: string): Value | undefined {
    const file = join(this.folder, name)
    return existsSync(file) ? (readJson(file) as Value) : undefined
  }

  #result(files: RunInfo['pairs'][number]): PairResult | undefined {
    const file = join(this.folder, files.results)
    if (existsSync(file)) readJson(file)
    return readResult(this.folder, files)
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new PromptError('bad-run', {
      where: file,
      problem: 'this file of the run is no JSON: it is damaged, or not written to its end yet',
      fix: 'if that stays so, restore it or run `rolecall run` with -r again',
    })
  }
}

/** Functions of a TypeScript config are only named in what a run writes; prompts do not need them. */
function withoutFunctions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFunctions)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([, one]) => !(typeof one === 'object' && one !== null && '$function' in one))
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutFunctions(one)]))
}

/** A model as it was asked; only its name where the config no longer has it. */
function modelNamed(models: readonly ModelConfig[], name: ModelName): ModelConfig {
  const found = models.filter(({ abbr }, index) => (abbr ?? `model-${index}`) === name.model).slice(0, 1)
  const { format } = name
  const [asked] = format === undefined || found.length === 0 ? found : inFormat(found, { name: format, model: { format } })
  return { ...asked, abbr: modelText(name) }
}

const shortLength = 120

function shortLine(record: RowRecord, asked: string | undefined): RecordLine {
  const { id, prediction, gold, score, outcome, error, finish, tokens, milliseconds, cached } = record
  return {
    id,
    prediction: shortText(prediction).slice(0, shortLength),
    ...(gold === undefined ? {} : { gold: shortText(gold).slice(0, shortLength) }),
    ...(Number.isFinite(score) ? { score } : {}),
    ...(outcome === undefined ? {} : { outcome }),
    ...(error === undefined ? {} : { error: error.slice(0, shortLength) }),
    finish,
    asked,
    tokens: tokens.prompt + tokens.reply,
    ...(cached ? {} : { milliseconds }),
  }
}

function figureOf({ metric, kind, unit, direction, range, isMeanOfRows }: MainFigure): MainFigure {
  return { metric, kind, unit, direction, ...(range ? { range } : {}), ...(isMeanOfRows === false ? { isMeanOfRows } : {}) }
}

function meanSoFar(records: Records, { unit, isMeanOfRows }: MainFigure): number | undefined {
  if (isMeanOfRows === false) return undefined
  let [sum, scored] = [0, 0]
  for (let place = 0; place < records.count; place++) {
    const { score } = records.outline(place)
    if (score === undefined) continue
    sum += score
    scored++
  }
  if (scored === 0) return undefined
  return unit === 'percent' ? (100 * sum) / scored : sum / scored
}
