import type { Outcome } from '../../../evaluation/run/record/outcome.ts'
import { agrees } from '../../../evaluation/run/record/review.ts'
import type { PageAnnotation, RowColumns, ScoreColumn, ValueColumn } from '../viewer-data.ts'
import { placeOf } from './place-of.ts'
import { type Measure, type NumberRange, type Order, type RowFilter, type Show, shows } from './row-filter.ts'
import { among, answerTest, measureOf, type PlaceTest, type RowTable } from './row-tests.ts'
import { type Scored, verdictOf } from './row-verdict.ts'

// The page and the server choose rows by this code: a count, the rows it opens and the rows that are exported are the same.

export function tableOf(
  { ids, scores, failed, outcomes }: ScoreColumn,
  scored: Scored,
  annotated: readonly PageAnnotation[] = [],
): RowTable {
  const placesOf = (numbers: readonly number[]) => numbers.flatMap((id) => placeOf(ids, id) ?? [])
  const failures = new Set(placesOf(failed))
  const places = new Map(Object.entries(outcomes).map(([outcome, numbers]) => [outcome as Outcome, placesOf(numbers)]))
  const ofPlace = new Map<number, Outcome[]>()
  for (const [outcome, some] of places) for (const place of some) ofPlace.set(place, [...(ofPlace.get(place) ?? []), outcome])
  const onlyAnswered: readonly Outcome[] = ['answered']
  const annotations = new Map(annotated.flatMap((one) => placesOf([one.row]).map((place) => [place, one] as const)))
  const answered = [...ids.keys()].filter((place) => ofPlace.get(place)?.includes('answered') ?? true)
  return {
    ids,
    scores,
    annotations,
    disputed: new Map(
      [...annotations].flatMap(([place, one]) =>
        isDisputed(one, scores[place], scored) ? [[place, one.verdict === 'wrong' ? 'overrated' : 'underrated'] as const] : [],
      ),
    ),
    outcomes: new Map([...places, ['answered', answered]]),
    verdicts: scores.map((score, place) =>
      verdictOf({ score: score ?? undefined, outcomes: ofPlace.get(place) ?? onlyAnswered, failed: failures.has(place) }, scored),
    ),
  }
}

function isDisputed({ verdict, isOutdated }: PageAnnotation, score: number | null | undefined, scored: Scored): boolean {
  return !isOutdated && scored !== undefined && agrees({ verdict, score: score ?? undefined }, scored.kind) === false
}

const everyRow: PlaceTest = () => true

/** The tests of a filter, one for each of its parts. */
function testsOf(table: RowTable, columns: RowColumns | undefined, { show, note, reason, tag, column, ranges, found }: RowFilter) {
  return {
    show: showTest(table, columns, show),
    note: note === undefined ? everyRow : among(notePlaces(columns, note)),
    reason: reason === undefined ? everyRow : among(columns?.reasons.find((one) => one.reason === reason)?.places),
    tag: tag === undefined ? everyRow : (place: number) => table.annotations.get(place)?.tags?.includes(tag) === true,
    column: column === undefined ? everyRow : hasValue(columns, column),
    ranges: inRanges(table, columns, ranges),
    found: found === undefined ? everyRow : (place: number) => found.has(place),
  } satisfies Record<keyof RowFilter, PlaceTest>
}

function notePlaces(columns: RowColumns | undefined, { code, text }: NonNullable<RowFilter['note']>): readonly number[] | undefined {
  const note = columns?.notes.find((one) => one.code === code)
  return text === undefined ? note?.places : note?.texts.find((one) => one.text === text)?.places
}

function hasValue(columns: RowColumns | undefined, { name, value }: NonNullable<RowFilter['column']>): PlaceTest {
  const column = columns?.columns.find((one) => one.name === name)
  const wanted = column?.values.indexOf(value) ?? -1
  return (place) => wanted >= 0 && column!.of[place] === wanted
}

function inRanges(table: RowTable, columns: RowColumns | undefined, ranges: RowFilter['ranges'] = {}): PlaceTest {
  const tests = Object.entries(ranges).map(([measure, { from = -Infinity, to = Infinity }]: [string, NumberRange]) => {
    const value = measureOf(table, columns, measure as Measure)
    return (place: number) => {
      const one = value(place)
      return one !== undefined && one >= from && one <= to
    }
  })
  return (place) => tests.every((test) => test(place))
}

