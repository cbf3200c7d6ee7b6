import { expect, test } from 'vitest'
import { sampleOf } from './sampling.ts'

const items = Array.from({ length: 100 }, (_, index) => index)

test('a sample depends on its seed alone and keeps the order of the items', () => {
  const sample = sampleOf(items, 10, 7)
  expect(sample).toEqual(sampleOf(items, 10, 7))
  expect(sample).toEqual([...new Set(sample)].sort((a, b) => a - b))
  expect(sample).toHaveLength(10)
  expect(sampleOf(items, 10, 8)).not.toEqual(sample)
  expect(sampleOf(items, 200, 7)).toEqual(items)
})

test('every item is drawn by some seed, about equally often', () => {
  const counts = items.map(() => 0)
  for (const seed of items) for (const item of sampleOf(items, 10, seed)) counts[item]!++
  expect(Math.min(...counts)).toBeGreaterThan(0)
  expect(Math.max(...counts)).toBeLessThan(30)
})
