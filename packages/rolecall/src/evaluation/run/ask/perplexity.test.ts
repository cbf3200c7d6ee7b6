import { expect, test } from 'vitest'
import { bestOf, isGreediest, likelihoodOf, perplexity } from './perplexity.ts'

test('the mean is over all tokens including the first, as in the reference', () => {
  expect(perplexity([null, -1, -2, -3])).toBe(1.5)
  expect(perplexity([null])).toBeCloseTo(0)
})

test('with a start token, the mean is over the tokens from there on', () => {
  expect(perplexity([null, -1, -2, -4], 2)).toBe(3)
  expect(perplexity([null, -1], 2)).toBeNaN()
})

test('ties go to the first value, and NaN loses every comparison', () => {
  const scored = (...values: number[]) => values.map((value, index) => ({ value, index }))
  expect(bestOf(scored(2, 1, 1), 'lowest').index).toBe(1)
  expect(bestOf(scored(1, 2, 2), 'highest').index).toBe(1)
  expect(bestOf(scored(Number.NaN, 5), 'lowest').index).toBe(1)
  expect(bestOf(scored(5, Number.NaN), 'lowest').index).toBe(0)
})

const tokens = [
  { id: 0, span: [0, 0] },
  { id: 1, span: [0, 3], pieces: [0, 0] },
  { id: 2, span: [3, 6], pieces: [0, 1] },
  { id: 3, span: [6, 8], pieces: [1, 1] },
] as const

test('an answer is the greediest one if all tokens that touch it are; unknown if that is unknown for some', () => {
  const greediest = (isLikeliest?: readonly (boolean | null)[]) =>
    isGreediest({ tokens, logProbabilities: [], ...(isLikeliest ? { isLikeliest } : {}), reused: 0, notes: [] }, (piece) => piece === 1)
  expect(greediest([null, false, true, true])).toBe(true)
  expect(greediest([true, true, false, true])).toBe(false)
  expect(greediest([true, true, null, false])).toBe(false)
  expect(greediest([true, true, null, true])).toBeUndefined()
  expect(greediest()).toBeUndefined()
})

test('the likelihood of an answer counts the tokens that touch it', () => {
  const scored = { tokens, logProbabilities: [null, -1, -2, -4], reused: 0, notes: [] }
  expect(likelihoodOf(scored, (piece) => piece === 1)).toBe(-6)
})
