import { distinctModels } from '../../evaluation/run/record/pair-name.ts'
import { readWholeFile } from '../../node/read-whole-file.ts'
import { type ComparedSide, compareSides } from './compare-sides.ts'
import { isReport, ReportFile } from './report-file.ts'
import { pickAnnotations, pickColumns, pickScores } from './rows/pick-rows.ts'
import { RunAnnotations } from './run-annotations.ts'
import { runLines } from './run-lines.ts'
import { SiteFolder, type SiteSink } from './site-folder.ts'
import type { ViewedRows } from './viewed-rows.ts'
import { unreadableRuns, type Viewed } from './viewer-app.ts'
import { listPageSize, type RowPage, type Site } from './viewer-data.ts'
import { tokenizerFile, viewerFolder } from './viewer-files.ts'

/** Rows per file of an exported site. */
const rowsPerFile = 50

/** The result of an export: `bytes` for a single file, `leftOut` for omitted files. */
export type Exported = ReturnType<SiteSink['finish']> & { rows: number; files: number }

/**
 * Exports the viewer with its data into a folder for any file server, or into one HTML file that opens from disk. `limit`: maximum number of
 * rows per dataset and per pair.
 */
export async function exportSite(
  viewed: Viewed,
  target: string,
  { limit = Number.POSITIVE_INFINITY, now = new Date(), viewer = viewerFolder() } = {},
): Promise<Exported> {
  const sink: SiteSink = isReport(target) ? new ReportFile(target, viewer) : new SiteFolder(target, viewer)
  let files = 0
  let rows = 0
  const write = (path: string, value: unknown) => {
    sink.add(path, JSON.stringify(value))
    files++
  }
  const { version, configs, runs = [], conversations = [] } = viewed
  const site: Site = {
    version,
    configs: configs.map((config) => config.site),
    runs: runs.map(({ run, config }) => run.site(config)),
    ...unreadableRuns(viewed),
    conversations: conversations.map(({ name }) => name),
    rowsPerFile,
    exported: now.toISOString(),
    ...(isReport(target) ? { isOneFile: true as const } : {}),
  }
  write('site.json', site)
  write('runs.json', await runLines(viewed))
  for (const [name, first, second] of comparedSides(runs)) write(`compare/${name}.json`, compareSides(first, second))
  for (const [index, { rows: datasets, tokenizers }] of configs.entries()) {
    for (const [name, from] of tokenizers) sink.add(name, tokenizerFile(from))
    for (const [number, dataset] of datasets.entries()) {
      const exported = await exportRows(dataset, `configs/${index}/datasets/${number}`, limit, write)
      // The rows of a run's dataset are counted with its answers.
      if (!runs.some(({ config }) => config === index)) rows += exported
    }
  }
  const annotations = new RunAnnotations()
  for (const [index, { run, config }] of runs.entries()) {
    write(`runs/${index}/reviews.json`, annotations.reviews(run))
    const state = await run.state()
    const pairs = state.pairs.map(({ stamp: _, ...pair }) => ({ ...pair, rows: Math.min(pair.rows, limit) }))
    write(`runs/${index}/state.json`, { ...state, pairs, isLive: false })
    const datasets = new Set(run.info.pairs.map(({ dataset }) => dataset))
    for (const dataset of [...datasets].keys()) write(`runs/${index}/lengths/${dataset}.json`, await run.lengths(dataset))
    for (const [pair, { datasetIndex }] of run.site(config).pairs.entries()) {
      const column = run.scores(pair)
      const places = [...column.ids.keys()].slice(0, limit)
      const count = places.length
      const scores = pickScores(column, places)
      write(`runs/${index}/${pair}/scores.json`, scores)
      write(`runs/${index}/${pair}/annotations.json`, pickAnnotations(annotations.of(run, pair), scores.ids))
      write(`runs/${index}/${pair}/columns.json`, pickColumns(await run.columns(pair, configs[config]?.rows[datasetIndex]), places))
      for (let part = 0; part * listPageSize < count; part++) {
        const { lines } = await run.list(pair, part, configs[config]?.rows[datasetIndex])
        write(`runs/${index}/${pair}/list/${part}.json`, { total: count, lines: lines.slice(0, count - part * listPageSize) })
      }
      for (let from = 0; from < count; from += rowsPerFile) {
        write(`runs/${index}/${pair}/records/${from / rowsPerFile}.json`, run.records(pair, from, Math.min(rowsPerFile, count - from)))
      }
      rows += count
    }
  }
  for (const [index, { file }] of conversations.entries()) {
    sink.add(`conversations/${index}.json`, readWholeFile(file))
    files++
  }
  return { ...sink.finish(), rows, files }
}

async function exportRows(
  dataset: ViewedRows,
  path: string,
  limit: number,
  write: (path: string, value: unknown) => void,
): Promise<number> {
  // The page reports unreadable datasets; the others are exported.
  const first = await dataset.list(0).catch((error: unknown) => error as Error)
  if (first instanceof Error) return 0
  const total = Math.min(first.total, limit)
  for (let part = 0; part * listPageSize < total; part++) {
    const { previews } = part === 0 ? first : await dataset.list(part)
    write(`${path}/list/${part}.json`, { total, previews: previews.slice(0, total - part * listPageSize) })
  }
  for (let from = 0; from < total; from += rowsPerFile) {
    write(`${path}/rows/${from / rowsPerFile}.json`, (await dataset.rows(from, Math.min(rowsPerFile, total - from))) satisfies RowPage)
  }
  return total
}

/** Maximum number of runs, or models of a run, that are compared pairwise: the number of files grows quadratically. */
const maxCompared = 6

/** The comparisons of an exported site: all pairs of runs, and all pairs of models within a run. */
function* comparedSides(runs: NonNullable<Viewed['runs']>): Generator<[name: string, first: ComparedSide, second: ComparedSide]> {
  const first = runs.slice(0, maxCompared)
  const sides = [first.map(({ run }, index) => ({ name: String(index), side: run.side() }))]
  for (const [index, { run }] of first.entries()) {
    const models = distinctModels(run.info.pairs).slice(0, maxCompared)
    sides.push(models.map((_, model) => ({ name: `${index}.${model}`, side: run.side(model) })))
  }
  for (const group of sides) {
    for (const one of group) for (const other of group) if (one !== other) yield [`${one.name}-${other.name}`, one.side, other.side]
  }
}
