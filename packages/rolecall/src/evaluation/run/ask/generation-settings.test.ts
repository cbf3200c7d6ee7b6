import { describe, expect, test } from 'vitest'
import { samplingNames } from '../../../model/language-model/sampling-settings.ts'
import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import { chatGenerationOf, generationOf, isSampled } from './generation.ts'
import { type SettingFlags, settingsOf, withSettings } from './generation-settings.ts'

const dataset = (inferencer: Record<string, unknown> = {}, preset: Record<string, unknown> = {}): DatasetConfig => ({
  infer_cfg: { inferencer },
  preset_cfg: { name: 'p', ...preset },
})

describe('flag > dataset > model > preset > default', () => {
  const values: Record<string, [number, number, number, number]> = {
    max_out_len: [1, 2, 3, 4],
    ...Object.fromEntries(samplingNames.map((name) => [name, [0.1, 0.2, 0.3, 0.4] as const])),
  }
  for (const [name, [flag, own, model, preset]] of Object.entries(values)) {
    test(`for ${name}`, () => {
      const given = (count: number): [ModelConfig, DatasetConfig, SettingFlags] => [
        count > 1 ? { [name]: model } : {},
        dataset(count > 2 ? { [name]: own } : {}, count > 0 ? { [name]: preset } : {}),
        count > 3 ? { [name]: flag } : {},
      ]
      const chosen = [1, 2, 3, 4].map((count) => (settingsOf(...given(count)) as Record<string, { value: number; by: string }>)[name]!)
      expect(chosen.map(({ value, by }) => [value, by])).toEqual([
        [preset, 'preset'],
        [model, 'model'],
        [own, 'dataset'],
        [flag, 'flag'],
      ])
    })
  }

  test('for stops, which the inferencer calls stopping_criteria', () => {
    const preset = { stop: ['\nQ:'] }
    expect(settingsOf({}, dataset({}, preset)).stop).toEqual({ value: ['\nQ:'], by: 'preset' })
    expect(settingsOf({}, dataset({ stopping_criteria: ['\n'] }, preset)).stop).toMatchObject({ value: ['\n'], by: 'dataset' })
    expect(settingsOf({}, dataset({ stopping_criteria: ['\n'] }, preset), { stop: [] }).stop).toEqual({
      value: [],
      by: 'flag',
      over: [
        { value: ['\n'], by: 'dataset' },
        { value: ['\nQ:'], by: 'preset' },
      ],
    })
  })

  test('and the defaults are OpenCompass’s length and greedy decoding', () => {
    expect(settingsOf({}, { infer_cfg: {} })).toEqual({
      max_out_len: { value: 512, by: 'default' },
      temperature: { value: 0, by: 'default' },
    })
    expect(generationOf({}, { infer_cfg: {} })).toEqual({ maxTokens: 512, minTokens: 0, stopTexts: [], sampling: {} })
  })
})

test('a model overrides the preset of a dataset', () => {
  const gsm8k = dataset({}, { max_out_len: 512 })
  expect(generationOf({ max_out_len: 8192 }, gsm8k).maxTokens).toBe(8192)
  expect(generationOf({}, gsm8k).maxTokens).toBe(512)
})

test('generation_kwargs override their neighbours, and do_sample: false overrides a temperature', () => {
  const model = { temperature: 0.1, generation_kwargs: { temperature: 0.7, do_sample: false } }
  expect(settingsOf(model, { infer_cfg: {} }).temperature).toEqual({ value: 0, by: 'model' })
  expect(settingsOf({ ...model, generation_kwargs: { temperature: 0.7 } }, { infer_cfg: {} }).temperature?.value).toBe(0.7)
  // A source with higher priority than the model may still sample.
  expect(settingsOf(model, { infer_cfg: {} }, { temperature: 1 }).temperature).toMatchObject({ value: 1, by: 'flag' })
})

test('stop_words of a model are added to the stops of a dataset', () => {
  const model = { stop_words: ['<|im_end|>', '\n'] }
  expect(settingsOf(model, { infer_cfg: {} }).stop).toEqual({ value: ['<|im_end|>', '\n'], by: 'model' })
  expect(generationOf(model, dataset({ stopping_criteria: ['\n'] })).stopTexts).toEqual(['\n', '<|im_end|>'])
})

