import type { MainMetric } from 'rolecall/internal/evaluation/run/record/main-metric'
import { modelText, type PairName } from 'rolecall/internal/evaluation/run/record/pair-name'
import type { RunLine, Site } from 'rolecall/internal/server/viewer/viewer-data'

/** A model on a dataset over all runs, oldest first. */
export type TrendLine = {
  name: PairName
  metric: MainMetric | undefined
  points: readonly { run: number; pair: number; value: number }[]
}

/** The scores of each model on each dataset over time; scores of other metrics than the latest are left out, since they cannot be compared. */
export function trendLines({ runs }: Pick<Site, 'runs'>, lines: readonly RunLine[], by: 'dataset' | 'model'): TrendLine[] {
  const found = new Map<
    string,
    { name: PairName; points: { run: number; pair: number; value: number; metric: MainMetric | undefined }[] }
  >()
  const order = [...runs.keys()].sort((one, other) => (runs[one]!.started < runs[other]!.started ? -1 : 1))
  for (const run of order) {
    for (const [pair, name] of runs[run]!.pairs.entries()) {
      const { value, label } = lines[run]?.figures[pair] ?? {}
      if (value === undefined) continue
      const key = JSON.stringify([name.dataset, modelText(name)])
      const line = found.get(key) ?? { name, points: [] }
      line.points.push({ run, pair, value, metric: label })
      found.set(key, line)
    }
  }
  const sortKey = ({ name }: TrendLine) =>
    by === 'dataset' ? `${name.dataset}\n${modelText(name)}` : `${modelText(name)}\n${name.dataset}`
  return [...found.values()]
    .map(({ name, points }) => {
      const { metric } = points.at(-1)!
      return {
        name,
        metric,
        points: points
          .filter((point) => point.metric?.metric === metric?.metric && point.metric?.unit === metric?.unit)
          .map(({ run, pair, value }) => ({ run, pair, value })),
      }
    })
    .sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
}
