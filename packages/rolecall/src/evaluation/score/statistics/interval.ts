import { NumpyRandom } from '../../../python/library/random.ts'
import { type Clusters, meanWithError } from './mean-with-error.ts'
import { criticalT } from './student-t.ts'

/** A 95 % confidence interval, and the method that produced it. */
export type Interval = {
  low: number
  high: number
  method: 'wilson' | 'bootstrap' | 'normal' | 'combined' | 'clustered'
  /** For the bootstrap: the number of resamples, and the seed of their random numbers. */
  draws?: number
  seed?: number
  /** The number of groups of rows, if rows are not independent. */
  clusters?: number
}

/** The 97.5 % point of the normal distribution. */
const z = 1.959963984540054

/**
 * Wilson's interval of a proportion: it stays within 0 and 1 and is valid for few rows and for proportions near the ends.
 *
 * @example
 * const { low, high } = wilsonInterval(8, 10)
 * [low.toFixed(3), high.toFixed(3)] // => ['0.490', '0.943']
 */
export function wilsonInterval(right: number, total: number): Interval {
  const share = right / total
  const centre = (share + (z * z) / (2 * total)) / (1 + (z * z) / total)
  const half = (z / (1 + (z * z) / total)) * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total))
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half), method: 'wilson' }
}

/** Limit of resampling work; with more rows the mean is practically normally distributed. */
const mostDraws = 4_000_000
const mostResamples = 1000

/** The interval of a mean: from seeded resamples, or for very many rows from its standard error. */
export function meanInterval(values: ArrayLike<number>, seed = 0): Interval {
  const total = values.length
  if (total * mostResamples <= mostDraws) {
    const random = new NumpyRandom(seed)
    return percentiles(
      Float64Array.from({ length: mostResamples }, () => {
        let sum = 0
        for (const place of random.choice(total, total)) sum += values[place]!
        return sum / total
      }),
      seed,
    )
  }
  let [mean, spread] = [0, 0]
  for (let index = 0; index < total; index++) {
    const off = values[index]! - mean
    mean += off / (index + 1)
    spread += off * (values[index]! - mean)
  }
  const half = z * Math.sqrt(spread / (total - 1) / total)
  return { low: mean - half, high: mean + half, method: 'normal' }
}

/** The interval of a mean of rows that are not independent, from the standard error over their groups. */
export function clusteredInterval(values: ArrayLike<number>, clusters: Clusters): Interval | undefined {
  const { mean, error, degrees, clusters: groups } = meanWithError(values, clusters)
  if (degrees < 1) return undefined
  const half = criticalT(degrees) * error
  return { low: mean - half, high: mean + half, method: 'clustered', clusters: groups! }
}

/** The interval of any metric over rows, from seeded resamples of their kept values, or of groups of them. */
export function figureInterval<Kept>(
  kept: readonly Kept[],
  figure: (rows: readonly Kept[]) => number | undefined,
  seed = 0,
  clusters?: Clusters,
): Interval | undefined {
  const found = resample(kept, figure, seed, clusters)
  return found && resampledInterval(found, seed, clusters)
}

/** The interval of a metric from its resamples. */
export function resampledInterval({ values, groups }: Resamples, seed: number, clusters?: Clusters): Interval {
  return { ...percentiles(Float64Array.from(values), seed), ...(clusters ? { clusters: groups } : {}) }
}

/** The metric of each resample, and the number of rows, or groups of rows, drawn for each. */
export type Resamples = { values: readonly number[]; groups: number }

/** The metric of seeded resamples; undefined if there are too few for an interval. */
export function resample<Kept>(
  kept: readonly Kept[],
  figure: (rows: readonly Kept[]) => number | undefined,
  seed: number,
  clusters?: Clusters,
): Resamples | undefined {
  const resamples = Math.min(mostResamples, Math.floor(mostDraws / Math.max(1, kept.length)))
  if (resamples < 100) return undefined
  const random = new NumpyRandom(seed)
  const groups = clusters ? groupsOf(kept, clusters) : undefined
  const count = groups?.length ?? kept.length
  // A single group of rows does not vary.
  if (groups && count < 2) return undefined
  const values: number[] = []
  for (let draw = 0; draw < resamples; draw++) {
    const places = Array.from(random.choice(count, count))
    const value = figure(groups ? places.flatMap((place) => groups[place]!) : places.map((place) => kept[place]!))
    if (value !== undefined && Number.isFinite(value)) values.push(value)
  }
  return values.length < 100 ? undefined : { values, groups: count }
}

function groupsOf<Kept>(kept: readonly Kept[], clusters: Clusters): Kept[][] {
  const groups = new Map<unknown, Kept[]>()
  for (const [row, one] of kept.entries()) {
    // A row without a cluster is on its own.
    const cluster = clusters[row] ?? Symbol('row')
    const known = groups.get(cluster)
    if (known) known.push(one)
    else groups.set(cluster, [one])
  }
  return [...groups.values()]
}

function percentiles(values: Float64Array, seed: number): Interval {
  const sorted = values.sort()
  const at = (share: number) => {
    const place = share * (sorted.length - 1)
    const below = Math.floor(place)
    return sorted[below]! + (sorted[Math.min(below + 1, sorted.length - 1)]! - sorted[below]!) * (place - below)
  }
  return { low: at(0.025), high: at(0.975), method: 'bootstrap', draws: values.length, seed }
}
