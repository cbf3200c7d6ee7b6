import type { MainMetric } from '../../../evaluation/run/record/main-metric.ts'
import type { RowTable } from '../rows/row-tests.ts'
import type { RowColumns } from '../viewer-data.ts'

/** One model on one dataset of a run, for a column of the grid; `columns` are loaded after the first rows. */
export type CellRows = {
  run: number
  pair: number
  table: RowTable
  columns?: RowColumns | undefined
  metric: MainMetric | undefined
  /** How its rows were compared with those of the first column. Rows of another run are joined by it, rows of the same run by their number. */
  matched?: MatchedRows | undefined
}

/** The common rows of the first column and another one: their places in both, and how each differs, by a letter. */
export type MatchedRows = { places: readonly [first: readonly number[], other: readonly number[]]; changes: string }

/** The answers of one column to the rows of a dataset; `places` has the place of each row in its records, -1 if it has none. */
export type GridCell = Omit<CellRows, 'matched'> & { places: Int32Array }

/** The rows of one dataset, from the row `from` of the grid on. */
export type GridPart = {
  data: string
  from: number
  ids: readonly number[]
  cells: readonly (GridCell | undefined)[]
  /** How the second column differs from the first, by a letter a row; undefined if it was not compared. */
  changes?: string | undefined
  /** Why rows are excluded from scores, by index. */
  excluded: ReadonlyMap<number, string>
}

/** Rows down, any models, formats and prompts of any runs across. */
export type RowGrid = { parts: readonly GridPart[]; count: number }

/** The columns of a grid: a letter, and the names by which terms refer to it. */
export type ColumnName = { letter: string; names: readonly string[] }

/** Joins the columns dataset by dataset: rows of one run by their number, rows of other runs as they were compared. */
export function joinGrid(datasets: readonly { data: string; cells: readonly (CellRows | undefined)[] }[]): RowGrid {
  let count = 0
  const parts = datasets.map(({ data, cells }): GridPart => {
    const base = cells.find((cell) => cell !== undefined)
    const ids = base === undefined ? [] : idsOf(base, cells)
    const indexOf = new Map(ids.map((id, index) => [id, index]))
    const joined = cells.map((cell): GridCell | undefined => {
      if (!cell) return undefined
      const { matched, ...rest } = cell
      const places = new Int32Array(ids.length).fill(-1)
      if (matched && cell.run !== base!.run) {
        for (const [index, place] of matched.places[0].entries()) {
          const at = indexOf.get(base!.table.ids[place] ?? Number.NaN)
          if (at !== undefined) places[at] = matched.places[1][index]!
        }
      } else for (const [place, id] of cell.table.ids.entries()) places[indexOf.get(id)!] = place
      return { ...rest, places }
    })
    const part = { data, from: count, ids, cells: joined, changes: changesOf(cells, indexOf), excluded: excludedIn(joined, ids.length) }
    count += ids.length
    return part
  })
  return { parts, count }
}

/** The row numbers of the first column, and those that other columns of its run have besides. */
function idsOf(base: CellRows, cells: readonly (CellRows | undefined)[]): readonly number[] {
  const own = cells.filter((cell) => cell !== undefined && cell.run === base.run)
  const isSame = own.every((cell) => cell!.table.ids.length === base.table.ids.length)
  if (isSame && own.every((cell) => cell!.table.ids.every((id, place) => id === base.table.ids[place]))) return base.table.ids
  return [...new Set(own.flatMap((cell) => [...cell!.table.ids]))].sort((one, other) => one - other)
}

function changesOf(cells: readonly (CellRows | undefined)[], indexOf: ReadonlyMap<number, number>): string | undefined {
  const [first, second] = cells
  if (!first || !second?.matched) return undefined
  const letters: string[] = Array.from({ length: indexOf.size }, () => ' ')
  for (const [index, place] of second.matched.places[0].entries()) {
    const at = indexOf.get(first.table.ids[place] ?? Number.NaN)
    if (at !== undefined) letters[at] = second.matched.changes[index]!
  }
  return letters.join('')
}

/** A row is excluded if it is in one column: what is wrong with it is wrong for all. */
function excludedIn(cells: readonly (GridCell | undefined)[], rows: number): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (const cell of cells) {
    if (!cell) continue
    const reasons = new Map(
      [...cell.table.annotations].flatMap(([place, { excluded }]) => (excluded === undefined ? [] : [[place, excluded]])),
    )
    if (reasons.size > 0)
      for (let index = 0; index < rows; index++) {
        const reason = reasons.get(cell.places[index]!)
        if (reason !== undefined && !found.has(index)) found.set(index, reason)
      }
  }
  return found
}

/** The part of a row of the grid, and its index there. */
export function locateRow({ parts }: RowGrid, row: number): { part: GridPart; index: number } | undefined {
  const part = parts.findLast(({ from }) => from <= row)
  return part && row - part.from < part.ids.length ? { part, index: row - part.from } : undefined
}
