import { expect, test, vi } from 'vitest'
import { compilePrompt, compilePromptIn } from '../../../../core/src/prompt/compile/compile-prompt.ts'
import { plainFormat } from '../../../../core/src/prompt/format/plain-format.ts'
import { promptText } from '../../../../core/src/prompt/format/prompt-text.ts'
import { inferencers, registerInferencers } from '../../evaluation/run/ask/inferencers.ts'
import { registerLmEval } from './register.ts'

const spec = {
  file: 't.yaml',
  task: { doc_to_text: 'Q: {{q}}\nA:', doc_to_target: '{{a}}' },
  files: {},
  rows: ['{"q": "1+1", "a": "2"}'],
  pool: [],
  apply_chat_template: false,
  fewshot_as_multiturn: false,
}
const dataset = { abbr: 'sums', infer_cfg: {}, lm_eval: spec }

test('compilePrompt names the entry point to import if tasks are not registered', async () => {
  vi.resetModules()
  const fresh = await import('../../../../core/src/prompt/compile/compile-prompt.ts')
  expect(() => fresh.compilePrompt({}, dataset)).toThrow("Import 'rolecall/lm-eval' before compiling the prompt")
})

test('a dataset whose metrics are not registered is not scored with the default evaluator', async () => {
  vi.resetModules()
  const fresh = await import('../../evaluation/run/dataset-evaluators.ts')
  expect(() => fresh.datasetEvaluator(dataset, 'sums')).toThrow("Import 'rolecall/lm-eval'")
})

test('an inferencer cannot replace a registered one', () => {
  registerLmEval()
  expect(() => registerInferencers({ GenInferencer: { ...inferencers.GenInferencer! } })).toThrow('"GenInferencer" is registered twice')
})

test('compilePrompt compiles registered tasks like any dataset', () => {
  registerLmEval()
  registerLmEval()
  const row = { q: '2+2', a: '4' }
  for (const maker of [compilePrompt({}, dataset), compilePromptIn(plainFormat(new Set()), dataset)])
    expect(promptText(maker.render({ row, mode: 'gen' }).prompt)).toBe('Q: 2+2\nA:')
})

test('a broken spec is refused with the name of its key', () => {
  registerLmEval()
  expect(() => compilePrompt({}, { ...dataset, lm_eval: { ...spec, rows: [1] } })).toThrow('sums › lm_eval.rows')
  expect(() => compilePrompt({}, { ...dataset, lm_eval: { file: 't.yaml' } })).toThrow('sums › lm_eval.task')
})
