import { expect, test } from 'vitest'
import { NumpyGenerator } from './numpy-generator.ts'

// numpy 2.4: np.random.default_rng(seed).permutation(total).
test.for([
  [0, [4, 19, 6, 2, 13, 16, 3, 11, 10, 8, 0, 12, 7, 5, 18, 17, 14, 9, 1, 15]],
  [42, [15, 9, 14, 7, 12, 10, 6, 19, 3, 0, 16, 5, 11, 18, 2, 4, 17, 1, 13, 8]],
  [123456, [16, 15, 3, 0, 6, 4, 13, 9, 2, 17, 14, 10, 12, 8, 5, 19, 18, 1, 11, 7]],
] as const)('permutations as numpy draws them: seed %d', ([seed, order]) => {
  expect(new NumpyGenerator(seed).permutation(20)).toEqual(order)
})

test('of many numbers', () => {
  expect(new NumpyGenerator(42).permutation(100_000).slice(0, 5)).toEqual([45262, 49850, 30394, 90177, 95569])
  expect(new NumpyGenerator(42).permutation(0)).toEqual([])
})
