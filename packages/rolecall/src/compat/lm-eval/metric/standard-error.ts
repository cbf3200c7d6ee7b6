import type { Value } from '@rolecall/core/internal/python'
import { PythonRandom } from '../../../python/library/random.ts'
import { type Aggregation, mean, numberOf } from './aggregations.ts'

/** Resamples that share a random generator, which is seeded with the chunk's index. */
const chunk = 1000
/** Metrics of these names are drawn at most 100 times, whatever aggregates them. */
export const slowMetrics: readonly string[] = ['bleu', 'chrf', 'ter']
const mostOfSlow = 100

/**
 * The standard error of a metric as lm-evaluation-harness computes it: from the spread for a mean, otherwise by resampling. Undefined
 * ("N/A") for a single document and for metrics that are not resampled.
 */
export function standardError(metric: string, items: readonly Value[], aggregation: Aggregation, resamples: number): number | undefined {
  const { error } = aggregation
  if (items.length < 2 || error === undefined || resamples <= 0) return undefined
  if (error === 'mean') return sampleDeviation(items.map(numberOf)) / Math.sqrt(items.length)
  const count = slowMetrics.includes(metric) ? Math.min(resamples, mostOfSlow) : resamples
  const size = Math.min(chunk, count)
  const measured = aggregation.over(items)
  const drawn: number[] = []
  for (let seed = 0; seed < Math.floor(count / size); seed++) {
    const random = new PythonRandom(seed)
    for (let index = 0; index < size; index++) drawn.push(measured.ofDrawn(random))
  }
  return sampleDeviation(drawn)
}

function sampleDeviation(values: readonly number[]): number {
  const centre = mean(values)
  return Math.sqrt(values.reduce((total, value) => total + (value - centre) ** 2, 0) / (values.length - 1))
}
