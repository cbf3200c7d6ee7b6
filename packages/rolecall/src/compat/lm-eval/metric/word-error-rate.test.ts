import { expect, test } from 'vitest'
import { wordErrorRate } from './word-error-rate.ts'

test('the word error rate counts inserted, deleted and replaced words over all right words', () => {
  expect(wordErrorRate([['a b c', 'a x c d']])).toBe(2 / 3)
  expect(
    wordErrorRate([
      ['a b', ''],
      ['c  d ', ' c d'],
    ]),
  ).toBe(0.5)
  expect(wordErrorRate([['a', 'b c d']])).toBe(3)
})

test('a single tab or line break is part of a word, as in jiwer', () => {
  expect(wordErrorRate([['a b', 'a\nb']])).toBe(1)
  expect(wordErrorRate([['a b', 'a\n\nb']])).toBe(0)
})

test('right texts without words have no error rate', () => {
  expect(wordErrorRate([['', 'a']])).toBeNaN()
})
