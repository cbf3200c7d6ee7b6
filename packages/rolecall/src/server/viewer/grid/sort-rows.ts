import type { FilterQuery } from '../rows/row-filter.ts'
import { measureOf } from '../rows/row-tests.ts'
import { type GridPart, locateRow, type RowGrid } from './grid-table.ts'
import { disagreement } from './match-rows.ts'

/** What the grid is sorted by: the row's number, how far columns disagree, or a column's score, tokens or time. */
export type GridOrder = { by: 'number' | 'disagreement' | `${number}:${'score' | 'verdict' | 'tokens' | 'time'}`; isDescending: boolean }

const cellSorts = ['score', 'verdict', 'tokens', 'time'] as const

/** The order of an address; older links sort the one column by name. `unknown`: an order that is not here. */
export function orderOfQuery({ sort, descending }: FilterQuery, columns: number): { order: GridOrder; unknown: string | undefined } {
  const isDescending = descending !== undefined
  const [first = '', second] = sort?.split(':') ?? []
  const [column, name] = second === undefined ? ['0', first] : [first, second]
  const what = cellSorts.find((one) => one === name)
  const isColumn = /^\d+$/.test(column) && Number(column) < columns
  if (what !== undefined && isColumn) return { order: { by: `${Number(column)}:${what}`, isDescending }, unknown: undefined }
  if (sort === undefined || sort === 'number' || sort === 'disagreement')
    return { order: { by: sort ?? 'number', isDescending }, unknown: undefined }
  return { order: { by: 'number', isDescending }, unknown: sort }
}

/** Sorts rows; those without a value come last in both directions. */
export function sortRows(grid: RowGrid, rows: readonly number[], { by, isDescending }: GridOrder): number[] {
  if (by === 'number') return isDescending ? [...rows].reverse() : [...rows]
  const value = valueBy(by)
  const keys = new Map(
    rows.map((row) => {
      const { part, index } = locateRow(grid, row)!
      return [row, value(part, index)] as const
    }),
  )
  const sign = isDescending ? -1 : 1
  return [...rows].sort((one, other) => {
    const [first, second] = [keys.get(one), keys.get(other)]
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined) || one - other
    return sign * (first - second) || one - other
  })
}

type ValueOf = (part: GridPart, index: number) => number | undefined

function valueBy(by: Exclude<GridOrder['by'], 'number'>): ValueOf {
  if (by === 'disagreement') return disagreement
  const [column, what] = by.split(':') as [string, 'score' | 'verdict' | 'tokens' | 'time']
  const known = new WeakMap<GridPart, (place: number) => number | undefined>()
  return (part, index) => {
    const cell = part.cells[Number(column)]
    const place = cell?.places[index] ?? -1
    if (!cell || place < 0) return undefined
    const value = known.get(part) ?? measureOf(cell.table, cell.columns, what)
    known.set(part, value)
    return value(place)
  }
}
