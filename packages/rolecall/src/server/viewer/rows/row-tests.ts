import type { Outcome } from '../../../evaluation/run/record/outcome.ts'
import type { PageAnnotation, RowColumns } from '../viewer-data.ts'
import type { Measure, Show } from './row-filter.ts'
import { type RowVerdict, verdicts } from './row-verdict.ts'

/** Values of all rows of a pair, by position. */
export type RowTable = {
  ids: readonly number[]
  scores: readonly (number | null)[]
  verdicts: readonly RowVerdict[]
  /** The positions of rows with at least one answer of an outcome. */
  outcomes: ReadonlyMap<Outcome, readonly number[]>
  /** The annotated rows. */
  annotations: ReadonlyMap<number, PageAnnotation>
  /** Those whose reviewer disagrees with the score, and how. */
  disputed: ReadonlyMap<number, 'overrated' | 'underrated'>
}

/** Whether the row at a place of the records is wanted. */
export type PlaceTest = (place: number) => boolean

/** Whether an answer is of a kind. */
export function answerTest(table: RowTable, columns: RowColumns | undefined, show: Exclude<Show, 'all'>): PlaceTest {
  switch (show) {
    case 'right':
    case 'wrong':
    case 'scored':
      return (place) => table.verdicts[place] === show
    case 'none': {
      const noGold = among(table.outcomes.get('no-gold'))
      return (place) => (table.scores[place] ?? null) === null && !noGold(place)
    }
    case 'limit':
      return among(columns?.cut)
    case 'cached':
      return among(columns?.cached)
    case 'reviewed':
      return (place) => {
        const { verdict, isOutdated } = table.annotations.get(place) ?? {}
        return verdict !== undefined && !isOutdated
      }
    case 'overrated':
    case 'underrated':
      return (place) => table.disputed.get(place) === show
    case 'starred':
      return (place) => table.annotations.get(place)?.star === true
    case 'annotated':
      return (place) => table.annotations.has(place)
    case 'noted':
      return among(columns?.notes.flatMap(({ code, places }) => (code === 'failed' ? [] : places)))
    default:
      return among(table.outcomes.get(show))
  }
}

export function among(places: readonly number[] = []): PlaceTest {
  const set = new Set(places)
  return (place) => set.has(place)
}

/** A number of the row at a place; undefined if it has none. */
export function measureOf(
  table: RowTable,
  columns: RowColumns | undefined,
  by: Measure | 'verdict',
): (place: number) => number | undefined {
  switch (by) {
    case 'verdict':
      return (place) => verdicts.indexOf(table.verdicts[place]!)
    case 'score':
      return (place) => table.scores[place] ?? undefined
    case 'tokens':
      return (place) => columns && columns.promptTokens[place]! + columns.replyTokens[place]!
    case 'time':
      return (place) => {
        const milliseconds = columns?.milliseconds[place] ?? undefined
        return milliseconds === undefined ? undefined : milliseconds / 1000
      }
    default:
      return by satisfies never
  }
}
