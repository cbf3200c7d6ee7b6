import { type AxisName, axisNames } from '../../config/axes.ts'
import { gain } from '../../score/evaluate/metric.ts'
import { type Clusters, holm } from '../../score/statistics/mean-with-error.ts'
import type { PairedComparison } from '../../score/statistics/paired.ts'
import { alongAxis, compareScores, mostAgainstEach, type ScoredPair } from './compare-models.ts'
import type { AxisBest, Interaction } from './run-record.ts'
import { placeOf, type TablePlace } from './run-table.ts'

type Placed = { pair: ScoredPair; at: TablePlace }

/** The best place on each axis along which a run varies, and where a step along an axis helps one model only. */
export function bestOnAxes(pairs: readonly ScoredPair[]): { best: AxisBest[]; interactions: Interaction[] } {
  const placed = pairs.flatMap((pair) => (pair.result.axes && areMeans(pair) ? [{ pair, at: placeOf(pair.result) }] : []))
  const metrics = new Set(placed.map(({ pair: { result } }) => JSON.stringify([result.metric, result.unit, result.direction])))
  // Scores of different metrics have no mean.
  if (metrics.size !== 1) return { best: [], interactions: [] }
  return { best: axisNames.flatMap((axis) => (axis === 'data' ? [] : bestOn(placed, axis))), interactions: interactionsIn(placed) }
}

/** Only the mean of the rows' scores can be averaged over places, row by row. */
function areMeans({ compared, result }: ScoredPair): boolean {
  return compared === undefined && result.baseline !== true
}

function bestOn(placed: readonly Placed[], axis: AxisName): AxisBest[] {
  const places = [...new Set(placed.map(({ at }) => at[axis]))]
  const groups = alongAxis(placed, axis).filter((group) => group.length === places.length)
  const [first] = placed
  if (places.length < 2 || groups.length === 0 || !first) return []
  const { unit, direction } = first.pair.result
  const rows = rowsOf(groups)
  const scores = new Map(places.map((place) => [place, rows.map(({ group, row }) => meanAt(group, axis, place, row))]))
  const factor = unit === 'percent' ? 100 : 1
  const averageOf = (place: string) => (factor * scores.get(place)!.reduce((sum, score) => sum + score, 0)) / rows.length
  const sorted = places.toSorted((one, other) => gain(averageOf(one), averageOf(other), direction))
  const [best, ...others] = sorted
  if (best === undefined || rows.length === 0) return []
  const clusters = clustersOf(rows)
  if (clusters === 'mixed') return []
  const compared = others.flatMap((place) => {
    const one = compareScores(scores.get(place)!, scores.get(best)!, { kind: 'graded', unit }, clusters)
    return one ? [{ place, one }] : []
  })
  const [second] = adjusted(compared.map(({ one }) => one))
  if (compared[0] === undefined || second === undefined) return []
  const { place } = compared[0]
  return [{ axis, best, value: averageOf(best), second: place, secondValue: averageOf(place), unit, compared: second, over: groups.length }]
}

type RowOfGroups = { group: readonly Placed[][]; row: number; cluster: unknown; hasCluster: boolean }

/** The rows that all places have, with the groups of the same data, over which scores are averaged. */
function rowsOf(groups: readonly Placed[][]): RowOfGroups[] {
  const byData = new Map<string, Placed[][]>()
  for (const group of groups) byData.set(group[0]!.at.data, [...(byData.get(group[0]!.at.data) ?? []), group])
  return [...byData.values()].flatMap((own) => {
    const all = own.flat()
    const length = Math.min(...all.map(({ pair }) => pair.scores.length))
    const clusters = all[0]?.pair.clusters
    return Array.from({ length }, (_, row) => row)
      .filter((row) => all.every(({ pair }) => Number.isFinite(pair.scores[row])))
      .map((row) => ({ group: own, row, cluster: clusters?.[row], hasCluster: clusters !== undefined }))
  })
}

function meanAt(groups: readonly Placed[][], axis: AxisName, place: string, row: number): number {
  const scores = groups.flatMap((group) => group.flatMap(({ at, pair }) => (at[axis] === place ? [pair.scores[row]!] : [])))
  return scores.reduce((sum, score) => sum + score, 0) / scores.length
}

/** Rows of some data that depend on each other, beside rows of other data that do not, have no common error. */
function clustersOf(rows: readonly RowOfGroups[]): Clusters | undefined | 'mixed' {
  const clustered = rows.filter(({ hasCluster }) => hasCluster).length
  if (clustered === 0) return undefined
  return clustered === rows.length ? rows.map(({ cluster }) => cluster) : 'mixed'
}

function adjusted(compared: readonly PairedComparison[]): AxisBest['compared'][] {
  const tested = compared.filter(({ p }) => p !== undefined)
  const values = holm(tested.map(({ p }) => p ?? 1))
  return compared.map((one) => {
    const place = tested.indexOf(one)
    return place < 0 ? one : { ...one, adjusted: { p: values[place] ?? 1, tests: tested.length } }
  })
}

/** Steps along each axis, from its first place, whose gain differs between two models by more than chance. */
function interactionsIn(placed: readonly Placed[]): Interaction[] {
  const tried = axisNames.flatMap((axis) => (axis === 'data' || axis === 'model' ? [] : stepsOn(placed, axis)))
  return adjusted(tried.map(({ compared }) => compared)).flatMap((compared, index) => {
    const one = tried[index]!
    return (compared.adjusted?.p ?? 1) < 0.05 ? [{ ...one, compared }] : []
  })
}

function stepsOn(placed: readonly Placed[], axis: AxisName): Interaction[] {
  const steps = alongAxis(placed, axis).flatMap((group) => {
    const [from, ...others] = group.slice(0, mostAgainstEach)
    return from ? others.map((to) => ({ from, to, at: { ...from.at, [`to ${axis}`]: to.at[axis] } })) : []
  })
  return alongAxis(steps, 'model').flatMap((group) =>
    group
      .slice(0, mostAgainstEach)
      .flatMap((one, place) => group.slice(place + 1, mostAgainstEach).flatMap((other) => interactionOf(axis, one, other))),
  )
}

type Step = { from: Placed; to: Placed; at: TablePlace }

function interactionOf(axis: AxisName, one: Step, other: Step): Interaction[] {
  const all = [one.from, one.to, other.from, other.to].map(({ pair }) => pair.scores)
  const rows = Array.from({ length: Math.min(...all.map(({ length }) => length)) }, (_, row) => row).filter((row) =>
    all.every((scores) => Number.isFinite(scores[row])),
  )
  const { unit, direction } = one.from.pair.result
  const clusters = one.from.pair.clusters
  const gains = (step: Step) => rows.map((row) => step.to.pair.scores[row]! - step.from.pair.scores[row]!)
  const [first, second] = [gains(one), gains(other)]
  const compared =
    rows.length < 6 ? undefined : compareScores(first, second, { kind: 'graded', unit }, clusters && rows.map((row) => clusters[row]))
  if (!compared) return []
  const factor = unit === 'percent' ? 100 : 1
  const meanOf = (values: readonly number[]) => (factor * values.reduce((sum, value) => sum + value, 0)) / values.length
  const sides = [
    { model: one.at.model, difference: meanOf(first) },
    { model: other.at.model, difference: meanOf(second) },
  ] as const
  const isSecond = gain(sides[0].difference, sides[1].difference, direction) > 0
  const [more, less] = isSecond ? [sides[1], sides[0]] : sides
  return [{ axis, data: one.at.data, from: one.from.at[axis], to: one.to.at[axis], unit, more, less, compared }]
}
