import { tableOf } from '../rows/choose-rows.ts'
import type { PairRows } from '../rows/download-rows.ts'
import { readTerms } from './filter-terms.ts'
import { findTexts } from './find-texts.ts'
import { type CellRows, type ColumnName, joinGrid, type RowGrid } from './grid-table.ts'
import { matchRows } from './match-rows.ts'
import { type GridOrder, sortRows } from './sort-rows.ts'

/** A dataset of a grid, with the pair of each column. */
export type PartRows = { data: string; cells: readonly (PairRows | undefined)[]; matched: readonly (CellRows['matched'] | undefined)[] }

/** The grid of some pairs, and the rows that a filter line chooses in it, in order: what the page shows for the same address. */
export async function rowsOfLine(
  parts: readonly PartRows[],
  columns: readonly ColumnName[],
  line: string,
  order: GridOrder,
): Promise<{ grid: RowGrid; rows: number[] }> {
  const runs = [...new Set(parts.flatMap(({ cells }) => cells.flatMap((cell) => cell?.run ?? [])))]
  const datasets = await Promise.all(
    parts.map(async ({ data, cells, matched }) => ({
      data,
      cells: await Promise.all(
        cells.map(async (cell, column): Promise<CellRows | undefined> => {
          if (!cell) return undefined
          const { run, pair, rows, annotations } = cell
          const metric = (await run.state()).pairs[pair]?.figure
          const table = tableOf(run.scores(pair), metric, annotations.rows)
          return { run: runs.indexOf(run), pair, table, columns: await run.columns(pair, rows), metric, matched: matched[column] }
        }),
      ),
    })),
  )
  const grid = joinGrid(datasets)
  const terms = readTerms(line)
  const cellAt = (run: number, pair: number) =>
    parts.flatMap(({ cells }) => cells).find((cell) => cell !== undefined && cell.pair === pair && cell.run === runs[run])
  const found = await findTexts(grid, terms, async ({ run, pair }, term) => {
    const cell = cellAt(run, pair)!
    return new Set((await cell.run.find(pair, term, cell.rows)).places)
  })
  return { grid, rows: sortRows(grid, matchRows(grid, columns, terms, found).rows, order) }
}
