import { expect, test } from 'vitest'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { planRun } from './plan-run.ts'
import { isRepeatable, settingsText } from './request-key.ts'

const dataset: DatasetConfig = { abbr: 'd', rows: [], infer_cfg: { prompt_template: { template: '{q}' } } }
const model: ModelConfig = { abbr: 'm', type: 'openai', path: 'qwen', base_url: 'http://a/v1', max_out_len: 8 }
const settings = (changes: ModelConfig, inferencer: Record<string, unknown> = {}, identity = '') =>
  settingsText(planRun([{ ...model, ...changes }], [{ ...dataset, infer_cfg: { ...dataset.infer_cfg, inferencer } }])[0]!, identity)

test('every setting that can change an answer changes the key', () => {
  const variants = [
    settings({}),
    settings({ path: 'llama' }),
    settings({ base_url: 'http://b/v1' }),
    settings({ max_out_len: 9 }),
    settings({ temperature: 0.5 }),
    settings({ temperature: 0.5, seed: 1 }),
    settings({ generation_kwargs: { seed: 2 } }),
    settings({ max_seq_len: 100 }),
    settings({ extra_body: { top_k: 1 } }),
    settings({ top_k: 1 }),
    settings({ min_p: 0.1 }),
    settings({ format: 'chatml' }),
    settings({}, { stopping_criteria: ['\n'] }),
    settings({}, {}, 'another file'),
  ]
  expect(new Set(variants).size).toBe(variants.length)
})

test('recorded runs keep their keys when settings are added to the table', () => {
  const sampled = { temperature: 0.5, top_p: 0.9, repetition_penalty: 1.1, presence_penalty: 0.2, frequency_penalty: 0.3, seed: 7 }
  expect(settings(sampled)).toBe(
    '{"format": {"markers": [], "tokens": []}, "generation": {"maxTokens": 8, "minTokens": 0, "sampling": {"frequencyPenalty": 0.3, "presencePenalty": 0.2, "repetitionPenalty": 1.1, "seed": 7, "temperature": 0.5, "topP": 0.9}, "stopTexts": []}, "identity": "", "inferencer": {}, "model": {"base_url": "http://a/v1", "generation_kwargs": {}, "path": "qwen", "type": "openai"}, "version": 1}',
  )
  const mlc = { mlc_config: { conv_template: 'vicuna_v1.1', repetition_penalty: 1.2 } }
  expect(settings(mlc)).toContain(
    '"sampling": {"frequencyPenalty": 0, "presencePenalty": 0, "repetitionPenalty": 1.2, "seed": 0, "temperature": 0.7, "topP": 0.95}, "stopTexts"',
  )
})

test("a dataset's generation settings change the key", () => {
  const of = (changes: Partial<DatasetConfig>) =>
    settingsText(planRun([{ ...model, temperature: 1 }], [{ ...dataset, ...changes }])[0]!, '')
  const schema = (type: string) => ({ output_schema: { type } })
  const variants = [of({}), of(schema('integer')), of(schema('string')), of({ n: 2 }), of({ n: 3 })]
  expect(new Set(variants).size).toBe(variants.length)
  expect(of({ n: 1 })).toBe(of({}))
})

test('names, keys and speed do not change the key', () => {
  const same = [
    { abbr: 'x' },
    { key: 'secret' },
    { key_env: 'KEY' },
    { concurrency: 3 },
    { retries: 1 },
    { timeout: 5 },
    { requests_per_minute: 9 },
  ]
  for (const changes of same) expect(settings(changes as ModelConfig)).toBe(settings({}))
  expect(settings({}, { max_out_len: 8 })).toBe(settings({}))
  for (const operation of [{ batch_size: 2 }, { output_json_filename: 'x' }, { save_every: 3 }])
    expect(settings({}, operation)).toBe(settings({}))
  // A call syntax matters only to a dataset that parses calls.
  expect(settings({ reply_syntax: 'hermes' } as ModelConfig)).toBe(settings({}))
})

test('sampling without a seed is not repeatable', () => {
  const repeatable = (changes: ModelConfig) => isRepeatable(planRun([{ ...model, ...changes }], [dataset])[0]!)
  expect([{}, { temperature: 1 }, { temperature: 1, seed: 3 }].map(repeatable)).toEqual([true, false, true])
})
