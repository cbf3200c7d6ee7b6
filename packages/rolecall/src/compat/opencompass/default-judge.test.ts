import { expect, test } from 'vitest'
import { defaultJudge, lacksJudge, withJudge } from './default-judge.ts'

const variables = { OC_JUDGE_MODEL: 'j', OC_JUDGE_API_KEY: 'secret', OC_JUDGE_API_BASE: 'http://127.0.0.1:9/v1' }
const judged = (evaluator: unknown) => ({ abbr: 'a', eval_cfg: { evaluator, pred_role: 'BOT' } })

test('an empty judge_cfg is the model that the environment names; the key stays there', () => {
  const { eval_cfg } = withJudge(judged({ type: 'GenericLLMEvaluator', judge_cfg: {} }), defaultJudge(variables))
  expect(eval_cfg).toMatchObject({
    pred_role: 'BOT',
    evaluator: {
      type: 'GenericLLMEvaluator',
      judge_cfg: { type: 'openai', path: 'j', base_url: 'http://127.0.0.1:9/v1', temperature: 0.001 },
    },
  })
  expect(JSON.stringify(eval_cfg)).not.toContain('secret')
  const { OC_JUDGE_API_BASE: _, ...rest } = variables
  expect(JSON.stringify(withJudge(judged({ judge_cfg: {} }), defaultJudge(rest)))).toContain('https://api.openai.com/v1/')
})

test('so is that of a cascade', () => {
  const cascade = {
    type: 'CascadeEvaluator',
    rule_evaluator: { type: 'AccEvaluator' },
    llm_evaluator: { judge_cfg: {}, prompt_template: {} },
  }
  expect(withJudge(judged(cascade), defaultJudge(variables)).eval_cfg.evaluator).toMatchObject({
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
    expect(withJudge(dataset, defaultJudge(variables))).toBe(dataset)
  }
  const empty = judged({ judge_cfg: {} })
  expect(withJudge(empty, defaultJudge({}))).toBe(empty)
})

test('LMEvaluator without a judge_cfg takes it, too, and lacks a judge otherwise', () => {
  const subjective = judged({ type: 'LMEvaluator', prompt_template: {} })
  expect(withJudge(subjective, defaultJudge(variables)).eval_cfg.evaluator).toMatchObject({ judge_cfg: { path: 'j' } })
  expect(lacksJudge(subjective)).toBe(true)
  expect(lacksJudge(judged({ type: 'LMEvaluator', judge_cfg: { path: 'mine' } }))).toBe(false)
  expect(lacksJudge(judged({ type: 'AccEvaluator' }))).toBe(false)
})

test('a judge that replaces others replaces those of configs, but is not added to other evaluators', () => {
  const replaced = withJudge(judged({ judge_cfg: { path: 'mine' } }), { path: 'given' }, { replace: true })
  expect(replaced.eval_cfg.evaluator).toEqual({ judge_cfg: { path: 'given' } })
  const other = judged({ type: 'AccEvaluator' })
  expect(withJudge(other, { path: 'given' }, { replace: true })).toBe(other)
})
