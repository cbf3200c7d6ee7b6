import { expect, test } from 'vitest'
import { evaluatorOf } from '../../../../evaluation/score/evaluate/evaluators.ts'
import { registerOpenCompass } from '../../register-opencompass.ts'
import { answerBoxes } from './boxes.ts'

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

test('an answer that repeats its box is right', () => {
  const { judge } = evaluatorOf({ type: 'MATHVerifyEvaluator' }, true, 'mine')
  const score = (prediction: string) => judge({ prediction, reference: '10', row: {} }).score
  expect(score('First \\(\\boxed{10}\\). The answer is \\(\\boxed{10}\\).')).toBe(1)
  expect(score('First \\(\\boxed{10}\\). The answer is \\(\\boxed{11}\\).')).toBe(0)
})
