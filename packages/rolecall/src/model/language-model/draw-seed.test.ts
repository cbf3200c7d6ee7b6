import { expect, test } from 'vitest'
import { freshSeed, replySeed, rowSeeds } from './draw-seed.ts'
import { seededRandom } from './sampling.ts'

test('seeds depend on seed, dataset, row and reply, and on nothing else', () => {
  const seeds = [0, 1, 2 ** 32, 2 ** 40].flatMap((seed) =>
    ['gsm8k', 'gsm8l', ''].flatMap((dataset) =>
      Array.from({ length: 50 }, (_, row) => [0, 1, 2].map((reply) => replySeed(rowSeeds(seed, dataset)(row), reply))).flat(),
    ),
  )
  expect(new Set(seeds).size).toBe(seeds.length)
  expect(replySeed(rowSeeds(0, 'gsm8k')(7), 1)).toBe(replySeed(rowSeeds(0, 'gsm8k')(7), 1))
})

test('seeds are 31-bit integers, which every server accepts', () => {
  for (let row = 0; row < 1000; row++) {
    const seed = replySeed(rowSeeds(3, 'd')(row), 0)
    expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true)
  }
  expect(freshSeed()).toBeLessThan(2 ** 31)
  expect(new Set(Array.from({ length: 20 }, freshSeed)).size).toBe(20)
})

test('the first random numbers of rows are uniform, and those of adjacent rows are uncorrelated', () => {
  const seedOfRow = rowSeeds(0, 'sums')
  const first = Array.from({ length: 10_000 }, (_, row) => seededRandom(replySeed(seedOfRow(row), 0))())
  const tenths = new Array<number>(10).fill(0)
  for (const number of first) tenths[Math.floor(number * 10)]!++
  // Chi-square with 9 degrees of freedom is above 27.9 once in a thousand times.
  expect(tenths.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)).toBeLessThan(27.9)
  const together = first.slice(1).reduce((sum, number, index) => sum + (number - 0.5) * (first[index]! - 0.5), 0) / 9999
  expect(Math.abs(together * 12)).toBeLessThan(0.04)
})
