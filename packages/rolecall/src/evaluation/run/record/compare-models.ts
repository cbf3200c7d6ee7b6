import { type Axes, type AxisName, axisNames } from '../../config/axes.ts'
import { gain, type ScoreKind } from '../../score/evaluate/metric.ts'
import { type Clusters, holm } from '../../score/statistics/mean-with-error.ts'
import { compareFigures, comparePaired, type PairedComparison } from '../../score/statistics/paired.ts'
import type { ModelName } from './pair-name.ts'
import { modelText } from './pair-name.ts'
import type { RowsMetric } from './pair-tally.ts'
import { fixed, signed } from './round.ts'
import type { ModelComparison, PairResult } from './run-record.ts'
import { placeName, placeOf, type TablePlace } from './run-table.ts'

/** One model's scores on one dataset, row by row; NaN if a row has none. `compared` is set if the metric is not their mean. */
export type ScoredPair = {
  result: PairResult
  scores: ArrayLike<number>
  compared?: RowsMetric | 'nothing' | undefined
  clusters?: Clusters | undefined
}

/** More models are compared with the first one only: all pairs would hide what matters. */
export const mostAgainstEach = 4

/** The axes that are compared; rows of other data are other rows. */
const comparedAxes = ['prompt', 'shots', 'model', 'format', 'temperature'] as const satisfies AxisName[]

/** Compares results on the same rows pairwise, in the order of the run: each time along one axis, with the others equal. */
export function compareModels(pairs: readonly ScoredPair[]): ModelComparison[] {
  const placed = pairs.map((pair) => ({ pair, at: placeOf(pair.result) }))
  const data = [...new Set(placed.map(({ at }) => at.data))]
  return adjust(
    data.flatMap((rows) => {
      const own = placed.filter(({ at }) => at.data === rows)
      return comparedAxes.flatMap((axis) =>
        alongAxis(own, axis).flatMap((group) =>
          pairwise(group).flatMap(([first, second]) =>
            compareTwo(first.pair, second.pair).map((compared) =>
              withPlaces(compared, axis, [first.pair.result.axes, second.pair.result.axes]),
            ),
          ),
        ),
      )
    }),
  )
}

/** Results that differ on one axis only, in groups. */
export function alongAxis<Placed extends { at: TablePlace }>(placed: readonly Placed[], axis: AxisName): Placed[][] {
  const groups = new Map<string, Placed[]>()
  for (const one of placed) {
    const key = JSON.stringify({ ...one.at, [axis]: '' })
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()].filter((group) => new Set(group.map(({ at }) => at[axis])).size > 1)
}

function withPlaces(
  compared: ModelComparison,
  axis: AxisName,
  [first, second]: readonly [Axes | undefined, Axes | undefined],
): ModelComparison {
  return first && second ? { ...compared, axis, at: [first, second] } : compared
}

/** All pairs of some models, or of many only those with the first. */
export function pairwise<Model>(models: readonly Model[]): [first: Model, second: Model][] {
  const chosen = models.length > mostAgainstEach ? models.slice(0, 1) : models
  return chosen.flatMap((first, place) => models.slice(place + 1).map((second): [Model, Model] => [first, second]))
}

/** With fewer rows, not even all of them in favour of one model would be significant in an exact test. */
const fewestRows = 6

/** Whether two models share too few rows to tell a difference from chance. */
export function isTooFew({ rows }: Pick<ModelComparison, 'rows'>): boolean {
  return rows < fewestRows
}

/** Adds p values that account for the number of comparisons; those over too few rows are not tests. */
export function adjust(comparisons: readonly ModelComparison[]): ModelComparison[] {
  const tested = comparisons.filter((one) => one.p !== undefined && !isTooFew(one))
  const adjusted = holm(tested.map(({ p }) => p!))
  return comparisons.map((one) => {
    const place = tested.indexOf(one)
    return place < 0 ? one : { ...one, adjusted: { p: adjusted[place]!, tests: tested.length } }
  })
}

function compareTwo(first: ScoredPair, second: ScoredPair): ModelComparison[] {
  const compared = comparedFigures(first, second)
  const { unit, direction, dataset } = first.result
  return compared ? [{ ...compared, dataset, unit, direction, ...comparedNames(first.result, second.result) }] : []
}

function comparedFigures(first: ScoredPair, second: ScoredPair): PairedComparison | undefined {
  const [one, other] = [first.compared, second.compared]
  if (one === 'nothing' || other === 'nothing') return undefined
  // An interrupted run may have fewer rows for one of them.
  const hasBoth =
    one && other
      ? (row: number) => one.has(row) && other.has(row)
      : (row: number) => Number.isFinite(first.scores[row]) && Number.isFinite(second.scores[row])
  const rows = Array.from(first.scores, (_, row) => row).filter(hasBoth)
  if (rows.length === 0) return undefined
  const groups = first.clusters ?? second.clusters
  const clusters = groups && rows.map((row) => groups[row])
  if (one && other) return isOneCluster(clusters) ? undefined : compareFigures(rows, one.of, other.of, 0, clusters)
  const scoresOf = ({ scores }: ScoredPair) => rows.map((row) => scores[row]!)
  return compareScores(scoresOf(first), scoresOf(second), first.result, clusters)
}

/** Compares the scores of the same rows, in their unit; undefined if all rows are in one cluster, which has no standard error. */
export function compareScores(
  first: readonly number[],
  second: readonly number[],
  { kind, unit }: { kind?: ScoreKind | undefined; unit: PairResult['unit'] },
  clusters: Clusters | undefined,
): PairedComparison | undefined {
  if (isOneCluster(clusters)) return undefined
  return inUnit(comparePaired(first, second, { ...(kind === undefined ? {} : { kind }), clusters }), unit)
}

