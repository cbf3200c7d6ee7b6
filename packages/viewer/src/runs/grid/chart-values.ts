import { type ColumnScore, columnScores } from 'rolecall/internal/server/viewer/grid/grid-scores'
import { locateRow, type RowGrid } from 'rolecall/internal/server/viewer/grid/grid-table'

/** One line of a chart: what it is about, the term that chooses it, its rows, and the score of each column over them. */
export type ChartLine = { name: string; from?: number; to?: number; rows: number; scores: readonly ColumnScore[] }

/** The columns of the rows that have values to group by, without those in which every row has another. */
export function groupingsOf({ parts }: RowGrid): string[] {
  return [...new Set(parts.flatMap(({ cells }) => cells.flatMap((cell) => cell?.columns?.columns.map(({ name }) => name) ?? [])))]
}

/** The scores of all columns by the values of a column of the rows, most rows first. */
export function linesByValue(grid: RowGrid, columns: number, rows: readonly number[], name: string): ChartLine[] {
  const groups = new Map<string, number[]>()
  for (const row of rows) {
    const { part, index } = locateRow(grid, row)!
    const value = valueAt(part.cells, index, name)
    if (value === undefined) continue
    const known = groups.get(value)
    if (known) known.push(row)
    else groups.set(value, [row])
  }
  return [...groups]
    .map(([value, own]) => ({ name: value, rows: own.length, scores: columnScores(grid, columns, own) }))
    .sort((one, other) => other.rows - one.rows)
}

type Cells = RowGrid['parts'][number]['cells']

function valueAt(cells: Cells, index: number, name: string): string | undefined {
  for (const cell of cells) {
    const column = cell?.columns?.columns.find((one) => one.name === name)
    const place = cell?.places[index] ?? -1
    const value = column && place >= 0 ? column.values[column.of[place]!] : undefined
    if (value !== undefined) return value
  }
  return undefined
}

/** The scores of all columns by the most tokens of a row in any of them, in steps of two. */
export function linesByTokens(grid: RowGrid, columns: number, rows: readonly number[]): ChartLine[] {
  const groups = new Map<number, number[]>()
  for (const row of rows) {
    const { part, index } = locateRow(grid, row)!
    const most = part.cells.reduce((all, cell) => Math.max(all, tokensAt(cell, index)), 0)
    if (most === 0) continue
    const step = 2 ** Math.floor(Math.log2(most))
    const known = groups.get(step)
    if (known) known.push(row)
    else groups.set(step, [row])
  }
  return [...groups]
    .sort(([one], [other]) => one - other)
    .map(([from, own]) => ({
      name: `${from}–${2 * from - 1}`,
      from,
      to: 2 * from - 1,
      rows: own.length,
      scores: columnScores(grid, columns, own),
    }))
}

function tokensAt(cell: Cells[number], index: number): number {
  const place = cell?.places[index] ?? -1
  return place < 0 || !cell?.columns ? 0 : cell.columns.promptTokens[place]! + cell.columns.replyTokens[place]!
}
