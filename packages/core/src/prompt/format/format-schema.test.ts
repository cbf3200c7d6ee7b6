import { expect, expectTypeOf, test } from 'vitest'
import { checkConfig } from '../../../../rolecall/src/evaluation/config/check-config.ts'
import type { ModelConfig } from '../../../../rolecall/src/evaluation/config/config-schema.ts'
import { inFormat } from '../../../../rolecall/src/evaluation/config/in-format.ts'
import { modelSchema } from '../../../../rolecall/src/evaluation/config/model-schema.ts'
import { settingsOf } from '../../../../rolecall/src/evaluation/run/ask/generation-settings.ts'
import { planRun } from '../../../../rolecall/src/evaluation/run/plan-run.ts'
import { settingsText } from '../../../../rolecall/src/evaluation/run/request-key.ts'
import type { UncheckedFormatSettings } from './compile-format.ts'
import { type FormatKey, formatKeys, namesFormat, splitFormat } from './format-keys.ts'

/** A value of each format key. A key that is added to the schema does not compile here without one. */
const values: { [Key in FormatKey]-?: ModelConfig[Key] } = {
  format: 'chatml',
  meta_template: { round: [{ role: 'HUMAN' }] },
  conv_template: 'vicuna_v1.1',
  conv_config: { system: 'Be brief.' } as never,
  mlc_config: { temperature: 0.2 },
  ollama_template: '{{ .Prompt }}',
  chat_template: '{{ messages }}',
  format_options: { language: 'en' } as never,
  special_tokens: { bos_token: '<s>' },
  chat_template_kwargs: { enable_thinking: false },
  roles: { tools: 'fold' },
  system_policy: 'fold',
  neighbours_policy: 'error',
  normalize_messages: false,
  earlier_reasoning: 'strip',
  lost_text_policy: 'note',
  parts: 'vllm',
  response_template: { start_anchor: 'A:', fields: { content: {} } },
  join_turns: '\n',
  is_api: true,
}

test('the format keys are those that compiling a format reads', () => {
  expectTypeOf<FormatKey>().toEqualTypeOf<Exclude<Extract<keyof UncheckedFormatSettings, string>, 'abbr' | 'type' | 'endpoint'>>()
  expect(Object.keys(values).sort()).toEqual([...formatKeys].sort())
  expect(Object.keys(modelSchema.shape)).toEqual(expect.arrayContaining([...formatKeys]))
})

test.for(formatKeys)('%s is a key of a model, is replaced with its format, and is not part of what else is said', (key) => {
  const model = { abbr: 'm', type: 'embedded', [key]: values[key] }
  expect(checkConfig({ models: [model] }).unused).toEqual([])
  expect(inFormat([model], { name: 'plain', model: { format: 'plain' } })).toEqual([{ abbr: 'm', type: 'embedded', format: 'plain' }])
  expect(splitFormat(model)).toEqual({ format: { [key]: values[key] }, rest: { abbr: 'm', type: 'embedded' } })
})

/** Existing runs have these in their cache keys; a change would repeat them. */
const keyed: readonly FormatKey[] = ['is_api', 'chat_template_kwargs']

test.for(formatKeys)('%s tells answers apart by the prompt alone', (key) => {
  const dataset = { abbr: 'd', rows: [], infer_cfg: { prompt_template: { template: '{q}' } } }
  const [pair] = planRun([{ abbr: 'm', type: 'embedded' }], [dataset])
  const settings = (model: ModelConfig) => settingsText({ ...pair!, model, settings: settingsOf(model, dataset) }, '')
  // An MLC file also contains generation settings, which do count.
  const value = key === 'mlc_config' ? {} : values[key]
  const plain = settings(key === 'mlc_config' ? { type: 'embedded', mlc_config: {} } : { type: 'embedded' })
  expect(settings({ type: 'embedded', [key]: value }) === plain).toBe(!keyed.includes(key))
})

test('some keys choose a format; the others only refine it', () => {
  const naming = formatKeys.filter((key) => namesFormat({ [key]: values[key] }))
  expect(naming).toEqual(['format', 'meta_template', 'conv_template', 'conv_config', 'mlc_config', 'chat_template', 'ollama_template'])
})