function showTest(table: RowTable, columns: RowColumns | undefined, show: Show): PlaceTest {
  return show === 'all' ? everyRow : answerTest(table, columns, show)
}

/** The positions of all rows that pass these tests. */
function placesPassing({ ids }: RowTable, tests: readonly PlaceTest[]): number[] {
  const needed = tests.filter((test) => test !== everyRow)
  const places: number[] = []
  for (let place = 0; place < ids.length; place++) if (needed.every((test) => test(place))) places.push(place)
  return places
}

/** The positions that pass all parts of a filter but one. */
function passingOthers(table: RowTable, columns: RowColumns | undefined, filter: RowFilter, but: keyof RowFilter): number[] {
  const { [but]: _, ...others } = testsOf(table, columns, filter)
  return placesPassing(table, Object.values(others))
}

/** Each kind of rows with the number that pass the other filters. */
export function countShows(table: RowTable, columns: RowColumns | undefined, filter: RowFilter): { show: Show; count: number }[] {
  const all = [...table.ids.keys()]
  const others = passingOthers(table, columns, filter, 'show')
  return shows.flatMap((show) => {
    const test = showTest(table, columns, show)
    const isUseful = show === 'answered' ? all.some(test) && !all.every(test) : all.some(test)
    return show === 'all' || show === filter.show || isUseful ? [{ show, count: others.filter(test).length }] : []
  })
}

/** The choices of a filter, each with the number of rows that it would show. */
export type FilterChoices = {
  columns: readonly { name: string; values: readonly { value: string; count: number }[] }[]
  notes: readonly { code: string; count: number; texts: readonly { text: string; count: number }[] }[]
  reasons: readonly { reason: string; count: number }[]
  tags: readonly { tag: string; count: number }[]
}

export function countChoices(table: RowTable, columns: RowColumns, filter: RowFilter): FilterChoices {
  const others = (but: keyof RowFilter) => among(passingOthers(table, columns, filter, but))
  const [byColumn, byNote, byReason, byTag] = [others('column'), others('note'), others('reason'), others('tag')]
  const count = (places: readonly number[], test: PlaceTest) => places.reduce((sum, place) => sum + (test(place) ? 1 : 0), 0)
  return {
    columns: columns.columns.map((column) => ({ name: column.name, values: countValues(column, byColumn) })),
    notes: columns.notes.map(({ code, places, texts }) => ({
      code,
      count: count(places, byNote),
      texts: texts.map((one) => ({ text: one.text, count: count(one.places, byNote) })),
    })),
    reasons: columns.reasons.map(({ reason, places }) => ({ reason, count: count(places, byReason) })),
    tags: [...tagPlaces(table)].map(([tag, places]) => ({ tag, count: count(places, byTag) })),
  }
}

/** The places of each tag, by name. */
function tagPlaces({ annotations }: RowTable): Map<string, number[]> {
  const tags = new Map<string, number[]>()
  for (const [place, { tags: own = [] }] of annotations)
    for (const tag of own) {
      const places = tags.get(tag)
      if (places) places.push(place)
      else tags.set(tag, [place])
    }
  return new Map([...tags].sort(([one], [other]) => (one < other ? -1 : 1)))
}

function countValues({ values, of }: ValueColumn, test: PlaceTest): { value: string; count: number }[] {
  const counts = values.map(() => 0)
  for (const [place, value] of of.entries()) if (value >= 0 && test(place)) counts[value]!++
  return values.map((value, index) => ({ value, count: counts[index]! }))
}

/** A filter without a column or value that no row has, which the page reports. */
export function withKnownColumn(filter: RowFilter, columns: RowColumns | undefined): RowFilter {
  const { column } = filter
  if (!column || !columns) return filter
  const isKnown = columns.columns.some(({ name, values }) => name === column.name && values.includes(column.value))
  return isKnown ? filter : { ...filter, column: undefined }
}

/** The positions of the rows shown, in order. */
export function chooseRows(table: RowTable, columns: RowColumns | undefined, filter: RowFilter, { by, isDescending }: Order): number[] {
  const places = placesPassing(table, Object.values(testsOf(table, columns, filter)))
  if (by === 'number') return isDescending ? places.reverse() : places
  const value = measureOf(table, columns, by)
  const sign = isDescending ? -1 : 1
  // Rows without a value come last in both directions.
  return places.sort((one, other) => {
    const [first, second] = [value(one), value(other)]
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined) || one - other
    return sign * (first - second) || one - other
  })
}
