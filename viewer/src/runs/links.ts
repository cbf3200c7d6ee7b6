import type { RunSite, Site } from '../../../src/app/server/viewer/viewer-data.ts'
import { isSamePair, type PairName } from '../../../src/evaluation/run/record/pair-name.ts'
import { findNamed, linkNames } from '../names.ts'
import { hrefOf, type Route } from '../route.ts'

// Links to runs carry names, not positions: a folder that gets another run does not change what a link shows.

type Query = Route['query']

/** What a run is called in links: `name/folder`, numbered where two are called alike. */
export function runKey({ runs }: Pick<Site, 'runs'>, number: number): string {
  return linkNames(namesOf(runs))[number]!
}

function namesOf(runs: readonly RunSite[]): string[] {
  return runs.map(({ name, folder }) => `${name}/${folder}`)
}

/** The number of the run that a link names: the first where it names none. Numbers are positions, which older links had. */
export function findRun(site: Pick<Site, 'runs'>, key: string | undefined): number | undefined {
  const { index, missing } = findNamed(namesOf(site.runs), key)
  return missing === undefined ? index : undefined
}

/** What links say of a pair. */
export function pairQuery({ model, format, dataset }: PairName): { model: string; format: string | undefined; dataset: string } {
  return { model, format, dataset }
}

/** The number of the pair that a link names; undefined where there is none. */
export function findPair({ pairs }: Pick<RunSite, 'pairs'>, { model, format, dataset, pair }: Query): number | undefined {
  if (pair !== undefined && pairs[Number(pair)]) return Number(pair)
  if (model === undefined || dataset === undefined) return undefined
  const found = pairs.findIndex((pair) => isSamePair(pair, { model, format, dataset }))
  return found < 0 ? undefined : found
}

/** The address of a pair's rows; `query` chooses among them. */
export function rowsHref(site: Pick<Site, 'runs'>, run: number, pair: number, query: Query = {}): string {
  const { format, ...names } = pairQuery(site.runs[run]!.pairs[pair]!)
  return hrefOf({ page: 'runs', query: { run: runKey(site, run), ...names, ...(format === undefined ? {} : { format }), ...query } })
}
