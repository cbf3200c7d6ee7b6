import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { none, PairMap } from './pair-map.ts'

test('a pair that was never set has no value', () => {
  const pairs = new PairMap()
  pairs.set(1, 2, 3)
  expect([pairs.get(1, 2), pairs.get(2, 1), pairs.get(0, 0), pairs.get(none, 2)]).toEqual([3, none, none, none])
})

test('it keeps the last value of every pair, however many there are', () => {
  const number = fc.nat({ max: 40 })
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number, fc.nat()), { maxLength: 300 }), (entries) => {
      const pairs = new PairMap()
      const expected = new Map<string, number>()
      for (const [first, second, value] of entries) {
        pairs.set(first, second, value)
        expected.set(`${first} ${second}`, value)
      }
      expect(pairs.size).toBe(expected.size)
      for (const [first, second] of entries) expect(pairs.get(first, second)).toBe(expected.get(`${first} ${second}`))
    }),
  )
})
