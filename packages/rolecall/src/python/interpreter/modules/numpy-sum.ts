/** Up to this many numbers are added in eight columns. */
const block = 128

/**
 * The sum of floats as numpy adds them, rounding included: eight columns that are added in pairs, and longer arrays in halves.
 *
 * @example
 * numpySum([0.1, 0.2, 0.3]) // => 0.6000000000000001
 */
export function numpySum(numbers: readonly number[]): number {
  return sumOf(numbers, 0, numbers.length)
}

export function numpyMean(numbers: readonly number[]): number {
  return numpySum(numbers) / numbers.length
}

function sumOf(numbers: readonly number[], from: number, to: number): number {
  const count = to - from
  if (count > block) {
    const half = count >> 1
    const middle = from + half - (half % 8)
    return sumOf(numbers, from, middle) + sumOf(numbers, middle, to)
  }
  const last = count < 8 ? from : to - (count % 8)
  const columns = [0, 0, 0, 0, 0, 0, 0, 0]
  for (let place = from; place < last; place++) columns[(place - from) % 8]! += numbers[place]!
  const [a, b, c, d, e, f, g, h] = columns as [number, number, number, number, number, number, number, number]
  let sum = a + b + (c + d) + (e + f + (g + h))
  for (let place = last; place < to; place++) sum += numbers[place]!
  return sum
}
