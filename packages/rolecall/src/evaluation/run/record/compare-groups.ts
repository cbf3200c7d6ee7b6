import type { SummaryGroup } from '../../config/summary-group-schema.ts'
import { meanWithError } from '../../score/statistics/mean-with-error.ts'
import { criticalT, twoSided } from '../../score/statistics/student-t.ts'
import { adjust, comparedNames, pairwise, type ScoredPair } from './compare-models.ts'
import { distinctModels, isSameModel } from './pair-name.ts'
import type { ModelComparison } from './run-record.ts'

/** Two models on one dataset: the difference on their common rows, in the dataset's unit, with its standard error. */
type Part = { first: ScoredPair; second: ScoredPair; rows: number; mean: number; error: number; degrees: number }

/**
 * Compares models on all datasets of a group, row by row within each. Datasets are weighted as in the group's value; they are independent, so their
 * variances add up, with Welch and Satterthwaite's degrees of freedom.
 */
export function compareGroups(groups: readonly SummaryGroup[], pairs: readonly ScoredPair[]): ModelComparison[] {
  const models = distinctModels(pairs.map(({ result }) => result))
  return adjust(
    groups.flatMap((group) =>
      pairwise(models).flatMap(([one, other]) => {
        const find = (dataset: string, model: typeof one) =>
          pairs.find(({ result }) => result.dataset === dataset && isSameModel(result, model))
        const parts = new Map<string, Part | undefined>()
        const partOf = (dataset: string): Part | undefined => {
          if (!parts.has(dataset)) parts.set(dataset, comparePart(find(dataset, one), find(dataset, other)))
          return parts.get(dataset)
        }
        const shares = sharesOf(group, groups, (dataset) => partOf(dataset)?.rows)
        const weighted = shares && [...shares].map(([dataset, share]) => ({ share, ...partOf(dataset)! }))
        return weighted ? combine(group.name, weighted) : []
      }),
    ),
  )
}

function comparePart(first: ScoredPair | undefined, second: ScoredPair | undefined): Part | undefined {
  if (!first || !second || first.compared !== undefined || second.compared !== undefined) return undefined
  const rows = Array.from(first.scores, (_, row) => row).filter(
    (row) => Number.isFinite(first.scores[row]) && Number.isFinite(second.scores[row]),
  )
  if (rows.length < 2) return undefined
  const unit = first.result.unit === 'percent' ? 100 : 1
  const groups = first.clusters ?? second.clusters
  const found = meanWithError(
    rows.map((row) => unit * (second.scores[row]! - first.scores[row]!)),
    groups && rows.map((row) => groups[row]),
  )
  // Rows of a single cluster have no standard error.
  return found.degrees < 1 ? undefined : { first, second, rows: rows.length, ...found }
}

/** The weight of each dataset in a group, also of those in groups within it; undefined if one was not compared. */
function sharesOf(
  { name, subsets, weights, weighted_by: by = 'datasets' }: SummaryGroup,
  groups: readonly SummaryGroup[],
  rowsOf: (dataset: string) => number | undefined,
  within: readonly string[] = [],
): ReadonlyMap<string, number> | undefined {
  const inner = subsets.map((subset): ReadonlyMap<string, number> | undefined => {
    if (rowsOf(subset) !== undefined) return new Map([[subset, 1]])
    const group = groups.find((one) => one.name === subset)
    return group && !within.includes(subset) ? sharesOf(group, groups, rowsOf, [...within, name]) : undefined
  })
  if (inner.some((one) => one === undefined)) return undefined
  const sizeOf = (shares: ReadonlyMap<string, number>) => [...shares.keys()].reduce((sum, dataset) => sum + rowsOf(dataset)!, 0)
  const own = subsets.map((subset, place) => (weights ? (weights[subset] ?? 0) : by === 'rows' ? sizeOf(inner[place]!) : 1))
  const all = own.reduce((sum, weight) => sum + weight, 0)
  const shares = new Map<string, number>()
  for (const [place, part] of inner.entries())
    for (const [dataset, share] of part!) shares.set(dataset, (shares.get(dataset) ?? 0) + (share * own[place]!) / all)
  return shares
}

function combine(group: string, parts: readonly (Part & { share: number })[]): ModelComparison[] {
  const { first, second } = parts[0]!
  const { unit, direction } = first.result
  // Means of different units have no mean.
  if (parts.some(({ first: { result } }) => result.unit !== unit || result.direction !== direction)) return []
  const sum = (of: (part: Part & { share: number }) => number) => parts.reduce((all, part) => all + of(part), 0)
  const difference = sum(({ share, mean }) => share * mean)
  const variance = sum(({ share, error }) => (share * error) ** 2)
  const degrees = variance ** 2 / sum(({ share, error, degrees: own }) => (share * error) ** 4 / own)
  const isFlat = !(variance > 0)
  const half = isFlat ? 0 : criticalT(degrees) * Math.sqrt(variance)
  const p = difference === 0 ? 1 : isFlat ? undefined : twoSided(difference / Math.sqrt(variance), degrees)
  return [
    {
      rows: sum(({ rows }) => rows),
      difference,
      interval: { low: difference - half, high: difference + half, method: 'combined' },
      ...(p === undefined ? {} : { p, test: 't' as const }),
      dataset: group,
      unit,
      direction,
      ...comparedNames(first.result, second.result),
    },
  ]
}
