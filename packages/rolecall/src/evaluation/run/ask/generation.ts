import { mlcSamplingOf } from '@rolecall/core/internal/format'
import type { GenerateOptions } from '../../../model/language-model/language-model.ts'
import { type Sampling, samplingRows } from '../../../model/language-model/sampling-settings.ts'
import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import { type GenerationSettings, type SettingFlags, settingsOf } from './generation-settings.ts'
import { mlcSampling } from './mlc-sampling.ts'

/** Generation options as models take them. */
export type Generation = Pick<GenerateOptions, 'maxTokens' | 'minTokens' | 'stopTexts' | 'sampling' | 'forwarded'>

/** The generation options of a model for a dataset. */
export function generationOf(model: ModelConfig, dataset: DatasetConfig, flags?: SettingFlags): Generation {
  return generationBy(settingsOf(model, dataset, flags), model)
}

/** The same from resolved settings. */
export function generationBy(settings: GenerationSettings, model: ModelConfig): Generation {
  return {
    maxTokens: settings.max_out_len!.value,
    minTokens: settings.min_out_len?.value ?? 0,
    stopTexts: settings.stop?.value ?? [],
    sampling: samplingBy(settings, model),
  }
}

/** Whether answers are sampled; a server's `extra_body` has the last word. */
export function isSampled(model: ModelConfig, { sampling }: Generation): boolean {
  const temperature = (model.extra_body as { temperature?: unknown } | undefined)?.temperature ?? sampling?.temperature ?? 0
  return typeof temperature === 'number' && temperature > 0
}

/** The generation options of a model in a chat: from flags, its config, and its mlc-chat-config.json. */
export function chatGenerationOf(model: ModelConfig, flags: SettingFlags = {}): { sampling: Partial<Sampling>; maxTokens?: number } {
  const settings = settingsOf(model, { infer_cfg: {} }, flags)
  const length = settings.max_out_len!
  // MLC's default length applies as if it were set.
  const isSaid = length.by !== 'default' || model.mlc_config !== undefined
  return { sampling: samplingBy(settings, model), ...(isSaid ? { maxTokens: length.value } : {}) }
}

function samplingBy(settings: GenerationSettings, model: ModelConfig): Partial<Sampling> {
  const set: Partial<Sampling> = {}
  for (const { name, field } of samplingRows) {
    const setting = settings[name]
    // Unset fields are omitted: servers refuse fields they do not know.
    if (setting && setting.by !== 'default') set[field] = setting.value
  }
  const isMlc = model.mlc_config !== undefined && { ...model, ...model.generation_kwargs }.do_sample !== false
  if (!isMlc) return set
  // With an mlc-chat-config.json every setting of MLC has a value.
  const ofMlc = mlcSamplingOf((name) => settings[name]!.value)
  return { ...set, ...mlcSampling(ofMlc, settings.seed?.value ?? 0) }
}
