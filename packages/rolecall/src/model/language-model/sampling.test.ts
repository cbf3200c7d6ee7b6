import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { greedy, likeliest, logProbability, penalise, pickToken, type Sampling, sampleToken, seededRandom, softmax } from './sampling.ts'

const noCounts = new Map<number, number>()

describe('penalties', () => {
  test('make tokens of the reply less likely, whatever the sign of their logits', () => {
    const logits = Float32Array.of(2, -2, 3)
    penalise(
      logits,
      new Map([
        [0, 1],
        [1, 3],
      ]),
      { repetitionPenalty: 2, presencePenalty: 0.5, frequencyPenalty: 0.25 },
    )
    expect([...logits]).toEqual([2 / 2 - 0.5 - 0.25, -2 * 2 - 0.5 - 0.75, 3])
  })

  test('leave logits alone by default', () => {
    const logits = Float32Array.of(2, -2, 0)
    penalise(
      logits,
      new Map([
        [0, 1],
        [1, 1],
        [2, 1],
        [99, 1],
      ]),
      greedy,
    )
    expect([...logits]).toEqual([2, -2, 0])
  })
})

test('softmax gives probabilities that sum to 1, even for extreme logits or temperatures', () => {
  for (const [logits, temperature] of [
    [[1, 2, 3], 1],
    [[1e4, -1e4, 0], 0.001],
    [[-1e30, -1e30], 5],
  ] as const) {
    const sum = softmax(Float32Array.from(logits), temperature).reduce((a, b) => a + b, 0)
    expect(sum).toBeCloseTo(1, 5)
  }
  expect([...softmax(Float32Array.of(0, Math.log(3)))]).toEqual([expect.closeTo(0.25, 6), expect.closeTo(0.75, 6)])
})

describe('top-p', () => {
  const probabilities = Float32Array.of(0.1, 0.6, 0.3)
  test('keeps the likeliest tokens that together reach it', () => {
    const kept = (topP: number) => new Set(Array.from({ length: 100 }, (_, index) => pickToken(probabilities, { topP, at: index / 100 })))
    expect(kept(0.5)).toEqual(new Set([1]))
    expect(kept(0.6)).toEqual(new Set([1]))
    expect(kept(0.7)).toEqual(new Set([1, 2]))
    expect(kept(1)).toEqual(new Set([0, 1, 2]))
  })

  test('always keeps the likeliest', () => {
    expect(pickToken(probabilities, { topP: 1e-9, at: 0.99 })).toBe(1)
  })

  test('never returns a token of probability 0', () => {
    expect(pickToken(Float32Array.of(0, 1, 0), { topP: 1, at: 0.999999999 })).toBe(1)
    expect(pickToken(Float32Array.of(0.5, 0.5, 0), { topP: 1, at: 1 })).toBe(1)
  })
})

test('top-k keeps this many of the likeliest tokens, and top-p counts within them', () => {
  const probabilities = Float32Array.of(0.1, 0.4, 0.3, 0.2)
  const kept = (sampling: Partial<Sampling>) =>
    [...new Set(Array.from({ length: 100 }, (_, index) => pickToken(probabilities, { ...sampling, at: index / 100 })))].sort()
  expect(kept({ topK: 1 })).toEqual([1])
  expect(kept({ topK: 2 })).toEqual([1, 2])
  for (const topK of [0, -1, 9]) expect(kept({ topK })).toEqual([0, 1, 2, 3])
  // Of the two tokens that are left, the first has 0.4 / 0.7 of the probability.
  expect(kept({ topK: 2, topP: 0.5 })).toEqual([1])
  expect(kept({ topK: 2, topP: 0.6 })).toEqual([1, 2])
})

test('min-p keeps tokens by their probability relative to the likeliest', () => {
  const probabilities = Float32Array.of(0.1, 0.4, 0.3, 0.2)
  const kept = (minP: number) => new Set(Array.from({ length: 100 }, (_, index) => pickToken(probabilities, { minP, at: index / 100 })))
  expect(kept(0)).toEqual(new Set([0, 1, 2, 3]))
  expect(kept(0.5)).toEqual(new Set([1, 2, 3]))
  expect(kept(0.6)).toEqual(new Set([1, 2]))
  expect(kept(1)).toEqual(new Set([1]))
})

test('sampling follows the probabilities', () => {
  const random = seededRandom(1)
  const counts = [0, 0]
  for (let run = 0; run < 20_000; run++) {
    counts[sampleToken(Float32Array.of(0, Math.log(3)), { ...greedy, temperature: 1 }, noCounts, random)]!++
  }
  expect(counts[1]! / 20_000).toBeCloseTo(0.75, 1)
})

test('temperature 0 takes the likeliest token, the first on a tie', () => {
  expect(sampleToken(Float32Array.of(1, 5, 5), greedy, noCounts, () => 0.99)).toBe(1)
  expect(likeliest(Float32Array.of(-3))).toBe(0)
})

test('a seed reproduces its numbers, which are in [0, 1)', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const [first, second] = [seededRandom(seed), seededRandom(seed)]
      for (let run = 0; run < 5; run++) {
        const number = first()
        expect(second()).toBe(number)
        expect(number).toBeGreaterThanOrEqual(0)
        expect(number).toBeLessThan(1)
      }
    }),
  )
})

test('log-probabilities match softmax', () => {
  const logits = Float32Array.of(3, -1, 0.5, 100)
  const probabilities = softmax(logits)
  for (const id of [0, 3]) expect(Math.exp(logProbability(logits, id))).toBeCloseTo(probabilities[id]!, 6)
  expect(logProbability(Float32Array.of(1e4, 0), 1)).toBe(-1e4)
})
