import { describe, expect, test } from 'vitest'
import { readerOf } from './postprocessors.ts'

const read = readerOf('last_verdict', 'mine')

describe("a judge's verdict is the last one in its reply", () => {
  const verdicts: [said: string, verdict: string][] = [
    ['A', 'A'],
    [' B \n', 'B'],
    ['**A**', 'A'],
    ['(B)', 'B'],
    ['"A"', 'A'],
    ['A: CORRECT', 'A'],
    ['B (INCORRECT)', 'B'],
    ['It is A.', 'A'],
    ['I say A', 'A'],
    ['My verdict: B', 'B'],
    ['The student answered B, and the right answer is Bern.\n\nA', 'A'],
    ['The student chose A. The right answer is C.\nB', 'B'],
    ['A first look says that the student is right. But B is what is asked.\n\nVerdict: **B**', 'B'],
    ['Verdict: A\n\nThe student wrote B, which is another name for it.', 'A'],
    ['One could say B.\n\nFinal verdict: [[A]]', 'A'],
    ['B would be too harsh. \\boxed{A}', 'A'],
    ['<reason>B looks wrong</reason><verdict>A</verdict>', 'A'],
    ['Grade: B\nThe answer has a wrong year.', 'B'],
    ['B\n\nThe student gives a wrong year.', 'B'],
    ['Judgement: A (correct)', 'A'],
    ['The two agree, so it is A, not B.', 'A'],
    ['B - the year is wrong', 'B'],
    ['<think>Is it A?</think>B', 'B'],
    ['结论：A', 'A'],
  ]
  test.each(verdicts)('%j is %s', (said, verdict) => expect(read(said)).toEqual({ value: verdict, isFound: true }))

  test.each([
    '',
    'I cannot tell.',
    'I cannot tell whether it is A or B.',
    'A student would say so.',
    'As an AI, I cannot judge.',
    'Both are possible.',
    'It is neither A nor B.',
    'a',
    '<think>It is A',
  ])('%j is none', (said) => expect(read(said)).toEqual({ value: 'unknown', isFound: false }))

  test('other tags are whole words, in any case', () => {
    const words = readerOf({ type: 'last_verdict', true_tag: 'CORRECT', false_tag: 'INCORRECT' }, 'mine')
    expect(words('Verdict: incorrect').value).toBe('INCORRECT')
    expect(words('INCORRECT would be unfair.\nSo the answer is correct.').value).toBe('CORRECT')
    expect(words('The answer is not correct.').isFound).toBe(false)
    expect(words('Correct or incorrect? Who knows.').isFound).toBe(false)
  })
})
