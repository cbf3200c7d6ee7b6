import { expect, test } from 'vitest'
import { gradeText } from './grade-text.ts'

test('the letter of a judge that compared two answers says which one it prefers: A is the one shown first', () => {
  const compared = { details: { opponent: 'the other' } }
  expect(['A', 'B', 'C'].map((letter) => gradeText(compared, letter, 0))).toEqual([
    'A: this answer is better',
    'B: the other answer is better',
    'C: a tie',
  ])
  expect(gradeText(compared, 'A', 1)).toBe('A: the other answer is better')
  expect(gradeText(compared, '', 1)).toBe('')
  expect(gradeText({ details: {} }, 'A', 0)).toBe('A')
})
