import type { Site } from 'rolecall/internal/server/viewer/viewer-data'
import type { Route } from '../../route.ts'
import { findSide, sidesOf } from '../compare/sides.ts'
import { findPair, findRun } from '../links.ts'
import type { GridSide } from './grid-columns.ts'

type Query = Route['query']

/** What an address shows: `run` with a model and dataset, a whole `run`, or `cells`, names of runs and models as in comparisons. */
export type GridAddress = { sides: readonly GridSide[]; only: string | undefined; missing: readonly string[] }

export function gridAddress(site: Site, { page, query }: Route): GridAddress {
  if (query.cells !== undefined) {
    const keys = cellsIn(query.cells)
    const all = sidesOf(site, (run) => run)
    const found = keys.map((key) => findSide(site, all, key))
    return {
      sides: found.flatMap((side) => (side ? [{ run: side.run, ...modelOf(side.path) }] : [])),
      only: query.data,
      missing: keys.filter((_, index) => !found[index]),
    }
  }
  const run = findRun(site, query.run)
  if (run === undefined) return { sides: [], only: undefined, missing: [query.run ?? ''] }
  const pair = page === 'runs' ? findPair(site.runs[run]!, query) : undefined
  return { sides: [{ run, pair }], only: query.data, missing: [] }
}

function modelOf(path: string): { model?: number } {
  const model = path.split('.')[1]
  return model === undefined ? {} : { model: Number(model) }
}

/** The names in an address; none if it is not a list of names. */
function cellsIn(text: string): string[] {
  try {
    const keys: unknown = JSON.parse(text)
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
  } catch {
    return []
  }
}

/** The parameters of the grid of runs and models, by their names in comparisons. */
export function gridQuery(sides: readonly string[], data: string | undefined): Query {
  return { cells: JSON.stringify(sides), ...(data === undefined ? {} : { data }) }
}
