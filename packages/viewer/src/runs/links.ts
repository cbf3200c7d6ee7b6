import { isSamePair, type PairName } from 'rolecall/internal/evaluation/run/record/pair-name'
import type { RunSite, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { findNamed, linkNames } from '../names.ts'
import { hrefOf, type Route } from '../route.ts'

// Links to runs contain names instead of positions, so that they stay valid when runs are added.

type Query = Route['query']

/** The name of a run in links: `name/folder`, numbered if ambiguous. */
export function runKey({ runs }: Pick<Site, 'runs'>, number: number): string {
  return linkNames(namesOf(runs))[number]!
}

function namesOf(runs: readonly RunSite[]): string[] {
  return runs.map(({ name, folder }) => `${name}/${folder}`)
}

/** The index of the run in a link; 0 if there is none. Numbers are positions, as in older links. */
export function findRun(site: Pick<Site, 'runs'>, key: string | undefined): number | undefined {
  const { index, missing } = findNamed(namesOf(site.runs), key)
  return missing === undefined ? index : undefined
}

/** The name of a pair in links. */
export function pairQuery({ model, format, dataset }: PairName): { model: string; format: string | undefined; dataset: string } {
  return { model, format, dataset }
}

/** The index of the pair in a link; undefined if it does not exist. */
export function findPair({ pairs }: Pick<RunSite, 'pairs'>, { model, format, dataset, pair }: Query): number | undefined {
  if (pair !== undefined && pairs[Number(pair)]) return Number(pair)
  if (model === undefined || dataset === undefined) return undefined
  const found = pairs.findIndex((pair) => isSamePair(pair, { model, format, dataset }))
  return found < 0 ? undefined : found
}

/** The address of a pair's rows; `query` filters them. */
export function rowsHref(site: Pick<Site, 'runs'>, run: number, pair: number, query: Query = {}): string {
  const { format, ...names } = pairQuery(site.runs[run]!.pairs[pair]!)
  return hrefOf({ page: 'runs', query: { run: runKey(site, run), ...names, ...(format === undefined ? {} : { format }), ...query } })
}
