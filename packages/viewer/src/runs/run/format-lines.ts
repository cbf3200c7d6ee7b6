import { gain } from 'rolecall/internal/evaluation/score/evaluate/metric'
import type { RunSite, RunStatus } from 'rolecall/internal/server/viewer/viewer-data'

type FormatPoint = { format: string | undefined; value: number; pair: number }

type FormatLine = {
  model: string
  dataset: string
  unit: string
  range: readonly [number | null, number | null] | undefined
  /** Best first. */
  points: readonly FormatPoint[]
}

/** One line per model and dataset with results in several formats; largest spread first. */
export function formatLines({ pairs }: Pick<RunSite, 'pairs'>, state: Pick<RunStatus, 'pairs'>): FormatLine[] {
  const found = new Map<string, FormatLine & { points: FormatPoint[]; direction: 'higher' | 'lower' }>()
  for (const [pair, { model, dataset, format }] of pairs.entries()) {
    const { figure, result, mean } = state.pairs[pair] ?? {}
    const value = result?.value ?? mean
    if (!figure || value === undefined) continue
    const key = JSON.stringify([model, dataset])
    const { unit, range, direction } = figure
    const line = found.get(key) ?? { model, dataset, unit, range, direction, points: [] }
    line.points.push({ format, value, pair })
    found.set(key, line)
  }
  const apart = ({ points, unit }: FormatLine) => (points[0]!.value - points.at(-1)!.value) * (unit === 'percent' ? 1 : 1e-6)
  return [...found.values()]
    .filter(({ points }) => points.length > 1)
    .map(({ direction, ...line }) => ({ ...line, points: line.points.sort((one, other) => gain(one.value, other.value, direction)) }))
    .sort((one, other) => Math.abs(apart(other)) - Math.abs(apart(one)))
}
