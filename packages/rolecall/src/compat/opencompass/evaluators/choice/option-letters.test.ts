import { expect, test } from 'vitest'
import { evaluateAnswers } from '../../../../evaluation/score/evaluate/evaluate-answers.ts'
import { evaluatorOf } from '../../../../evaluation/score/evaluate/evaluators.ts'
import { registerOpenCompass } from '../../register-opencompass.ts'

registerOpenCompass()

test('MedXpertQA has its options by letter: as many letters count as there are options', () => {
  const row = { prompt_mode: 'zero-shot', options: { A: 'a', B: 'b', C: 'c' }, label: 'B' }
  const evaluator = evaluatorOf({ type: 'MedXpertQAEvaluator' }, true, 'mine')
  const { figures, details } = evaluateAnswers(evaluator, ['Not D but B', 'C'], ['B', 'B'], [row, row])
  expect(figures).toEqual({ accuracy: 50 })
  expect(details.map(({ pred }) => pred)).toEqual(['B', 'C'])
})
