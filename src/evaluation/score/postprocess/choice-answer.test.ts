import { describe, expect, test } from 'vitest'
import { processorTimer } from '../../../../testing/processor-timer.ts'
import type { Row } from '../../../prompt/conversation/row.ts'
import { readerOf } from './postprocessors.ts'

const letters = readerOf({ type: 'choice_answer', options: 'ABCD' }, 'mine')

const read: [said: string, letter: string][] = [
  // A label in any notation.
  ['B', 'B'],
  [' B\n', 'B'],
  ['B.', 'B'],
  ['b)', 'B'],
  ['b', 'B'],
  ['(B)', 'B'],
  ['[B]', 'B'],
  ['"B"', 'B'],
  ['**B**', 'B'],
  ['**B)**', 'B'],
  ['**B.** 0.01 C', 'B'],
  ['__B__', 'B'],
  ['`B`', 'B'],
  ['$B$', 'B'],
  ['$\\text{B}$', 'B'],
  ['\\boxed{B}', 'B'],
  ['$$\\boxed{\\text{B}}$$', 'B'],
  ['\\boxed{\\textbf{(B)}}', 'B'],
  ['\\boxed{B. 0.01 C}', 'B'],
  ['Ｂ', 'B'],
  ['（B）', 'B'],
  ['B. 0.01 C', 'B'],
  ['B) 0.01 C', 'B'],
  ['B: 0.01 C', 'B'],
  ['B - 0.01 C', 'B'],
  ['D. Both A and C', 'D'],
  ['D) All of the above (A, B and C)', 'D'],
  ['C. A cat', 'C'],
  ['Option B', 'B'],
  ['option b', 'B'],
  ['Option (B): 0.01 C', 'B'],
  ['- B. 0.01 C', 'B'],
  ['B\n\nExplanation: A is the charge of one, and C that of three.', 'B'],
  ['B because the charge is small.', 'B'],
  // Announced.
  ['the answer is B', 'B'],
  ['The answer is (B).', 'B'],
  ['The answer is: B', 'B'],
  ['Answer: B', 'B'],
  ['ANSWER: B', 'B'],
  ['Answer:B', 'B'],
  ['Answer: (b)', 'B'],
  ['Answer: b', 'B'],
  ['**Answer:** B', 'B'],
  ['**Answer**: B', 'B'],
  ['**Answer: B**', 'B'],
  ['### Answer\nB', 'B'],
  ['### Answer\n\n**B)** 0.01 C', 'B'],
  ['## Final Answer:\n\n(B)', 'B'],
  ['**Final answer:** B', 'B'],
  ['Final Answer: The final answer is $\\boxed{B}$. I hope it is correct.', 'B'],
  ['The correct answer is **B. 0.01 C**.', 'B'],
  ['The correct answer is option B.', 'B'],
  ['The correct answer is: **(B) 0.01 C**', 'B'],
  ['The correct option is B.', 'B'],
  ['The correct choice is therefore (B).', 'B'],
  ['The best answer to this question would be B.', 'B'],
  ['The answer should be "B".', 'B'],
  ['So the answer must be B, since the others are too large.', 'B'],
  ['The most likely one is B.', 'B'],
  ['The answer is D. Both A and C', 'D'],
  ['The answer is 0.01 C (B).', 'B'],
  ['The answer is 0.01 C, option B.', 'B'],
  ['<answer>B</answer>', 'B'],
  ['<answer>(B) 0.01 C</answer>', 'B'],
  ['I would choose B.', 'B'],
  ["I'd go with option B.", 'B'],
  ['My choice is (B).', 'B'],
  ['I think the answer is B', 'B'],
  ['I believe B is right.', 'B'],
  ['Probably B.', 'B'],
  ["It's B.", 'B'],
  ['Therefore, B.', 'B'],
  ['Option B is correct because the charge is small. Option A is wrong, and so are C and D.', 'B'],
  ['B is the correct answer.', 'B'],
  ['Based on the formula, it must be **B**.', 'B'],
  // Preceding reasoning that names other options.
  ['A is too small. C is too large. D cannot be measured. The answer is B.', 'B'],
  ['A. 0.1 C\nB. 0.01 C\nC. 1 C\nD. 2 C\n\nThe charge is small, so the answer is B.', 'B'],
  ['A. 0.1 C\nB. 0.01 C\nC. 1 C\nD. 2 C\n\nB', 'B'],
  ['B\n\nA. Wrong, too large.\nB. Right.\nC. Wrong.\nD. Wrong.', 'B'],
  ['(A) is incorrect. (C) is incorrect. (D) is incorrect. So (B).', 'B'],
  ['We use q = CV, with V = 5 and C = 2 mF.\n\n\\[ q = 0.01 \\]\n\n**B**', 'B'],
  // Corrections.
  ['The answer is A. Wait, that is wrong: the answer is B.', 'B'],
  ['A... no, B', 'B'],
  ['A. No, wait, it is B.', 'B'],
  ['The answer is A. Sorry, it should be B.', 'B'],
  ['The answer is not A, but B.', 'B'],
  ['\\boxed{A} is wrong. Let me redo this. \\boxed{B}', 'B'],
  ['I do not think the answer is A. The answer is B.', 'B'],
  ['<think>I believe the answer is (C). Wait, no.</think>\n\nThe answer is (B).', 'B'],
  ['The answer is (C)?</think>\n\n(B)', 'B'],
  // Chinese.
  ['答案是B', 'B'],
  ['答案是 B。', 'B'],
  ['答案：B', 'B'],
  ['答案: **B**', 'B'],
  ['正确答案是：B. 北京', 'B'],
  ['正确答案为选项B', 'B'],
  ['【答案】B', 'B'],
  ['答案应该选B。', 'B'],
  ['故选B', 'B'],
  ['故选：B。', 'B'],
  ['A项错误，C项错误，D项错误，故选（B）。', 'B'],
  ['选B', 'B'],
  ['选择B。', 'B'],
  ['因此，应选择 B 选项。', 'B'],
  ['选项B', 'B'],
  ['选项B正确，选项A错误。', 'B'],
  ['B选项正确', 'B'],
  ['B、北京', 'B'],
  ['B。因为北京是首都', 'B'],
  ['不选A，选B。', 'B'],
  ['所以答案选B', 'B'],
  ['根据题意，正确的选项是 **B**。', 'B'],
]

