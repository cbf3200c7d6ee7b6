import type { Measure, NumberRange } from '../rows/row-filter.ts'
import { among, answerTest, measureOf, type PlaceTest, type RowTable } from '../rows/row-tests.ts'
import type { AnswerWord, RowWord, Term } from './filter-terms.ts'
import type { ColumnName, GridCell, GridPart, RowGrid } from './grid-table.ts'

/** The rows in which a search found a text, by the source of its term: for each part and column, places in the records. */
export type FoundTexts = ReadonlyMap<string, readonly (readonly (ReadonlySet<number> | undefined)[])[]>

/** A term that chooses no rows, because it names something that is not here. */
export type UnknownTerm = { source: string; problem: 'word' | 'range' | 'column' | 'value'; known: readonly string[] }

/** The rows that all terms choose, in order, and the terms that could not be applied. */
type MatchedLine = { rows: number[]; unknown: UnknownTerm[] }

/** Chooses the rows of a grid. Terms whose column or value exists nowhere choose nothing less: they are reported instead. */
export function matchRows(
  grid: RowGrid,
  columns: readonly ColumnName[],
  terms: readonly Term[],
  found: FoundTexts = new Map(),
): MatchedLine {
  const unknown = terms.flatMap((term) => unknownTerm(grid, columns, term) ?? [])
  const known = terms.filter((term) => !unknown.some(({ source }) => source === term.source))
  const rows: number[] = []
  for (const [number, part] of grid.parts.entries()) {
    const tests = known.map((term) => testOf(part, number, columns, term, found))
    for (let index = 0; index < part.ids.length; index++) if (tests.every((test) => test(index))) rows.push(part.from + index)
  }
  return { rows, unknown }
}

/** How many of some rows, in ascending order, a term chooses. */
export function countMatching(
  grid: RowGrid,
  columns: readonly ColumnName[],
  term: Term,
  rows: readonly number[],
  found: FoundTexts,
): number {
  let [count, at] = [0, 0]
  for (const [number, part] of grid.parts.entries()) {
    const test = testOf(part, number, columns, term, found)
    const end = part.from + part.ids.length
    for (; at < rows.length && rows[at]! < end; at++) if (test(rows[at]! - part.from)) count++
  }
  return count
}

/** The columns that a term names, by letter or name; all of them for `all` and without a name. */
function columnsNamed(columns: readonly ColumnName[], at: string | undefined): number[] {
  const all = [...columns.keys()]
  if (at === undefined || at.toLowerCase() === 'all' || at.toLowerCase() === 'any') return all
  const byLetter = all.filter((column) => columns[column]!.letter.toLowerCase() === at.toLowerCase())
  return byLetter.length > 0
    ? byLetter
    : all.filter((column) => columns[column]!.names.some((name) => name.toLowerCase() === at.toLowerCase()))
}

function testOf(part: GridPart, number: number, columns: readonly ColumnName[], term: Term, found: FoundTexts): PlaceTest {
  const test = plainTest(part, number, columns, term, found)
  return term.isNegated ? (index) => !test(index) : test
}

function plainTest(part: GridPart, number: number, columns: readonly ColumnName[], term: Term, found: FoundTexts): PlaceTest {
  const places = columnsNamed(columns, term.at)
  const cells = places.flatMap((column) => part.cells[column] ?? [])
  switch (term.kind) {
    case 'answer': {
      const tests = cells.map((cell) => ofCell(cell, wordTest(cell, term.word)))
      const isOfAll = term.at?.toLowerCase() === 'all'
      return (index) => (isOfAll ? tests.length > 0 && tests.every((test) => test(index)) : tests.some((test) => test(index)))
    }
    case 'row':
      return rowTest(part, term.word)
    case 'value': {
      if (isDataName(term.name)) return () => part.data === term.value
      const tests = cells.map((cell) => ofCell(cell, valueTest(cell, term.name, term.value)))
      return (index) => tests.some((test) => test(index))
    }
    case 'range': {
      const tests = cells.map((cell) => ofCell(cell, rangeTest(cell, term.measure, term.range)))
      return (index) => tests.some((test) => test(index))
    }
    case 'text': {
      const sets = found.get(term.source)?.[number] ?? []
      const id = /^\d+$/.test(term.text) && term.field === 'any' ? Number(term.text) : undefined
      return (index) =>
        part.ids[index] === id || part.cells.some((cell, column) => cell !== undefined && sets[column]?.has(cell.places[index]!) === true)
    }
    case 'unknown':
      return () => true
    default:
      return term satisfies never
  }
}

function ofCell({ places }: GridCell, test: PlaceTest): PlaceTest {
  return (index) => places[index]! >= 0 && test(places[index]!)
}

function wordTest({ table, columns }: GridCell, word: AnswerWord): PlaceTest {
  switch (word) {
    case 'wrong':
      return (place) => table.verdicts[place] === 'wrong' || table.verdicts[place] === 'unread'
    case 'incorrect':
      return (place) => table.verdicts[place] === 'wrong'
    case 'unread':
      return (place) => table.verdicts[place] === 'unread'
    default:
      return answerTest(table, columns, word)
  }
}

