import { describe, expect, test } from 'vitest'
import { notAsked } from '../../../evaluation/score/evaluate/evaluator.ts'
import { evaluatorOf } from '../../../evaluation/score/evaluate/evaluators.ts'
import { registerOpenCompass } from '../register-opencompass.ts'

registerOpenCompass()

const judge = { type: 'GenericLLMEvaluator', judge_cfg: { type: 'openai' }, prompt_template: { template: '{prediction}' } }
const cascade = (options: object = {}, compat?: 'opencompass') =>
  evaluatorOf(
    { type: 'CascadeEvaluator', rule_evaluator: { type: 'GPQAEvaluator' }, llm_evaluator: judge, ...options },
    true,
    'mine',
    {},
    { compat },
  )

describe('CascadeEvaluator', () => {
  test('a judge sees every answer, or without `parallel` only those that the rule rejects', () => {
    expect(cascade().asks!.unless).toBeUndefined()
    const { unless } = cascade({ parallel: false }).asks!
    expect(unless!({ prediction: 'A', reference: 'A', row: {} })).toBe(true)
    expect(unless!({ prediction: 'B', reference: 'A', row: {} })).toBe(false)
  })

  test('an answer is right if the rule or the judge accepts it, and metrics report both', () => {
    const evaluator = cascade()
    const rows = [
      { answered: 'A', prediction: 'Verdict: B' },
      { answered: 'B', prediction: 'It is wrong at first sight, but no. Verdict: A' },
      { answered: 'C', prediction: notAsked },
    ]
    const judged = rows.map((row) => evaluator.judge({ ...row, reference: 'A', row: {} }))
    expect(judged.map(({ score }) => score)).toEqual([1, 1, 0])
    expect(evaluator.summarise!(judged.map(({ keep }) => keep))).toMatchObject({
      rule_correct: 1,
      llm_evaluated: 2,
      llm_correct: 1,
      final_correct: 2,
    })
  })

  test('as in the reference, a judge accepts with A or a reply that begins with CORRECT', () => {
    const says = (prediction: string, compat?: 'opencompass') =>
      cascade({}, compat).judge({ prediction, answered: 'B', reference: 'A', row: {} }).score
    expect(['A', ' correct, yes', 'The verdict: A', 'INCORRECT'].map((said) => says(said, 'opencompass'))).toEqual([1, 1, 0, 0])
    expect(says('The verdict: A')).toBe(1)
  })

  test('the rule can have a separate postprocessor', () => {
    const evaluator = cascade({ rule_evaluator: { type: 'GPQAEvaluator', pred_postprocessor: { type: 'first-capital' } } })
    expect(evaluator.judge({ prediction: notAsked, answered: 'so A', reference: 'A', row: {} }).score).toBe(1)
  })

  test('evaluators that call a model or run code are not rules; unknown ones are rejected by name', () => {
    expect(() => cascade({ rule_evaluator: { type: 'HumanEvalEvaluator' } })).toThrow(/"HumanEvalEvaluator" asks a model or runs code/)
    expect(() => cascade({ rule_evaluator: { type: 'NoSuchEvaluator' } })).toThrow(
      /rule_evaluator.type: "NoSuchEvaluator" is not available/,
    )
  })
})
