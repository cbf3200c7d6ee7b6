import { expect, test } from 'vitest'
import { importConfig } from './import-config.ts'

const imported = (source: string) => importConfig('c.py', { read: (file) => (file === 'c.py' ? source : undefined) })

test('chatml_datasets run in addition to the others, by their class, messages and evaluator', () => {
  const { config } = imported(`
datasets = [dict(abbr='other', type='JsonlDataset', path='o.jsonl', infer_cfg=dict(prompt_template=dict(template='{q}')))]
chatml_datasets = [dict(abbr='sums', path='sums.jsonl', evaluator=dict(type='math_evaluator'), n=2, test_range='[0:1]')]
`)
  expect(config.datasets.map(({ abbr }) => abbr)).toEqual(['other', 'sums'])
  expect(config.datasets[1]).toEqual({
    abbr: 'sums',
    path: 'sums.jsonl',
    n: 2,
    type: 'ChatMLDataset',
    reader_cfg: { input_columns: ['question'], output_column: 'answer', test_range: '[0:1]' },
    infer_cfg: {
      prompt_template: { messages: [{ expand_column: 'chatml_question' }] },
      retriever: { type: 'ZeroRetriever' },
      inferencer: { type: 'GenInferencer' },
    },
    eval_cfg: { evaluator: { type: 'MATHVerifyEvaluator' } },
  })
})

test('a file with only chatml_datasets is read as well, and choices have a pattern', () => {
  const { config } = imported(
    "datasets = [dict(abbr='a', path='a.jsonl', evaluator=dict(type='mcq_rule_evaluator')), dict(abbr='b', path='b.jsonl', evaluator=dict(type='mcq_rule_evaluator', answer_pattern='(B)'))]",
  )
  const patterns = config.datasets.map(({ eval_cfg }) => (eval_cfg as { pred_postprocessor: unknown }).pred_postprocessor)
  expect(patterns).toEqual([
    { type: 'match_answer_pattern', answer_pattern: '(?i)ANSWER\\s*:\\s*([A-D])' },
    { type: 'match_answer_pattern', answer_pattern: '(B)' },
  ])
})

test('a judge without a prompt gets our default, with a note; in a cascade the rule comes first', () => {
  const { config, notes } = imported(`
judge = dict(type='OpenAI', abbr='j', path='j')
chatml_datasets = [dict(abbr='a', path='a.jsonl', evaluator=dict(type='cascade_evaluator', rule_evaluator=dict(type='mcq_rule_evaluator'), llm_evaluator=dict(type='llm_evaluator', judge_cfg=judge))),
  dict(abbr='b', path='b.jsonl', evaluator=dict(type='llm_evaluator', judge_cfg=judge, prompt='{prediction}?'))]
`)
  const [a, b] = config.datasets.map(({ eval_cfg }) => (eval_cfg as { evaluator: Record<string, never> }).evaluator)
  expect(a).toMatchObject({
    type: 'CascadeEvaluator',
    parallel: false,
    rule_evaluator: { type: 'AccEvaluator', pred_postprocessor: { type: 'match_answer_pattern' } },
    llm_evaluator: { type: 'GenericLLMEvaluator', judge_cfg: { path: 'j' } },
  })
  expect(b).toMatchObject({ type: 'GenericLLMEvaluator', prompt_template: { template: '{prediction}?' } })
  expect(notes.filter(({ code }) => code === 'chatml').map(({ text }) => text)).toEqual([
    '"a": the judge is given a prompt of Rolecall\'s own, as the config has none: write `prompt` for another',
  ])
})
