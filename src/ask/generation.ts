import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { mlcSettingsOf } from '../format/mlc/mlc-model.ts'
import type { GenerateOptions } from '../model/language-model.ts'
import type { Sampling } from '../model/sampling.ts'
import { mlcSampling } from './mlc-sampling.ts'

/** How answers are generated, by the dataset's inferencer and the model's config. */
export type Generation = Pick<GenerateOptions, 'maxTokens' | 'minTokens' | 'stopTexts' | 'sampling'>

/** OpenCompass's own default. */
const defaultLength = 512

/** The inferencer's settings win over the model's, those over its mlc-chat-config.json. */
export function generationOf(model: ModelConfig, { infer_cfg: { inferencer = {} } }: DatasetConfig): Generation {
  return {
    maxTokens: inferencer.max_out_len ?? model.max_out_len ?? mlcSettingsOf(model)?.maxGenLen ?? defaultLength,
    minTokens: inferencer.min_out_len ?? 0,
    stopTexts: inferencer.stopping_criteria ?? [],
    sampling: samplingOf(model),
  }
}

/** Whether answers are drawn at random; a server's `extra_body` has the last word. */
export function isSampled(model: ModelConfig, { sampling }: Generation): boolean {
  const temperature = (model.extra_body as { temperature?: unknown } | undefined)?.temperature ?? sampling?.temperature ?? 0
  return typeof temperature === 'number' && temperature > 0
}

/** Sampling as the model's config has it, itself or in `generation_kwargs`; greedy where nothing is said. */
export function samplingOf(config: ModelConfig): Partial<Sampling> {
  const given = { ...config, ...config.generation_kwargs }
  const settings = mlcSettingsOf(config)
  if (settings && given.do_sample !== false) return mlcSampling(settings, given.seed ?? 0)
  // Hugging Face's switch: without it a temperature means nothing.
  const temperature = given.do_sample === false ? 0 : given.temperature
  const named: Record<keyof Sampling, number | undefined> = {
    temperature,
    topP: given.top_p,
    repetitionPenalty: given.repetition_penalty,
    presencePenalty: given.presence_penalty,
    frequencyPenalty: given.frequency_penalty,
    seed: given.seed,
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}
