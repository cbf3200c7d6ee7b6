import { expect, test } from 'vitest'
import { evaluatorOf } from '../../../../evaluation/score/evaluate/evaluators.ts'
import { registerOpenCompass } from '../../register-opencompass.ts'
import { announcedFormulas, answerBoxes } from './boxes.ts'

registerOpenCompass()

test.each([
  ['First \\(\\boxed{10}\\). The answer is \\(\\boxed{10}\\).', ['10']],
  ['$\\boxed{2}$ is too small. So $\\boxed{3}$.', ['3']],
  ['$\\boxed{2}$ and $\\boxed{3}$', ['2', '3']],
  ['\\(\\boxed{2}\\), or \\(\\boxed{3}\\)', ['3']],
  ['\\[ \\boxed{1} \\]\nNo:\n\\[ \\boxed{\\frac{1}{2}} \\]\n', ['\\frac{1}{2}']],
  ['It costs $5, so $\\boxed{10}$.', ['10']],
  ['\\boxed{2} or \\boxed{3}', ['2', '3']],
  ['no box', []],
])('%j has the boxes %j', (text, boxes) => expect(answerBoxes(text)).toEqual(boxes))

test.each([
  ['We get $x$. The answer is $5$.', ['5']],
  ['Answer: \\(5\\) and \\(6\\), not $7$', ['5', '6']],
  ['The answer is $4$. The final answer is $50$ %. I hope it is correct.', ['50\\%']],
  ['The final answer to this is:\n\\[\\frac{1}{2}\\]', ['\\frac{1}{2}']],
  ['Answer \\frac{1}{2}', ['\\frac{1}{2}']],
  ['Therefore, $5$.', []],
  ['The answer is 5.', []],
  [`${'answer \\['.repeat(3000)} answer: $5$`, ['5']],
])('%.60j announces the formulas %j', (text, formulas) => expect(announcedFormulas(text)).toEqual(formulas))

test('an answer outside of a box is verified if it is announced; a box wins', () => {
  const { judge } = evaluatorOf({ type: 'MATHVerifyEvaluator' }, true, 'mine')
  const score = (prediction: string) => judge({ prediction, reference: '10', row: {} }).score
  expect(score('The answer is $10$.')).toBe(1)
  expect(score('Therefore $10$.')).toBe(0)
  expect(score('The answer is $10$. No: $\\boxed{11}$.')).toBe(0)
})

test('an answer that repeats its box is right', () => {
  const { judge } = evaluatorOf({ type: 'MATHVerifyEvaluator' }, true, 'mine')
  const score = (prediction: string) => judge({ prediction, reference: '10', row: {} }).score
  expect(score('First \\(\\boxed{10}\\). The answer is \\(\\boxed{10}\\).')).toBe(1)
  expect(score('First \\(\\boxed{10}\\). The answer is \\(\\boxed{11}\\).')).toBe(0)
})
