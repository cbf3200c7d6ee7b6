import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorTimer } from '../../../../../../proof/testing/processor-timer.ts'
import { propertyRuns } from '../../../../../../proof/testing/sampling.ts'
import { majorityAtK, majorityOf, type Vote } from './majority.ts'

describe("the majority answer of a row's samples", () => {
  test('wins, whatever the others are', () => {
    expect(majorityOf(['4', '5', '4', '6'], [1, 0, 1, 0])).toEqual({ answers: ['4'], votes: 2, score: 1 })
    expect(majorityOf(['4', '5', '5'], [1, 0, 0])).toEqual({ answers: ['5'], votes: 2, score: 0 })
  })

  test('ignores samples that could not be read', () => {
    expect(majorityOf([null, null, '4'], [0, 0, 1])).toEqual({ answers: ['4'], votes: 1, score: 1 })
    expect(majorityOf([null, null], [0, 0])).toBeUndefined()
    expect(majorityAtK([null, null], [0, 0], 2)).toBe(0)
    expect(majorityAtK([null, null, null], [0, 0, 0], 2)).toBe(0)
  })

  test('may be tied, and then scores the mean', () => {
    expect(majorityOf(['4', '5'], [1, 0])).toEqual({ answers: ['4', '5'], votes: 1, score: 0.5 })
    expect(majorityAtK(['4', '5', '6'], [1, 0, 0], 3)).toBeCloseTo(1 / 3, 12)
  })

  test('is undecided if its score is unknown', () => {
    expect(majorityAtK(['4', '4', '5'], [Number.NaN, Number.NaN, 0], 3)).toBeNaN()
    expect(majorityAtK(['4', '4', '5'], [Number.NaN, 1, 0], 3)).toBe(1)
  })

  test('among k samples averages over all ways to draw them', () => {
    // Of the three ways to draw two of these, one gives 4 twice, two are ties.
    expect(majorityAtK(['4', '4', '5'], [1, 1, 0], 2)).toBeCloseTo((1 + 0.5 + 0.5) / 3, 12)
    expect(majorityAtK(['4', '4', '5'], [1, 1, 0], 1)).toBeCloseTo(2 / 3, 12)
  })

  test('equals the result of enumerating all draws', () => {
    const vote = fc.constantFrom<Vote>('a', 'b', 'c', 'd', null)
    fc.assert(
      fc.property(fc.array(vote, { minLength: 1, maxLength: 8 }), fc.nat(), (votes, seed) => {
        const scores = votes.map((one) => (one === 'a' || one === 'c' ? 1 : 0))
        const k = 1 + (seed % votes.length)
        expect(majorityAtK(votes, scores, k)).toBeCloseTo(byDrawing(votes, scores, k), 9)
      }),
      { numRuns: propertyRuns(300) },
    )
  })

  test('of many samples is computed quickly', () => {
    const votes = Array.from({ length: 256 }, (_, sample): Vote => `${(sample * sample) % 37}`)
    const scores = votes.map((one) => Number(one === '0'))
    const elapsed = processorTimer()
    const share = majorityAtK(votes, scores, 64)
    expect(elapsed()).toBeLessThan(2000)
    expect(share).toBeGreaterThanOrEqual(0)
    expect(share).toBeLessThanOrEqual(1)
  })
})

/** The same by definition. */
function byDrawing(votes: readonly Vote[], scores: readonly number[], k: number): number {
  const draws = subsets(votes.length, k)
  const each = draws.map((drawn) => {
    const won = majorityOf(
      drawn.map((sample) => votes[sample]!),
      drawn.map((sample) => scores[sample]!),
    )
    return won?.score ?? 0
  })
  return each.reduce((sum, score) => sum + score, 0) / draws.length
}

function subsets(n: number, k: number, from = 0): number[][] {
  if (k === 0) return [[]]
  if (from >= n) return []
  return [...subsets(n, k - 1, from + 1).map((rest) => [from, ...rest]), ...subsets(n, k, from + 1)]
}
