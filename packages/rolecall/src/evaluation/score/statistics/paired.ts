import { checkOptionsOf, isAnything, isNumber, isString, PromptError } from '@rolecall/core/internal/errors'
import type { ScoreKind } from '../evaluate/metric.ts'
import { clusteredInterval, type Interval, meanInterval, resample, resampledInterval } from './interval.ts'
import { type Clusters, meanWithError, pOfMean } from './mean-with-error.ts'

/** Two models, or two formats, on the same rows. */
export type PairedComparison = {
  rows: number
  /** The second's metric minus the first's: the mean of the scores, in their unit, or the compared metric. */
  difference: number
  /** The 95 % confidence interval of the difference: a paired bootstrap over rows, or from the errors over groups of rows. */
  interval: Interval
  /** The p value of the difference; absent if every row differs by the same amount. */
  p?: number
  /** The test behind it: McNemar's, a paired t test (over groups of rows if they are not independent), or the bootstrap. */
  test?: 'mcnemar' | 't' | 'clustered-t' | 'bootstrap'
  /** For verdicts: McNemar's exact test. */
  mcnemar?: McNemar
}

export type McNemar = {
  /** Rows that only the first, and only the second, answers correctly. */
  onlyFirst: number
  onlySecond: number
  /** The p-value: the probability of a difference at least this large if both are equally good. */
  p: number
}

const pairedChecks = { kind: isString, seed: isNumber, clusters: isAnything }

/**
 * Compares the scores of two runs row by row: rows that both answer correctly, or incorrectly, do not show which is better. McNemar's
 * test applies to verdicts only; `kind` prevents graded scores that happen to be 0 and 1 from counting as right and wrong.
 *
 * @example
 * const { difference, mcnemar } = comparePaired([1, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1], { kind: 'verdict' })
 * difference.toFixed(2) // => '0.83'
 * mcnemar // => { onlyFirst: 0, onlySecond: 5, p: 0.0625 }
 */
export function comparePaired(
  first: readonly number[],
  second: readonly number[],
  options: { kind?: ScoreKind; seed?: number; clusters?: Clusters | undefined } = {},
): PairedComparison {
  checkOptionsOf(options, pairedChecks, 'comparePaired › options')
  const { kind, seed = 0, clusters } = options
  if (first.length !== second.length || first.length === 0) {
    throw new PromptError('unequal-lengths', {
      where: 'the scores',
      problem: `there are ${first.length} and ${second.length}, and rows are compared one by one`,
      fix: 'compare runs on the same rows',
    })
  }
  const differences = first.map((score, row) => second[row]! - score)
  const difference = differences.reduce((sum, one) => sum + one, 0) / differences.length
  const mcnemar = kind === 'verdict' ? mcnemarTest(first, second) : undefined
  const clustered = clusters && clusteredInterval(differences, clusters)
  // McNemar's test takes rows as independent.
  const isExact = mcnemar !== undefined && !clusters
  const p = isExact ? mcnemar.p : pOfMean(meanWithError(differences, clusters))
  return {
    rows: first.length,
    difference,
    interval: clustered ?? meanInterval(differences, seed),
    ...(p === undefined ? {} : { p, test: isExact ? 'mcnemar' : clusters ? 'clustered-t' : 't' }),
    ...(mcnemar ? { mcnemar } : {}),
  }
}

/** A metric of some rows, by index; undefined if they have none. */
export type FigureOf = (rows: readonly number[]) => number | undefined

/** Compares metrics that are not means of rows (BLEU, a correlation): the same rows are drawn for both. */
export function compareFigures(
  rows: readonly number[],
  first: FigureOf,
  second: FigureOf,
  seed = 0,
  clusters?: Clusters,
): PairedComparison | undefined {
  const differenceOf: FigureOf = (drawn) => {
    const [one, other] = [first(drawn), second(drawn)]
    return one === undefined || other === undefined ? undefined : other - one
  }
  const difference = differenceOf(rows)
  const resamples = resample(rows, differenceOf, seed, clusters)
  if (difference === undefined || !resamples) return undefined
  const interval = resampledInterval(resamples, seed, clusters)
  // All resamples of a single row are equal.
  if (rows.length < 2) return { rows: rows.length, difference, interval }
  return { rows: rows.length, difference, interval, p: difference === 0 ? 1 : bootstrapP(resamples.values), test: 'bootstrap' }
}

/** Twice the share of resamples on the other side of 0; the observed difference counts as one. */
function bootstrapP(differences: readonly number[]): number {
  const atMost = differences.filter((one) => one <= 0).length
  const atLeast = differences.filter((one) => one >= 0).length
  return Math.min(1, (2 * (Math.min(atMost, atLeast) + 1)) / (differences.length + 1))
}

/** McNemar's exact test of two lists of right (1) and wrong (0). */
export function mcnemarTest(first: readonly number[], second: readonly number[]): McNemar {
  const onlyFirst = first.filter((score, row) => score > second[row]!).length
  const onlySecond = first.filter((score, row) => score < second[row]!).length
  return { onlyFirst, onlySecond, p: Math.min(1, 2 * halfTail(Math.min(onlyFirst, onlySecond), onlyFirst + onlySecond)) }
}

/** The probability of at most `heads` heads in `throws` throws of a fair coin. */
function halfTail(heads: number, throws: number): number {
  let sum = 0
  let logChoose = 0
  for (let count = 0; count <= heads; count++) {
    if (count > 0) logChoose += Math.log((throws - count + 1) / count)
    sum += Math.exp(logChoose - throws * Math.LN2)
  }
  return sum
}
