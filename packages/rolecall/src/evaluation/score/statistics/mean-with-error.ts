import { twoSided } from './student-t.ts'

/** A mean, its standard error, and the degrees of freedom of the error. */
export type MeanWithError = { mean: number; error: number; degrees: number; clusters?: number }

/** Groups of rows that are not independent, by row: a value of a column; rows without one are on their own. */
export type Clusters = readonly unknown[]

/**
 * The standard error of a mean. With clusters it is that of their sums (CR1 of a regression on a constant, as statsmodels computes it), which
 * is the usual one if every row is its own cluster.
 *
 * @example
 * meanWithError([1, 1, 0, 0], ['a', 'a', 'b', 'b']).error.toFixed(4) // => '0.5000'
 * @example
 * meanWithError([1, 1, 0, 0]).error.toFixed(4) // => '0.2887'
 */
export function meanWithError(values: ArrayLike<number>, clusters?: Clusters): MeanWithError {
  const total = values.length
  let mean = 0
  for (let row = 0; row < total; row++) mean += values[row]!
  mean /= total
  const sums = new Map<unknown, number>()
  let squares = 0
  for (let row = 0; row < total; row++) {
    const off = values[row]! - mean
    const cluster = clusters?.[row]
    if (cluster === undefined) squares += off * off
    else sums.set(cluster, (sums.get(cluster) ?? 0) + off)
  }
  let groups = sums.size
  for (const sum of sums.values()) squares += sum * sum
  for (let row = 0; row < total; row++) if (clusters?.[row] === undefined) groups++
  const exact = Math.sqrt((groups / (groups - 1)) * squares) / total
  // Equal values have floating-point errors.
  const error = groups < 2 ? Number.NaN : exact > 1e-12 * Math.abs(mean) ? exact : 0
  return { mean, error, degrees: groups - 1, ...(clusters ? { clusters: groups } : {}) }
}

/** The p value of a mean that would be 0 by chance; undefined if the values do not vary and are not 0. */
export function pOfMean({ mean, error, degrees }: MeanWithError): number | undefined {
  if (mean === 0) return 1
  return !(error > 0) ? undefined : twoSided(mean / error, degrees)
}

/**
 * Holm's adjustment of the p values of several tests: the probability that at least one of the rejected hypotheses is true stays below the level.
 *
 * @example
 * holm([0.01, 0.04, 0.03]) // => [0.03, 0.06, 0.06]
 */
export function holm(values: readonly number[]): number[] {
  const order = values.map((_, place) => place).sort((one, other) => values[one]! - values[other]!)
  const adjusted: number[] = []
  let most = 0
  for (const [rank, place] of order.entries()) {
    most = Math.max(most, Math.min(1, (values.length - rank) * values[place]!))
    adjusted[place] = most
  }
  return adjusted
}
