import { expect, test } from 'vitest'
import { withDefaultJudge } from './default-judge.ts'

const variables = { OC_JUDGE_MODEL: 'j', OC_JUDGE_API_KEY: 'secret', OC_JUDGE_API_BASE: 'http://127.0.0.1:9/v1' }
const judged = (evaluator: unknown) => ({ abbr: 'a', eval_cfg: { evaluator, pred_role: 'BOT' } })

test('an empty judge_cfg is the model that the environment names; the key stays there', () => {
  const { eval_cfg } = withDefaultJudge(judged({ type: 'GenericLLMEvaluator', judge_cfg: {} }), variables)
  expect(eval_cfg).toMatchObject({
    pred_role: 'BOT',
    evaluator: {
      type: 'GenericLLMEvaluator',
      judge_cfg: { type: 'openai', path: 'j', base_url: 'http://127.0.0.1:9/v1', temperature: 0.001 },
    },
  })
  expect(JSON.stringify(eval_cfg)).not.toContain('secret')
  const { OC_JUDGE_API_BASE: _, ...rest } = variables
  expect(JSON.stringify(withDefaultJudge(judged({ judge_cfg: {} }), rest))).toContain('https://api.openai.com/v1/')
})

test('so is that of a cascade', () => {
  const cascade = {
    type: 'CascadeEvaluator',
    rule_evaluator: { type: 'AccEvaluator' },
    llm_evaluator: { judge_cfg: {}, prompt_template: {} },
  }
  expect(withDefaultJudge(judged(cascade), variables).eval_cfg.evaluator).toMatchObject({
    rule_evaluator: { type: 'AccEvaluator' },
    llm_evaluator: { judge_cfg: { path: 'j' }, prompt_template: {} },
  })
})

test('a judge that is written out, another evaluator, or an environment without a judge change nothing', () => {
  for (const evaluator of [
    { judge_cfg: { path: 'mine' } },
    { type: 'AccEvaluator' },
    'AccEvaluator',
    undefined,
    { llm_evaluator: { judge_cfg: { path: 'mine' } } },
  ]) {
    const dataset = judged(evaluator)
    expect(withDefaultJudge(dataset, variables)).toBe(dataset)
  }
  const empty = judged({ judge_cfg: {} })
  expect(withDefaultJudge(empty, {})).toBe(empty)
})
