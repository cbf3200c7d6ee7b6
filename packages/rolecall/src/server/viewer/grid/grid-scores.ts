import type { MainMetric } from '../../../evaluation/run/record/main-metric.ts'
import { type Interval, meanInterval, wilsonInterval } from '../../../evaluation/score/statistics/interval.ts'
import { comparePaired, type PairedComparison } from '../../../evaluation/score/statistics/paired.ts'
import { type GridPart, locateRow, type RowGrid } from './grid-table.ts'

/**
 * The score of a column over some rows: their mean with its interval. `several`: its datasets have metrics that cannot be averaged; `whole`: the
 * metric is no mean of rows, so some rows have no value.
 */
export type ColumnScore = {
  /** Rows with a score, and those that were left out as excluded. */
  rows: number
  excluded: number
  value?: number
  interval?: Pick<Interval, 'low' | 'high'>
  metric?: MainMetric
  why?: 'several' | 'whole' | 'none'
}

/** The scores of all columns over some rows of the grid; excluded rows count nowhere. */
export function columnScores(grid: RowGrid, columns: number, rows: readonly number[]): ColumnScore[] {
  const byPart = rowsByPart(grid, rows)
  return Array.from({ length: columns }, (_, column) => scoreOf(byPart, column))
}

type PartRows = { part: GridPart; indices: readonly number[] }

/** The rows of each part; rows may be in any order. */
function rowsByPart(grid: RowGrid, rows: readonly number[]): PartRows[] {
  const found = new Map<GridPart, number[]>()
  for (const row of rows) {
    const at = locateRow(grid, row)
    if (!at) continue
    const known = found.get(at.part)
    if (known) known.push(at.index)
    else found.set(at.part, [at.index])
  }
  return [...found].map(([part, indices]) => ({ part, indices }))
}

function scoreOf(parts: readonly PartRows[], column: number): ColumnScore {
  const values: number[] = []
  const metrics: MainMetric[] = []
  let excluded = 0
  let isVerdict = true
  for (const { part, indices } of parts) {
    const cell = part.cells[column]
    if (!cell) continue
    if (cell.metric) metrics.push(cell.metric)
    for (const index of indices) {
      const place = cell.places[index]!
      const score = place < 0 ? null : cell.table.scores[place]
      if (score === null || score === undefined || Number.isNaN(score)) continue
      if (part.excluded.has(index)) {
        excluded++
        continue
      }
      values.push(score)
      if (score !== 0 && score !== 1) isVerdict = false
    }
  }
  const [metric] = metrics
  const counts = { rows: values.length, excluded }
  if (!metric || values.length === 0) return { ...counts, why: 'none' }
  if (metrics.some((one) => one.metric !== metric.metric || one.unit !== metric.unit)) return { ...counts, why: 'several' }
  if (metrics.some(({ isMeanOfRows }) => isMeanOfRows === false)) return { ...counts, metric, why: 'whole' }
  const sum = values.reduce((all, one) => all + one, 0)
  const factor = metric.unit === 'percent' ? 100 : 1
  const { low, high } = isVerdict ? wilsonInterval(sum, values.length) : meanInterval(values)
  return {
    ...counts,
    metric,
    value: (factor * sum) / values.length,
    ...(values.length > 1 ? { interval: { low: factor * low, high: factor * high } } : {}),
  }
}

/** A column against the first, on the rows that both have a score for; undefined if they have none, or their metrics differ. */
export function againstFirst(grid: RowGrid, column: number, rows: readonly number[]): PairedComparison | undefined {
  const [first, second]: [number[], number[]] = [[], []]
  const metrics: MainMetric[] = []
  for (const { part, indices } of rowsByPart(grid, rows)) {
    const [one, other] = [part.cells[0], part.cells[column]]
    if (!one || !other) continue
    for (const cell of [one, other]) if (cell.metric) metrics.push(cell.metric)
    for (const index of indices) {
      if (part.excluded.has(index)) continue
      const [left, right] = [one, other].map((cell) => (cell.places[index]! < 0 ? null : cell.table.scores[cell.places[index]!]))
      if (typeof left !== 'number' || typeof right !== 'number' || Number.isNaN(left) || Number.isNaN(right)) continue
      first.push(left)
      second.push(right)
    }
  }
  const [metric] = metrics
  const isOneMetric =
    metric && metrics.every((one) => one.metric === metric.metric && one.unit === metric.unit && one.isMeanOfRows !== false)
  return isOneMetric && first.length > 0 ? comparePaired(first, second, { kind: metric.kind }) : undefined
}
