import { isInt, pyFloat, type Value, valueError } from '@rolecall/core/internal/python'
import { numberOf } from './define-module.ts'
import { NumpyScalar } from './numpy-scalar.ts'
import { numpyMean, numpySum } from './numpy-sum.ts'

const highest = (numbers: readonly number[]) => numbers.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY)
const lowest = (numbers: readonly number[]) => numbers.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY)
/** The first place of a number; if there is a NaN, every reduction gives NaN. */
const placeOf = (numbers: readonly number[], found: number) => numbers.findIndex((one) => one === found || Number.isNaN(one))

function varianceOf(numbers: readonly number[]): number {
  const middle = numpyMean(numbers)
  return numpyMean(numbers.map((one) => (one - middle) ** 2))
}

function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

type Reduce = (numbers: readonly number[]) => number

/** numpy's reductions, and what they give: a float, an int, or what the items are. */
export const reductions: Readonly<Record<string, { run: Reduce; gives: 'float' | 'int' | 'same' }>> = {
  mean: { run: numpyMean, gives: 'float' },
  var: { run: varianceOf, gives: 'float' },
  std: { run: (numbers) => Math.sqrt(varianceOf(numbers)), gives: 'float' },
  median: { run: medianOf, gives: 'float' },
  sum: { run: numpySum, gives: 'same' },
  prod: { run: (numbers) => numbers.reduce((product, one) => product * one, 1), gives: 'same' },
  max: { run: highest, gives: 'same' },
  min: { run: lowest, gives: 'same' },
  argmax: { run: (numbers) => placeOf(numbers, highest(numbers)), gives: 'int' },
  argmin: { run: (numbers) => placeOf(numbers, lowest(numbers)), gives: 'int' },
  nanmax: { run: (numbers) => highest(withoutNaN(numbers)), gives: 'same' },
  nanmin: { run: (numbers) => lowest(withoutNaN(numbers)), gives: 'same' },
  // A NaN counts as 0, in its place.
  nansum: { run: (numbers) => numpySum(numbers.map((one) => one || 0)), gives: 'same' },
  nanmean: {
    run: (numbers) => numpySum(numbers.map((one) => one || 0)) / numbers.filter((one) => !Number.isNaN(one)).length,
    gives: 'float',
  },
}

function withoutNaN(numbers: readonly number[]): number[] {
  const kept = numbers.filter((one) => !Number.isNaN(one))
  return kept.length > 0 ? kept : [...numbers]
}

/** The reduction of these numbers with this name. */
export function reduced(name: string, values: readonly Value[]): Value {
  const { run, gives } = reductions[name]!
  if (values.length === 0 && /max|min/.test(name)) throw valueError(`attempt to reduce an empty sequence with ${name}`)
  const found = run(values.map((value) => numberOf(value)))
  const hasInts = values.length > 0 && values.every((value) => isInt(value))
  if (gives === 'int') return new NumpyScalar(found)
  return gives === 'same' && hasInts ? found : new NumpyScalar(pyFloat(found))
}