const unreadable = [
  '',
  'As an AI language model, I cannot answer this question.',
  "I'm sorry, but I can't help with that.",
  'could be A, B, C or D',
  'It could be A, B, C or D.',
  'The answer could be A or B.',
  'The answer is A or B.',
  'The answer is either A or B.',
  'Both A and C are plausible.',
  'A, B',
  'A and C',
  'A cat sat on the mat.',
  'A',
  'I do not know.',
  'The answer is a cat.',
  'The answer is A cat.',
  'The answer is B cells.',
  'The answer is vitamin C.',
  'Vitamin C.',
  'Hepatitis B is caused by a virus.',
  'The answer is not B.',
  'I do not think the answer is B.',
  'Option B is incorrect.',
  'A. 0.1 C\nB. 0.01 C\nC. 1 C\nD. 2 C',
  'Let us look at each option:\nA: wrong.\nB: wrong.\nC: perhaps.\nD: per',
  '<think>I believe the answer is (B). But then',
  'C++ is a language.',
  'B+ is a good mark.',
  '选项B错误。',
  '答案不是B。',
  '可能是A、B、C或D',
  '作为一个人工智能语言模型，我无法回答。',
  'None of the above.',
  'E',
  '42',
].filter((said) => said !== 'A')

describe('multiple choice', () => {
  test.each(read)('%j is %s', (said, letter) => expect(letters(said)).toEqual({ value: letter, isFound: true }))
  test.each(unreadable)('%j has no answer', (said) => expect(letters(said)).toEqual({ value: '', isFound: false }))

  test('a letter that is not an option is not an answer', () => {
    expect(readerOf({ type: 'choice_answer', options: 'AB' }, 'mine')('The answer is C.').isFound).toBe(false)
    expect(readerOf({ type: 'choice_answer', options: 'ABCDEFGHIJ' }, 'mine')('The answer is (J).').value).toBe('J')
    expect(readerOf({ type: 'choice_answer', options: 'ABCDEFGHIJ' }, 'mine')('I cannot say.').isFound).toBe(false)
  })
})

describe('the text of an option is its letter, if the row has the options', () => {
  const read = readerOf({ type: 'choice_answer', options: 'ABCD', choices: ['A', 'B', 'C', 'D'] }, 'mine')
  const row = { A: 'Vitamin C', B: 'B cells', C: 'C. difficile', D: 'Both A and C' }
  const told: [said: string, letter: string][] = [
    ['Vitamin C', 'A'],
    ['vitamin C.', 'A'],
    ['The answer is vitamin C.', 'A'],
    ['**Answer:** B cells', 'B'],
    ['The answer is B cells.', 'B'],
    ['\\boxed{\\text{B cells}}', 'B'],
    ['C. difficile', 'C'],
    ['The answer is C. difficile.', 'C'],
    ['The answer is: both A and C', 'D'],
    ['It is one of the four.\n\nBoth A and C', 'D'],
    ['D', 'D'],
    ['The answer is C.', 'C'],
  ]
  test.each(told)('%j is %s', (said, letter) => expect(read(said, row)).toEqual({ value: letter, isFound: true }))

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
})

test('long replies are read quickly', () => {
  const long = `${'A is too small, no, wait, so it is not the answer to the question, and I would not choose it. '.repeat(3000)}\nThe answer is B.`
  const elapsed = processorTimer()
  expect(letters(long).value).toBe('B')
  expect(elapsed()).toBeLessThan(1500)
})