function rowTest(part: GridPart, word: RowWord): PlaceTest {
  const letter = { better: 'b', worse: 'w', changed: 'o', same: '=' }
  switch (word) {
    case 'excluded':
      return (index) => part.excluded.has(index)
    case 'disagree':
      return (index) => disagreement(part, index) > 0
    default:
      return (index) => part.changes?.[index] === letter[word]
  }
}

/** How far the columns disagree about a row: 0 if all have the same score, 1 if half of them are right. */
export function disagreement({ cells }: GridPart, index: number): number {
  let [least, greatest, sum, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0]
  for (const cell of cells) {
    const place = cell === undefined ? -1 : cell.places[index]!
    const score = place < 0 ? null : cell!.table.scores[place]
    // A reply without an answer gets no point, either.
    const value = score ?? (place >= 0 && cell!.table.verdicts[place] === 'unread' ? 0 : undefined)
    if (value === undefined || Number.isNaN(value)) continue
    least = Math.min(least, value)
    greatest = Math.max(greatest, value)
    sum += value
    count++
  }
  if (count < 2 || least === greatest) return 0
  const mean = (sum / count - least) / (greatest - least)
  return 4 * mean * (1 - mean)
}

/** `note=code`, `note=text`, `reason=…`, `tag=…`, or a column of the rows. */
function valueTest({ table, columns }: GridCell, name: string, value: string): PlaceTest {
  switch (name) {
    case 'note':
      return among(
        columns?.notes.flatMap(({ code, places, texts }) =>
          code === value ? places : (texts.find(({ text }) => text === value)?.places ?? []),
        ),
      )
    case 'reason':
      return among(columns?.reasons.find(({ reason }) => reason === value)?.places)
    case 'tag':
      return (place) => table.annotations.get(place)?.tags?.includes(value) === true
    default: {
      const column = columns?.columns.find((one) => one.name === name)
      const wanted = column?.values.indexOf(value) ?? -1
      return (place) => wanted >= 0 && column!.of[place] === wanted
    }
  }
}

function rangeTest({ table, columns }: GridCell, measure: Measure, { from = -Infinity, to = Infinity }: NumberRange): PlaceTest {
  const value = measureOf(table, columns, measure)
  return (place) => {
    const one = value(place)
    return one !== undefined && one >= from && one <= to
  }
}

function isDataName(name: string): boolean {
  return name === 'data' || name === 'dataset'
}

/** Whether a term names a word, column or value that is nowhere in the grid, and what there is instead. */
function unknownTerm(grid: RowGrid, columns: readonly ColumnName[], term: Term): UnknownTerm | undefined {
  const { source, at } = term
  if (at !== undefined && columnsNamed(columns, at).length === 0)
    return { source, problem: 'column', known: columns.flatMap(({ letter, names }) => [letter, ...names]) }
  if (term.kind === 'unknown') return { source, problem: term.problem, known: [] }
  if (term.kind !== 'value') return undefined
  const { name, value } = term
  const known = valuesOf(grid, name)
  // Columns that are not loaded yet are no mistake.
  if (known === undefined) return undefined
  return known.includes(value)
    ? undefined
    : { source, problem: known.length === 0 ? 'column' : 'value', known: known.length === 0 ? namesOf(grid) : known }
}

/** The names of the columns of the rows, and of what else has values. */
export function namesOf({ parts }: RowGrid): string[] {
  const own = parts.flatMap(({ cells }) => cells.flatMap((cell) => cell?.columns?.columns.map(({ name }) => name) ?? []))
  return [...new Set([...(parts.length > 1 ? ['data'] : []), ...own, 'note', 'reason', 'tag'])]
}

/** The values of a name in any column; undefined while columns are being loaded. */
function valuesOf(grid: RowGrid, name: string): string[] | undefined {
  const isLoading = grid.parts.some(({ cells }) => cells.some((cell) => cell !== undefined && cell.columns === undefined))
  return isLoading && name !== 'tag' ? undefined : knownValues(grid, name)
}

/** The values of a name in the columns that are loaded. */
export function knownValues({ parts }: RowGrid, name: string): string[] {
  if (isDataName(name)) return parts.map(({ data }) => data)
  return [...new Set(parts.flatMap(({ cells }) => cells.flatMap((cell) => (cell ? valuesInCell(cell, name) : []))))]
}

function valuesInCell({ table, columns }: GridCell, name: string): readonly string[] {
  switch (name) {
    case 'tag':
      return tagsOf(table)
    case 'note':
      return columns?.notes.flatMap(({ code, texts }) => [code, ...texts.map(({ text }) => text)]) ?? []
    case 'reason':
      return columns?.reasons.map(({ reason }) => reason) ?? []
    default:
      return columns?.columns.find((one) => one.name === name)?.values ?? []
  }
}

function tagsOf({ annotations }: RowTable): string[] {
  return [...new Set([...annotations.values()].flatMap(({ tags = [] }) => tags))].sort()
}
