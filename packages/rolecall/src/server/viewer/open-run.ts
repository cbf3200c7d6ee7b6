import { existsSync } from 'node:fs'

import { basename, relative, resolve } from 'node:path'

import { PromptError } from '@rolecall/core/internal/errors'
import { type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import type { MainMetric } from '../../evaluation/run/record/main-metric.ts'
import { indexedOutcomes, outcomeBits } from '../../evaluation/run/record/outcome.ts'
import { distinctModels, isSameModel, isSamePair, nameOf, type PairName } from '../../evaluation/run/record/pair-name.ts'
import type { PairResult, RowRecord, RunSummary } from '../../evaluation/run/record/run-record.ts'
import { bySamplingField } from '../../model/language-model/sampling-settings.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import { isInside, slashed } from '../../node/platform.ts'
import type { ReviewedMetric } from '../../node/runs/annotations/annotated-rows.ts'
import { excludedRows } from '../../node/runs/annotations/excluded-rows.ts'
import type { Records } from '../../node/runs/records/records.ts'
import { type RunInfo, runFiles } from '../../node/runs/run-layout.ts'
import { openRun, type RunPair, type RunReader } from '../../node/runs/run-reader.ts'
import type { ComparedSide } from './compare-sides.ts'
import { extractedPlaces } from './extracted-places.ts'
import { type FoundRows, findRows, type RowQuery } from './find-rows.ts'
import { cameWithRun, type RecordedRows, recordedRows } from './recorded-rows.ts'
import { readRowColumns } from './rows/row-columns.ts'
import { shortLine } from './rows/short-line.ts'
import { cached, RunCaches, type Stamped } from './run-caches.ts'
import { readRunConfig } from './run-config.ts'
import { resultOfRows, rowDamage } from './run-damage.ts'
import { readLengths } from './run-lengths.ts'
import type { ViewedRows } from './viewed-rows.ts'
import {
  type Damage,
  listPageSize,
  type PairStatus,
  type RecordList,
  type RowColumns,
  type RunLengths,
  type RunSite,
  type RunStatus,
  type ScoreColumn,
} from './viewer-data.ts'

/** A path below the current folder; of any other, only its last names, since an exported page may be read by anyone. */
function shownPlace(path: string): string {
  const below = relative(process.cwd(), path)
  return isInside(path, process.cwd()) ? slashed(below) : slashed(path).split('/').slice(-3).join('/')
}

/** A run and the number of its config on the site. */
export type ViewedRun = { run: OpenRun; config: number }

/** A run in the viewer, finished or in progress. */
export class OpenRun {
  readonly folder: string
  readonly info: RunInfo
  readonly #run: RunReader
  #config: LoadedConfig | undefined
  readonly #records = new Map<number, Records>()
  readonly #results = new Map<number, Stamped<PairResult>>()
  readonly #caches: RunCaches

  /** `caches` are shared by the runs of a viewer. */
  constructor(folder: string, caches = new RunCaches()) {
    this.folder = resolve(folder)
    this.#caches = caches
    this.#run = openRun(this.folder)
    this.info = this.#run.info
  }

  /** The config of the run, with a model for each of its formats: `--formats` makes several of one. Read once: deleting a run must not break the site. */
  loadedConfig(): LoadedConfig {
    this.#config ??= readRunConfig(this.#run)
    return this.#config
  }

  /** Its name for lists. */
  get title(): string {
    return `${this.info.name} · ${basename(this.folder)}`
  }

  /** What the run recorded of a dataset, given by its number in the config; undefined if the rows came with the run. */
  recordedRows(dataset: number): RecordedRows | undefined {
    const { config, folder } = this.loadedConfig()
    // CheckedConfig leaves `infer_cfg` out of its type, because templates are checked when compiled; the value keeps it.
    const datasetConfig = config.datasets[dataset] as unknown as DatasetConfig
    if (cameWithRun(datasetConfig, folder, this.folder)) return undefined
    const models = distinctModels(this.info.pairs)
    const name = datasetConfig.abbr ?? `dataset-${dataset}`
    const pairs = this.#run.pairs.flatMap((pair, number) => {
      if (pair.dataset !== name) return []
      const model = models.findIndex((one) => isSameModel(one, pair))
      return [{ model, find: (row: number) => (pair.hasRecords ? this.#open(number).find(row) : undefined) }]
    })
    return recordedRows(pairs, () => this.loadedConfig(), dataset)
  }

  site(config: number): RunSite {
    const { name, started, pairs, hub } = this.info
    const models = distinctModels(pairs)
    const datasets = this.loadedConfig().config.datasets.map(({ abbr }, index) => abbr ?? `dataset-${index}`)
    const { foreign } = this.#run
    const harness = foreign && [foreign.harness, foreign.version].filter(Boolean).join(' ')
    return {
      name,
      started,
      folder: basename(this.folder),
      place: shownPlace(foreign?.source ?? this.folder),
      ...(harness === undefined ? {} : { harness }),
      config,
      ...givenOptions(this.info),
      ...(hub === undefined ? {} : { hub: hub.map(({ repository, commit }) => `${repository} (${commit.slice(0, 12)})`) }),
      pairs: pairs.map((pair) => ({
        ...nameOf(pair),
        modelIndex: models.findIndex((model) => isSameModel(model, pair)),
        datasetIndex: datasets.indexOf(pair.dataset),
      })),
    }
  }

  /** The current progress and scores of each pair. */
  async state(): Promise<RunStatus> {
    if (!existsSync(this.folder)) {
      throw new PromptError('run-gone', {
        where: this.folder,
        problem: 'the run was deleted or moved',
        fix: 'restart `rolecall view` with its new folder',
      })
    }
    const { isLive } = this.#run
    const damage: Damage[] = []
    const summary = undamaged(
      () => this.#run.summary(),
      () => damage.push({ kind: 'file', file: runFiles.summary.json }),
    )
    const pairs: PairStatus[] = []
    for (const [number, pair] of this.#run.pairs.entries()) {
      const recorded = resultOf(pair, () => damage.push({ kind: 'file', file: pair.files.results })) ?? resultIn(summary, pair)
      const records = pair.hasRecords ? this.#open(number) : undefined
      const rows = rowDamage(number, records, recorded, isLive)
      if (rows) damage.push(rows)
      const result = recorded && rows ? await this.#resultOfRows(number, recorded, records) : recorded
      const figure = result ?? pair.figure
      const soFar = result || !records ? {} : resultSoFar(records, figure)
      const stamp = records && { stamp: records.stamp }
      pairs.push({ rows: records?.count ?? 0, ...stamp, figure: figure && figureOf(figure), ...soFar, result })
    }
    // Files are written while a run is live.
    const shown = isLive ? damage.filter(({ kind }) => kind === 'rows') : damage
    const hasAllRows = !shown.some(({ kind }) => kind === 'rows')
    return {
      isLive,
      pairs,
      ...(summary ? { summary: hasAllRows ? summary : ofRowsLeft(summary, pairs) } : {}),
      ...(shown.length > 0 ? { damage: shown } : {}),
    }
  }

  /** Computed again when rows were added or replaced. */
  #resultOfRows(pair: number, recorded: PairResult, records: Records | undefined): Promise<PairResult> {
    return cached(this.#results, pair, records?.stamp ?? '', () => resultOfRows(recorded, records))
  }

  /** Ids, scores, failures and outcomes of all rows. */
  scores(pair: number): ScoreColumn {
    const records = this.#open(pair)
    const outcomes: Partial<Record<(typeof indexedOutcomes)[number], number[]>> = {}
    const { stamp } = records
    const column = { stamp, ids: [] as number[], scores: [] as (number | null)[], failed: [] as number[], outcomes }
    for (let place = 0; place < records.count; place++) {
      const { id, score, failed, outcomes: bits } = records.outline(place)
      column.ids.push(id)
      column.scores.push(score ?? null)
      if (failed) column.failed.push(id)
      if (bits === isAnswered) continue
      for (const [bit, outcome] of indexedOutcomes.entries()) {
        if ((bits & (1 << bit)) === 0) continue
        outcomes[outcome] ??= []
        outcomes[outcome].push(id)
      }
    }
    return column
  }

  /** A page of a pair's rows, with previews of their inputs. */
  async list(pair: number, part: number, rows: ViewedRows | undefined): Promise<RecordList> {
    const records = this.#open(pair)
    const read = records.read(part * listPageSize, (part + 1) * listPageSize)
    const asked = await rows?.previews(read.map(({ id }) => id)).catch(() => undefined)
    return { total: records.count, lines: read.map((record, index) => shortLine(record, asked?.[index])) }
  }

  /** Complete rows at some places, with the lines that the run wrote. */
  recordsAt(pair: number, places: readonly number[]): { record: RowRecord; line: string }[] {
    const records = this.#open(pair)
    return places.flatMap((place) => records.read(place, place + 1).map((record) => ({ record, line: records.line(place) })))
  }

  /** Complete rows as JSON. */
  records(pair: number, from: number, count: number): string[] {
    const found = this.#open(pair).read(from, from + count)
    // Records were parsed from JSON, so all their values are Python values.
    if (found.length > 0) return found.map((record) => stringifyJson(record as PyValue, { ensureAscii: false }))
    throw new PromptError('no-row', { where: this.folder, problem: `row ${from} does not exist yet`, fix: 'choose a smaller number' })
  }

  /** The rows of a pair, if there are any yet, and the meaning and value of their scores. */
  scored(pair: number): { records: Records | undefined; metric: ReviewedMetric | undefined } {
    const files = this.#run.pairs[pair]
    const records = files?.hasRecords ? this.#open(pair) : undefined
    return { records, metric: files && (resultOf(files) ?? files.figure) }
  }

  /** Where the answers of a row were extracted; null for those for which this is unknown. */
  extracted(pair: number, place: number): ([start: number, end: number] | null)[] {
    const [record] = this.#open(pair).read(place, place + 1)
    const { model, dataset } = this.info.pairs[pair]!
    const { models, datasets } = this.loadedConfig().config
    return record
      ? extractedPlaces(record, [
          models.find(({ abbr }) => abbr === model)?.pred_postprocessor,
          datasets.find(({ abbr }) => abbr === dataset)?.eval_cfg?.pred_postprocessor,
        ])
      : []
  }

  /** The columns for sorting and filtering; cached until rows are added or replaced. */
  columns(pair: number, rows: ViewedRows | undefined): Promise<RowColumns> {
    const records = this.#open(pair)
    return cached(this.#caches.columns, `${this.folder} ${pair}`, records.stamp, () => {
      const by = resultOf(this.#run.pairs[pair])?.by?.map(({ column }) => column)
      return readRowColumns(records, rows, by)
    })
  }

  /** Distributions of lengths and latency on a dataset, given by its number in the run; cached until rows are added or replaced. */
  lengths(dataset: number): Promise<RunLengths> {
    const name = [...new Set(this.info.pairs.map((pair) => pair.dataset))][dataset]
    const pairs = this.#run.pairs.flatMap((files, pair) =>
      files.dataset === name && files.hasRecords ? [{ pair, records: this.#open(pair) }] : [],
    )
    const stamp = pairs.map(({ records }) => records.stamp).join('; ')
    return cached(this.#caches.lengths, `${this.folder} ${dataset}`, stamp, () => readLengths(pairs))
  }

  /** The places of the rows in which a text occurs. */
  find(pair: number, wanted: RowQuery, rows: ViewedRows | undefined, signal?: AbortSignal): Promise<FoundRows> {
    return findRows(this.#open(pair), rows, wanted, signal ? { signal } : {})
  }

  /** One side of a comparison: the whole run, or one of its models. */
  side(model?: number): ComparedSide {
    const wanted = model === undefined ? undefined : distinctModels(this.info.pairs)[model]
    const pairs = this.info.pairs.map((pair, number) => ({ ...nameOf(pair), number }))
    return {
      pairs: wanted ? pairs.filter((pair) => isSameModel(pair, wanted)) : pairs,
      records: (pair) => (this.#run.pairs[pair]?.hasRecords ? this.#open(pair) : undefined),
      result: (pair) => resultOf(this.#run.pairs[pair]),
      excluded: (dataset) => excludedRows({ folder: this.folder, pairs: this.info.pairs }, dataset),
    }
  }

  close(): void {
    for (const records of this.#records.values()) records.close()
    this.#records.clear()
  }

  #open(pair: number): Records {
    const files = this.#run.pairs[pair]
    if (!files) throw new PromptError('no-row', { where: this.folder, problem: 'unknown model or dataset', fix: 'reload the page' })
    const known = this.#records.get(pair)
    const records = files.scoredRecords((file, end) => known ?? this.#caches.records.open(file, end))
    if (known) known.refresh()
    this.#records.set(pair, records)
    return this.#caches.records.use(records)
  }
}

function resultOf(pair: RunPair | undefined, onDamage?: () => void): PairResult | undefined {
  return undamaged(() => pair?.result(), onDamage)
}

/** What a file contains; undefined if it does not exist, or is damaged. */
function undamaged<Content>(read: () => Content | undefined, onDamage: () => void = () => undefined): Content | undefined {
  try {
    return read()
  } catch {
    onDamage()
    return undefined
  }
}

/** The options that change answers or rows. */
function givenOptions({ options }: RunInfo): Pick<RunSite, 'options'> {
  const { limit, maxOutLen, shard } = options
  const sampling = bySamplingField(({ field }) => options[field])
  const given = Object.entries({ limit, ...sampling, maxOutLen, shard }).filter((one) => one[1] !== undefined)
  return given.length > 0 ? { options: Object.fromEntries(given) as Record<string, string | number> } : {}
}

function resultIn(summary: RunSummary | undefined, pair: PairName): PairResult | undefined {
  return summary?.results.find((result) => isSamePair(result, pair))
}

/** A summary without what was computed from all rows. */
function ofRowsLeft({ groups, comparisons, groupComparisons, ...summary }: RunSummary, pairs: readonly PairStatus[]): RunSummary {
  return { ...summary, results: pairs.flatMap(({ result }) => result ?? []) }
}

/** The bits of a row whose answers were all read. */
const isAnswered = outcomeBits({})

function figureOf({ metric, kind, unit, direction, range, isMeanOfRows }: MainMetric): MainMetric {
  return { metric, kind, unit, direction, ...(range ? { range } : {}), ...(isMeanOfRows === false ? { isMeanOfRows } : {}) }
}

/** The mean score of a live pair, if its metric is a mean, and how many rows failed. */
function resultSoFar(records: Records, figure: MainMetric | undefined): Pick<PairStatus, 'mean' | 'failed'> {
  let [sum, scored, failed] = [0, 0, 0]
  for (let place = 0; place < records.count; place++) {
    const outline = records.outline(place)
    if (outline.failed) failed++
    if (outline.score === undefined) continue
    sum += outline.score
    scored++
  }
  const isMean = figure !== undefined && figure.isMeanOfRows !== false && scored > 0
  return { failed, ...(isMean ? { mean: figure.unit === 'percent' ? (100 * sum) / scored : sum / scored } : {}) }
}
