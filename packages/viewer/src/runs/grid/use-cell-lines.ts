import type { GridCell, RowGrid } from 'rolecall/internal/server/viewer/grid/grid-table'
import { locateRow } from 'rolecall/internal/server/viewer/grid/grid-table'
import { listPageSize, type RecordLine, type RecordList } from 'rolecall/internal/server/viewer/viewer-data'
import { loadRecordList } from '../../data/runs.ts'
import { useParts } from '../../parts/use-parts.ts'
import { cellKey } from './use-grid.ts'

/** The lines of rows in all columns; pages are fetched on demand, and again when rows were added or replaced. */
export function useCellLines(grid: RowGrid | undefined, stamps: string) {
  const { partAt, want, error } = useParts<RecordList, string>((key) => {
    const [run = '', pair = '', page = ''] = key.split('.')
    return loadRecordList(Number(run), Number(pair), Number(page))
  }, stamps)
  const pageOf = ({ run, pair }: GridCell, place: number) => `${cellKey(run, pair)}.${Math.floor(place / listPageSize)}`
  return {
    line: (cell: GridCell, place: number): RecordLine | undefined =>
      place < 0 ? undefined : partAt(pageOf(cell, place))?.lines[place % listPageSize],
    want: (rows: readonly number[]) => {
      if (!grid) return
      const pages = new Set<string>()
      for (const row of rows) {
        const at = locateRow(grid, row)
        for (const cell of at?.part.cells ?? []) if (cell && cell.places[at!.index]! >= 0) pages.add(pageOf(cell, cell.places[at!.index]!))
      }
      for (const page of pages) want(page)
    },
    error,
  }
}
