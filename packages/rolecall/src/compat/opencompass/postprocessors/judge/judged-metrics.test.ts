import { expect, test } from 'vitest'
import { evaluateAnswers } from '../../../../evaluation/score/evaluate/evaluate-answers.ts'
import { evaluatorOf } from '../../../../evaluation/score/evaluate/evaluators.ts'
import { registerOpenCompass } from '../../register-opencompass.ts'

registerOpenCompass()

const judge = (type: string, dict_postprocessor: unknown, compat?: 'opencompass') =>
  evaluatorOf({ type, judge_cfg: {}, prompt_template: {}, dict_postprocessor }, true, 'mine', {}, { compat })

test.each(['GenericLLMEvaluator', 'LMEvaluator'])("%s gives the figures of the benchmark's own postprocessor", (type) => {
  const evaluator = judge(type, { type: 'mtbench_postprocess' })
  expect(evaluator).toMatchObject({ metric: 'total', kind: 'graded', interval: 'none' })
  const golds = [{ capability: 'math' }, { capability: 'math' }, { capability: 'coding' }]
  const { figures, scores, details } = evaluateAnswers(evaluator, ['Rating: [[8]]', 'none', 'Rating: [[5]]'], golds)
  expect(figures).toEqual({ total: 6.5, math: 8, coding: 5 })
  expect(scores).toEqual([0.8, Number.NaN, 0.5])
  expect(details[0]).toEqual({ answer: golds[0], judge: 'Rating: [[8]]', score: 0.8 })
})

test('a verdict is right or wrong, and its share has an interval', () => {
  const evaluator = judge('GenericLLMEvaluator', 'opencompass.datasets.aa_lcr.aa_lcr_llmjudge_postprocess')
  expect(evaluator).toMatchObject({ metric: 'accuracy', kind: 'verdict', interval: 'scores' })
  const { figures, details } = evaluateAnswers(evaluator, ['CORRECT', 'INCORRECT'], ['a', 'b'])
  expect(figures).toMatchObject({ accuracy: 50, incorrect_count: 1 })
  expect(details[1]).toMatchObject({ correct: false })
})

test('if nothing can be read there is no figure; with compat the zeros of the reference, where it has some', () => {
  const nothing = (name: string, compat?: 'opencompass') =>
    evaluateAnswers(judge('LMEvaluator', { type: name }, compat), ['no mark'], [{ capability: '数学计算' }]).figures
  expect(() => nothing('alignbench_postprocess')).toThrow('nothing that alignbench could read')
  expect(nothing('alignbench_postprocess', 'opencompass')).toMatchObject({ 总分: 0, 数学计算: 0, 中文语言总分: 0 })
  // The reference gives empty texts here.
  expect(() => nothing('mtbench_postprocess', 'opencompass')).toThrow('nothing that')
})

test('a postprocessor that compares two models is rejected before any request', () => {
  expect(() => judge('LMEvaluator', { type: 'arenahard_postprocess' })).toThrow(/compares the answers of two models.*PairwiseEvaluator/s)
})

test('answers are compared with those of a base model in both orders', () => {
  const config = { type: 'LMEvaluator', judge_cfg: {}, prompt_template: {}, against_column: 'base_prediction', base_model: 'base' }
  const evaluator = evaluatorOf({ ...config, dict_postprocessor: 'alpacaeval_postprocess' }, true, 'mine')
  expect(evaluator.asks).toMatchObject({ against: { column: 'base_prediction' } })
  // With this model's answer first, then second.
  const golds = [{ capability: 'math' }, { capability: 'math' }, { capability: 'code' }]
  const { figures, scores } = evaluateAnswers(
    evaluator,
    [
      ['m', 'M'],
      ['m', 'm'],
      ['?', 'm'],
    ],
    golds,
  )
  expect(figures).toEqual({ total: 60, math: 75, code: 0 })
  expect(scores).toEqual([1, 0.5, 0])
})

test('a judge behind a rule is read by the verdict of a postprocessor with its own metrics', () => {
  const evaluator = evaluatorOf(
    {
      type: 'CascadeEvaluator',
      rule_evaluator: { type: 'AccEvaluator' },
      llm_evaluator: { judge_cfg: {}, prompt_template: {}, dict_postprocessor: 'supergpqa_llmjudge_postprocess' },
    },
    true,
    'mine',
  )
  const said = (text: string) => evaluator.judge({ prediction: text, answered: 'x', reference: 'y', row: {} }).score
  expect([said('A'), said('B'), said('hm')]).toEqual([1, 0, 0])
})

test('a postprocessor that reads a text works as before', () => {
  expect(judge('GenericLLMEvaluator', 'generic_llmjudge_postprocess')).toMatchObject({ metric: 'accuracy' })
})
