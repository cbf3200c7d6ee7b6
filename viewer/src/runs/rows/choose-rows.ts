import type { RowColumns, ScoreColumn } from '../../../../src/app/server/viewer/viewer-data.ts'
import type { Outcome } from '../../../../src/evaluation/run/record/outcome.ts'
import { placeOf } from '../place-of.ts'
import { type Scored, type Verdict, verdictOf, verdicts } from '../verdict.ts'

/** Values of all rows of a pair, by position. */
export type RowTable = {
  ids: readonly number[]
  scores: readonly (number | null)[]
  verdicts: readonly Verdict[]
  /** The positions of rows with at least one answer of an outcome. */
  outcomes: ReadonlyMap<Outcome, readonly number[]>
}

/** Rows by verdict, by outcome of their answers, by whether a reply hit the token limit, and by whether they have notes. */
export const shows = [
  'all',
  'right',
  'wrong',
  'scored',
  'none',
  'answered',
  'not-found',
  'cut',
  'refused',
  'empty',
  'tool-call',
  'no-gold',
  'not-decided',
  'failed',
  'limit',
  'noted',
] as const
export type Show = (typeof shows)[number]

export const sorts = ['number', 'verdict', 'score', 'tokens', 'time'] as const
export type Sort = (typeof sorts)[number]

export type RowFilter = {
  show: Show
  /** The code of a note. */
  note?: string | undefined
  /** A column and its value. */
  column?: { name: string; value: string } | undefined
  /** The positions found by a search. */
  found?: ReadonlySet<number> | undefined
}

export function tableOf({ ids, scores, failed, outcomes }: ScoreColumn, scored: Scored): RowTable {
  const placesOf = (numbers: readonly number[]) => numbers.flatMap((id) => placeOf(ids, id) ?? [])
  const failures = new Set(placesOf(failed))
  const places = new Map(Object.entries(outcomes).map(([outcome, numbers]) => [outcome as Outcome, placesOf(numbers)]))
  const ofPlace = new Map<number, Outcome[]>()
  for (const [outcome, some] of places) for (const place of some) ofPlace.set(place, [...(ofPlace.get(place) ?? []), outcome])
  const onlyAnswered: readonly Outcome[] = ['answered']
  const answered = [...ids.keys()].filter((place) => ofPlace.get(place)?.includes('answered') ?? true)
  return {
    ids,
    scores,
    outcomes: new Map([...places, ['answered', answered]]),
    verdicts: scores.map((score, place) =>
      verdictOf({ score: score ?? undefined, outcomes: ofPlace.get(place) ?? onlyAnswered, failed: failures.has(place) }, scored),
    ),
  }
}

/** The positions that pass all filters but `show`. */
function candidates({ ids }: RowTable, columns: RowColumns | undefined, { note, column, found }: RowFilter): number[] {
  const noted = note === undefined ? undefined : new Set(columns?.notes.find(({ code }) => code === note)?.places)
  const chosen = column && columns?.columns.find(({ name }) => name === column.name)
  const value = column && chosen ? chosen.values.indexOf(column.value) : -1
  const places: number[] = []
  for (let place = 0; place < ids.length; place++) {
    if (found && !found.has(place)) continue
    if (noted && !noted.has(place)) continue
    if (column && (value < 0 || chosen?.of[place] !== value)) continue
    places.push(place)
  }
  return places
}

/** Whether a row passes `show`. */
function passes(table: RowTable, columns: RowColumns | undefined, show: Show): (place: number) => boolean {
  const among = (places: readonly number[] = []) => {
    const set = new Set(places)
    return (place: number) => set.has(place)
  }
  switch (show) {
    case 'all':
      return () => true
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
    case 'noted':
      return among(columns?.notes.flatMap(({ places }) => places))
    default:
      return among(table.outcomes.get(show))
  }
}

/** Each kind of rows with the number that pass the other filters. */
export function countShows(table: RowTable, columns: RowColumns | undefined, filter: RowFilter): { show: Show; count: number }[] {
  const all = [...table.ids.keys()]
  const among = candidates(table, columns, filter)
  return shows.flatMap((show) => {
    const test = passes(table, columns, show)
    const isUseful = show === 'answered' ? all.some(test) && !all.every(test) : all.some(test)
    return show === 'all' || show === filter.show || isUseful ? [{ show, count: among.filter(test).length }] : []
  })
}

export type Order = { by: Sort; isDescending: boolean }

/** The positions of the rows shown, in order. */
export function chooseRows(table: RowTable, columns: RowColumns | undefined, filter: RowFilter, { by, isDescending }: Order): number[] {
  const places = candidates(table, columns, filter).filter(passes(table, columns, filter.show))
  if (by === 'number') return isDescending ? places.reverse() : places
  const value = sortValue(table, columns, by)
  const sign = isDescending ? -1 : 1
  // Rows without a value come last in both directions.
  return places.sort((one, other) => {
    const [first, second] = [value(one), value(other)]
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined) || one - other
    return sign * (first - second) || one - other
  })
}

function sortValue(table: RowTable, columns: RowColumns | undefined, by: Exclude<Sort, 'number'>): (place: number) => number | undefined {
  switch (by) {
    case 'verdict':
      return (place) => verdicts.indexOf(table.verdicts[place]!)
    case 'score':
      return (place) => table.scores[place] ?? undefined
    case 'tokens':
      return (place) => columns && columns.promptTokens[place]! + columns.replyTokens[place]!
    case 'time':
      return (place) => columns?.milliseconds[place] ?? undefined
    default:
      return by satisfies never
  }
}