function isOneCluster(clusters: Clusters | undefined): boolean {
  return clusters?.[0] !== undefined && new Set(clusters).size === 1
}

/** The compared names, as a comparison displays them. */
export function comparedNames(
  first: ModelName,
  second: ModelName,
): Pick<ModelComparison, 'first' | 'firstFormat' | 'second' | 'secondFormat'> {
  return {
    first: first.model,
    firstFormat: first.format,
    second: second.model,
    secondFormat: second.format,
  }
}

/** Scores are fractions; metrics in percent are displayed as such. */
function inUnit(compared: PairedComparison, unit: PairResult['unit']): PairedComparison {
  if (unit !== 'percent') return compared
  const { low, high } = compared.interval
  return { ...compared, difference: 100 * compared.difference, interval: { ...compared.interval, low: 100 * low, high: 100 * high } }
}

/** Whether a difference is statistically significant, given the number of comparisons. Runs of earlier versions have fewer values. */
export function isSignificant({ rows, interval, mcnemar, p, adjusted }: ModelComparison): boolean {
  if (isTooFew({ rows })) return false
  const value = adjusted?.p ?? p ?? mcnemar?.p
  return value === undefined ? interval.low > 0 || interval.high < 0 : value < 0.05
}

/** `1 of 40 comparisons has p < 0.05 before, 0 after adjustment`; nothing if there is only one. */
export function adjustmentText(comparisons: readonly ModelComparison[]): string[] {
  const tested = comparisons.filter(({ adjusted }) => adjusted !== undefined)
  if (tested.length < 2) return []
  const before = tested.filter(({ p }) => p! < 0.05).length
  const after = tested.filter(({ adjusted }) => adjusted!.p < 0.05).length
  return [
    `${before} of ${tested.length} comparisons ${before === 1 ? 'has' : 'have'} p < 0.05 before, ${after} after adjustment for their number (Holm)`,
  ]
}

/** The names of what is compared, and on what: `careful` against `short` on `a · qa`. */
export function comparedText(comparison: ModelComparison): { first: string; second: string; on: string } {
  const { axis, at, dataset } = comparison
  const names = {
    first: modelText({ model: comparison.first, format: comparison.firstFormat }),
    second: modelText({ model: comparison.second, format: comparison.secondFormat }),
  }
  if (axis === undefined || at === undefined) return { ...names, on: dataset }
  const [first, second] = at.map((axes) => placeOf({ model: comparison.first, format: comparison.firstFormat, dataset, axes })) as [
    TablePlace,
    TablePlace,
  ]
  const others = axisNames.filter((one) => one !== axis && first[one] !== '')
  return { first: placeName(first, [axis]), second: placeName(second, [axis]), on: placeName(first, others) }
}

/** The difference, its uncertainty, and the rows behind it. */
export function comparisonText(comparison: ModelComparison): string {
  const { difference, interval, mcnemar, unit, direction } = comparison
  const { first, second, on } = comparedText(comparison)
  const sign = (value: number) => signed(value, unit === 'percent' ? 1 : 4)
  const rights = mcnemar ? `, ${mcnemar.onlySecond} rows only it has right, ${mcnemar.onlyFirst} only ${first}` : ''
  const test = `${rights}${testText(comparison)}`
  const measured = unit === 'percent' ? '' : ` ${unit}`
  const lower = direction === 'lower' ? ' (lower is better)' : ''
  const isFlat = interval.low === interval.high
  const isFew = isTooFew(comparison)
  const few = `: too few rows to tell (${comparison.rows})`
  const verdict = isFlat ? ': the same difference in every row' : isFew ? few : isSignificant(comparison) ? '' : ': may be chance'
  return `${second} against ${first} on ${on}: ${sign(difference)} [${sign(interval.low)}, ${sign(interval.high)}]${measured}${lower}${test}${verdict}`
}

const testNames = { mcnemar: 'McNemar ', t: '', 'clustered-t': 'clustered ', bootstrap: 'bootstrap ' } as const

/** `, McNemar p 0.012, adjusted 0.48 (40 tests)`. */
function testText({ p, test, adjusted, mcnemar }: ModelComparison): string {
  const value = p ?? mcnemar?.p
  if (value === undefined) return ''
  const more = adjusted && adjusted.tests > 1 ? `, adjusted ${showP(adjusted.p)} (${adjusted.tests} tests)` : ''
  return `, ${testNames[test ?? 'mcnemar']}p ${showP(value)}${more}`
}

export function showP(p: number): string {
  return p < 0.001 ? '< 0.001' : fixed(p, 3)
}

/** The spread of a model's metrics over its formats. */
export function formatSpread(results: readonly PairResult[]): string[] {
  const groups = new Map<string, PairResult[]>()
  for (const result of results) {
    const key = `${result.model} on ${result.dataset}`
    groups.set(key, [...(groups.get(key) ?? []), result])
  }
  return [...groups].flatMap(([key, of]) => {
    const sorted = of.filter(({ value }) => value !== undefined).sort((a, b) => gain(b.value!, a.value!, a.direction))
    const [worst, best] = [sorted[0], sorted.at(-1)]
    if (!worst || !best || worst.value === best.value) return []
    const digits = worst.unit === 'percent' ? 1 : 4
    const name = ({ format }: PairResult) => format ?? 'its own'
    return [
      `${key}: ${fixed(Math.abs(best.value! - worst.value!), digits)} between formats (${name(worst)} ${fixed(worst.value!, digits)}, ${name(best)} ${fixed(best.value!, digits)})`,
    ]
  })
}