test('gen_config of LMDeploy models: greedy unless do_sample is true, and the length only where the model has none', () => {
  const gen_config = { top_k: 1, temperature: 1e-6, top_p: 0.9, max_new_tokens: 1024, random_seed: 7, stop_words: ['END'] }
  expect(generationOf({ gen_config }, { infer_cfg: {} })).toMatchObject({
    maxTokens: 1024,
    stopTexts: ['END'],
    sampling: { temperature: 0, topK: 1, topP: 0.9, seed: 7 },
  })
  expect(generationOf({ max_out_len: 64, gen_config }, { infer_cfg: {} }).maxTokens).toBe(64)
  const sampled = { ...gen_config, do_sample: true, temperature: 0.8, min_new_tokens: 2 }
  expect(generationOf({ gen_config: sampled }, { infer_cfg: {} })).toMatchObject({ minTokens: 2, sampling: { temperature: 0.8 } })
})

test('an mlc-chat-config.json counts as the model’s setting, and MLC’s defaults as defaults', () => {
  const model = { mlc_config: { conv_template: 'vicuna_v1.1', temperature: 0.2 }, top_p: 0.5 } as ModelConfig
  expect(settingsOf(model, dataset({}, { max_out_len: 99 }))).toMatchObject({
    temperature: { value: 0.2, by: 'model' },
    top_p: { value: 0.5, by: 'model' },
    repetition_penalty: { value: 1, by: 'default' },
    max_out_len: { value: 99, by: 'preset' },
  })
  expect(generationOf(model, { infer_cfg: {} }, { temperature: 1 }).sampling).toEqual({
    temperature: 1,
    topP: 0.5,
    repetitionPenalty: 1,
    presencePenalty: 0,
    frequencyPenalty: 0,
    seed: 0,
  })
})

test('settings that MLC does not have apply beside those of its file', () => {
  const model = { mlc_config: { conv_template: 'vicuna_v1.1', temperature: 0.2 }, top_k: 40 } as ModelConfig
  expect(generationOf(model, { infer_cfg: {} }).sampling).toMatchObject({ temperature: 0.2, topP: 0.95, topK: 40 })
})

test('settings of a command win over those of a model, and a temperature over do_sample', () => {
  const model = { temperature: 0.2, generation_kwargs: { top_p: 0.5, do_sample: false } }
  const samplingOf = (given: Parameters<typeof withSettings>[1]) => chatGenerationOf(withSettings(model, given)).sampling
  expect(samplingOf({})).toEqual({ temperature: 0, topP: 0.5 })
  expect(samplingOf({ top_k: 3 })).toEqual({ temperature: 0, topK: 3, topP: 0.5 })
  expect(samplingOf({ temperature: 1, top_p: 0.9 })).toEqual({ temperature: 1, topP: 0.9 })
})

test('with do_sample: false, in either place, MLC’s sampling does not apply', () => {
  const mlc = { mlc_config: { conv_template: 'vicuna_v1.1', temperature: 0.2 } } as ModelConfig
  const samplingOf = (more: object) => chatGenerationOf({ ...mlc, ...more } as ModelConfig).sampling
  expect(samplingOf({})).toMatchObject({ temperature: 0.2, topP: 0.95, seed: 0 })
  expect(samplingOf({ do_sample: true })).toMatchObject({ temperature: 0.2, seed: 0 })
  expect(samplingOf({ do_sample: false })).not.toHaveProperty('seed')
  expect(samplingOf({ generation_kwargs: { do_sample: false } })).not.toHaveProperty('seed')
  expect(samplingOf({ do_sample: false, generation_kwargs: { do_sample: true } })).toHaveProperty('seed')
  expect(chatGenerationOf({} as ModelConfig)).toEqual({ sampling: {} })
})

test('a chat has a length limit only if one is set; MLC’s default counts as set', () => {
  expect(chatGenerationOf({ max_out_len: 7 } as ModelConfig).maxTokens).toBe(7)
  expect(chatGenerationOf({} as ModelConfig)).not.toHaveProperty('maxTokens')
  expect(chatGenerationOf({ mlc_config: { conv_template: 'vicuna_v1.1' } } as ModelConfig)).toHaveProperty('maxTokens')
})

test('answers are sampled at a temperature above zero; a server’s extra_body decides', () => {
  const sampled = (extra_body: object | undefined, temperature?: number) =>
    isSampled({ extra_body } as ModelConfig, { maxTokens: 1, sampling: temperature === undefined ? {} : { temperature } } as never)
  expect([sampled(undefined), sampled(undefined, 0), sampled(undefined, 0.1)]).toEqual([false, false, true])
  expect([sampled({ temperature: 0 }, 1), sampled({ temperature: 1 }, 0), sampled({ temperature: 'x' }, 1)]).toEqual([false, true, false])
})
