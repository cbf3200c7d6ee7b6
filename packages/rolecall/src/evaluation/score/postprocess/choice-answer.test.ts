import { describe, expect, test } from 'vitest'
import { processorTimer } from '../../../../../../proof/testing/processor-timer.ts'
import type { Row } from '../../../../../core/src/prompt/conversation/row.ts'
import { readerOf } from './postprocessors.ts'

const letters = readerOf({ type: 'choice_answer', options: 'ABCD' }, 'mine')

// The wordings are in cases/choices.
describe('multiple choice', () => {
  test('a letter that is not an option is not an answer', () => {
    expect(readerOf({ type: 'choice_answer', options: 'AB' }, 'mine')('The answer is C.').isFound).toBe(false)
    expect(readerOf({ type: 'choice_answer', options: 'ABCDEFGHIJ' }, 'mine')('The answer is (J).').value).toBe('J')
    expect(readerOf({ type: 'choice_answer', options: 'ABCDEFGHIJ' }, 'mine')('I cannot say.').isFound).toBe(false)
  })
})

describe('the text of an option is its letter, if the row has the options', () => {
  const read = readerOf({ type: 'choice_answer', options: 'ABCD', choices: ['A', 'B', 'C', 'D'] }, 'mine')
  const row = { A: 'Vitamin C', B: 'B cells', C: 'C. difficile', D: 'Both A and C' }
  test('but not if it is part of a sentence, or if two options are equal', () => {
    expect(read('Vitamin C is not among the B cells of any kind', row).isFound).toBe(false)
    expect(read('four', { A: 'four', B: 'Four', C: 'five', D: 'six' } as Row).isFound).toBe(false)
    expect(read('five', { A: 'four', B: 'Four', C: 'five', D: 'six' } as Row).value).toBe('C')
  })

  test('an option text that is a letter is read as a label', () => {
    expect(read('B', { A: 'B', B: 'C', C: 'D', D: 'A' }).value).toBe('B')
  })

  test('options may be listed in the question', () => {
    const input = 'Which statement is sarcastic?\nOptions:\n(A) What a fine day\n(B) What a day'
    const listed = readerOf({ type: 'choice_answer', options: 'ABCDEF', choices: 'input' }, 'mine')
    expect(listed('So the answer is What a day.', { input }).value).toBe('B')
    expect(listed('So the answer is (A).', { input }).value).toBe('A')
  })

  test('or in a column that is a list', () => {
    const listed = readerOf({ type: 'choice_answer', options: 'ABCD', choices: 'options' }, 'mine')
    expect(listed('The answer is round.', { options: ['red', 'round'] }).value).toBe('B')
    expect(listed('The shape is A. red.', { options: ['red', 'round'] }).value).toBe('A')
    expect(listed('The shape is A. round.', { options: ['red', 'round'] }).isFound).toBe(false)
    expect(listed('The answer is round.', { options: null }).isFound).toBe(false)
  })
})

test('a reply that was cut has an answer only if it announced one', () => {
  const reasoning = 'Let us see. (A) would double the charge, and **B** is'
  expect(letters(reasoning, undefined, true).isFound).toBe(false)
  expect(letters(`The answer is C. ${reasoning}`, undefined, true).value).toBe('C')
})

test.each([' ', '\n', '(', '…', '.', 'no, ', '**', '不', 'the answer ', 'A, '])('thousands of %j are read quickly', (part) => {
  const elapsed = processorTimer()
  letters(part.repeat(20_000))
  letters(`${part.repeat(20_000)}The answer is B.`)
  expect(elapsed()).toBeLessThan(3000)
})

test('long replies are read quickly', () => {
  const long = `${'A is too small, no, wait, so it is not the answer to the question, and I would not choose it. '.repeat(3000)}\nThe answer is B.`
  const elapsed = processorTimer()
  expect(letters(long).value).toBe('B')
  expect(elapsed()).toBeLessThan(1500)
})
