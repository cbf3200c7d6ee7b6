import { expect, test } from 'vitest'
import { evaluateAnswers } from '../../../../evaluation/score/evaluate/evaluate-answers.ts'
import { evaluatorOf } from '../../../../evaluation/score/evaluate/evaluators.ts'
import { registerOpenCompass } from '../../register-opencompass.ts'

registerOpenCompass()

test('PEERRuleEvaluator compares Yes and No of answer and gold, of lists the first', () => {
  const evaluator = evaluatorOf({ type: 'PEERRuleEvaluator' }, true, 'mine')
  const answers = ['<think>is soluble</think>The answer is no.', ['It is soluble'], 'I wonder', 'Yes', null]
  const { figures, scores } = evaluateAnswers(evaluator, answers, ['The answer is No', ['yes'], 'I wonder', 'No', 'No'])
  expect(scores).toEqual([1, 1, 0, 0, 0])
  expect(figures).toEqual({ accuracy: 40 })
})

test('PEER_Evaluator has precision and recall of the right answers, and is only for stability', () => {
  const figuresOf = (answers: string[], gold: string[]) =>
    evaluateAnswers(evaluatorOf({ type: 'PEER_Evaluator', task: 'stability' }, true, 'mine'), answers, gold).figures
  const shared = { accuracy: 50, acc_wo_no_answer_invalid: 50 }
  expect(figuresOf(['Yes', 'Yes'], ['Yes', 'No'])).toEqual({ ...shared, precision: 100, recall: 100, f1_score: 100 })
  expect(figuresOf(['No', ''], ['No', 'No'])).toEqual({ ...shared, precision: 0, recall: 0, f1_score: 0 })
  expect(() => evaluatorOf({ type: 'PEER_Evaluator', task: 'solubility' }, true, 'mine')).toThrow(/stability/)
})
