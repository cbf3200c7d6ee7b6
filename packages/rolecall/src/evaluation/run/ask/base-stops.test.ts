import { expect, test } from 'vitest'
import type { ModelConfig } from '../../config/config-schema.ts'
import { generationOf } from './generation.ts'
import { baseStops, settingsOf } from './generation-settings.ts'

const dataset = { infer_cfg: { inferencer: { base_stopping_criteria: ['\nQuestion'] } } }
const meta = (end?: string) => ({
  meta_template: {
    round: [
      { role: 'HUMAN', begin: 'Q: ', end: '\n' },
      { role: 'BOT', begin: 'A: ', generate: true, ...(end === undefined ? {} : { end }) },
    ],
  },
})

test('models whose format does not end a turn stop at the beginning of the next question', () => {
  const models: ModelConfig[] = [{ format: 'plain' }, {}, meta(), meta('\n'), { type: 'openai', path: 'm', endpoint: 'completions' }]
  for (const model of models) expect(baseStops(model, dataset)).toEqual(['\nQuestion'])
})

test('other models do not: a chat model may write a line that begins the same way', () => {
  const template =
    '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}'
  const models: ModelConfig[] = [
    { format: 'chatml' },
    { format: 'internlm2' },
    meta('</s>'),
    { type: 'openai', path: 'm' },
    { format: 'messages' },
    { chat_template: template },
  ]
  for (const model of models) expect(baseStops(model, dataset)).toBeUndefined()
})

test("the inferencer's stops come first", () => {
  expect(generationOf({ format: 'plain' }, dataset).stopTexts).toEqual(['\nQuestion'])
  expect(generationOf({ format: 'chatml' }, dataset).stopTexts).toEqual([])
  const own = { infer_cfg: { inferencer: { ...dataset.infer_cfg.inferencer, stopping_criteria: ['.'] } } }
  expect(generationOf({ format: 'plain' }, own).stopTexts).toEqual(['.'])
  const shipped = { ...dataset, preset_cfg: { name: 'mmlu' } }
  expect(settingsOf({ format: 'plain' }, shipped).stop).toEqual({ value: ['\nQuestion'], by: 'preset' })
  expect(settingsOf({ format: 'plain' }, dataset).stop).toEqual({ value: ['\nQuestion'], by: 'dataset' })
  expect(settingsOf({ format: 'plain' }, shipped, { stop: [] }).stop).toMatchObject({ value: [], by: 'flag' })
})
