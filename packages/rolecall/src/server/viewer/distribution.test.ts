import { expect, test } from 'vitest'
import { distributionOf } from './run-lengths.ts'

const of = (...lists: number[][]) => distributionOf(lists.map((values, pair) => ({ pair, values: Float64Array.from(values) })))

test('the values of several pairs share bars of a round width', () => {
  const { pairs, ...axis } = of([0, 10, 10, 95], [40])
  expect(axis).toEqual({ from: 0, step: 5, bars: 20, isOpen: false })
  expect(pairs.map(({ counts }) => counts.flatMap((count, bar) => (count > 0 ? [[bar, count]] : [])))).toEqual([
    [
      [0, 1],
      [2, 2],
      [19, 1],
    ],
    [[8, 1]],
  ])
  expect(pairs[0]).toMatchObject({ rows: 4, median: 10, nearlyAll: 95, most: 95 })
})

test('outliers share the last bar', () => {
  const values = [...Array.from({ length: 99 }, (_, index) => 100 + index), 100_000]
  const { bars, isOpen, from, step, pairs } = of(values)
  expect(isOpen).toBe(true)
  expect(from + bars * step).toBeLessThan(500)
  expect(pairs[0]!.counts.reduce((sum, count) => sum + count)).toBe(100)
  expect(pairs[0]!.counts.at(-1)).toBe(1)
  expect(pairs[0]!.most).toBe(100_000)
})

test('equal values give one bar, no values none', () => {
  expect(of([7, 7, 7])).toMatchObject({ from: 7, step: 1, bars: 1, pairs: [{ counts: [3] }] })
  expect(of([], [])).toEqual({ from: 0, step: 1, bars: 0, isOpen: false, pairs: [] })
  expect(of([], [3]).pairs.map(({ pair }) => pair)).toEqual([1])
})
