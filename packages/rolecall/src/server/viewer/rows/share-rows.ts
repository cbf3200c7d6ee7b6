import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nameOf } from '../../../evaluation/run/record/pair-name.ts'
import type { ViewedConfig } from '../open-viewed-config.ts'
import { ReportFile } from '../report-file.ts'
import {
  type ConfigSite,
  type Damage,
  listPageSize,
  type RowPage,
  type RunLengths,
  type RunSite,
  type RunStatus,
  type Site,
} from '../viewer-data.ts'
import { tokenizerFile } from '../viewer-files.ts'
import { type PairRows, rowsOfQuery } from './download-rows.ts'
import { pickAnnotations, pickColumns, pickScores } from './pick-rows.ts'
import type { FilterQuery } from './row-filter.ts'
import { shortLine } from './short-line.ts'

/** A report of more rows is too large for mail. */
const mostRows = 2000

/** The parts of an address that still apply to a report with the rows that the others chose. */
const kept = ['sort', 'descending', 'cols', 'row', 'tab', 'prompt', 'lang'] as const

type Shared = PairRows & { config: ViewedConfig; version: string; viewer: string; now?: Date }

/** The rows that the page shows for an address, as one HTML file that opens from disk: this model on this dataset, and no other part of the run. */
export async function shareRows(shared: Shared, query: FilterQuery): Promise<Response> {
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-share-'))
  try {
    const file = join(folder, 'report.html')
    await writeReport(shared, query, file)
    const { model, dataset } = shared.run.info.pairs[shared.pair]!
    const name = `${model}-${dataset}`.replace(/[^\w.-]+/g, '_')
    return new Response(readFileSync(file), {
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-disposition': `attachment; filename="${name}.html"` },
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function writeReport(
  { run, pair, rows, annotations, config, version, viewer, now = new Date() }: Shared,
  query: FilterQuery,
  file: string,
) {
  const { places: found } = await rowsOfQuery({ run, pair, rows, annotations }, query)
  const places = found.slice(0, mostRows).sort((one, other) => one - other)
  const sink = new ReportFile(file, viewer)
  const write = (path: string, value: unknown) => sink.add(path, JSON.stringify(value))
  const { pairs, ...site } = run.site(0)
  const { config: ownConfig, own } = configOfPair(config.site, pairs[pair]!)
  const start = Object.fromEntries(kept.flatMap((key) => (query[key] === undefined ? [] : [[key, query[key]]])))
  const { format, ...names } = nameOf(own)
  write('site.json', {
    version,
    configs: [ownConfig],
    runs: [{ ...site, pairs: [own] }],
    conversations: [],
    rowsPerFile: 1,
    exported: now.toISOString(),
    isOneFile: true,
    shared: { rows: places.length, found: found.length, start: { ...names, ...(format === undefined ? {} : { format }), ...start } },
  } satisfies Site)
  write('runs.json', [])
  write('runs/0/state.json', stateOfPair(await run.state(), pair))
  const datasets = [...new Set(run.info.pairs.map(({ dataset }) => dataset))]
  write('runs/0/lengths/0.json', lengthsOfPair(await run.lengths(datasets.indexOf(own.dataset)), pair))
  const scores = pickScores(run.scores(pair), places)
  write('runs/0/0/scores.json', scores)
  write('runs/0/0/annotations.json', pickAnnotations(annotations, scores.ids))
  write('runs/0/reviews.json', [annotations.review])
  write('runs/0/0/columns.json', pickColumns(await run.columns(pair, rows), places))
  for (let from = 0; from < places.length; from += listPageSize) {
    const records = run.recordsAt(pair, places.slice(from, from + listPageSize))
    const asked = await rows?.previews(records.map(({ record }) => record.id)).catch(() => undefined)
    const lines = records.map(({ record }, index) => shortLine(record, asked?.[index]))
    write(`runs/0/0/list/${from / listPageSize}.json`, { total: places.length, lines })
    for (const [index, { line, record }] of records.entries()) {
      write(`runs/0/0/records/${from + index}.json`, [line])
      const page: RowPage | undefined = await rows?.rows(record.id, 1).catch(() => undefined)
      if (page) write(`configs/0/datasets/${own.datasetIndex}/rows/${record.id}.json`, page)
    }
  }
  const tokenizer = JSON.stringify(ownConfig.models[0]?.tokenizer ?? {})
  for (const [name, from] of config.tokenizers) if (tokenizer.includes(JSON.stringify(name))) sink.add(name, tokenizerFile(from))
  sink.finish()
}

/** A config with the model and dataset of a pair only: settings, addresses and prompts of the others are not shared. */
function configOfPair(config: ConfigSite, pair: RunSite['pairs'][number]): { config: ConfigSite; own: RunSite['pairs'][number] } {
  const [model, dataset] = [config.models[pair.modelIndex], config.datasets[pair.datasetIndex]]
  return {
    config: { ...config, models: model ? [model] : [], datasets: dataset ? [dataset] : [], warnings: [], unused: [] },
    own: { ...pair, modelIndex: model ? 0 : -1, datasetIndex: dataset ? 0 : -1 },
  }
}

/** The state of a run with one of its pairs; what covers several pairs is left out. */
function stateOfPair({ pairs, summary, damage = [], ...state }: RunStatus, pair: number): RunStatus {
  const { stamp: _, ...one } = pairs[pair]!
  const own = damage.flatMap((some): Damage[] => (some.kind === 'rows' ? (some.pair === pair ? [{ ...some, pair: 0 }] : []) : [some]))
  return {
    ...state,
    isLive: false,
    pairs: [one],
    ...(own.length > 0 ? { damage: own } : {}),
    ...(summary
      ? {
          summary: {
            name: summary.name,
            started: summary.started,
            seconds: one.result?.seconds ?? summary.seconds,
            version: summary.version,
            ...(summary.unfinished ? { unfinished: true as const } : {}),
            results: one.result ? [one.result] : [],
          },
        }
      : {}),
  }
}

function lengthsOfPair({ promptTokens, replyTokens, milliseconds, known }: RunLengths, pair: number): RunLengths {
  const own = <One extends { pair: number }>(all: readonly One[]) =>
    all.filter((one) => one.pair === pair).map((one) => ({ ...one, pair: 0 }))
  const of = (all: RunLengths['promptTokens']) => ({ ...all, pairs: own(all.pairs) })
  return { promptTokens: of(promptTokens), replyTokens: of(replyTokens), milliseconds: of(milliseconds), known: own(known) }
}
