import { type MlcSampling, mlcSamplingOf } from '@rolecall/core/internal/format'
import { camelCase } from '@rolecall/core/internal/text'

/**
 * How MLC samples with its settings: if a presence or frequency penalty is set, it replaces the repetition penalty.
 *
 * @example
 * const { repetitionPenalty } = mlcSampling({ ...mlcDefaults, repetitionPenalty: 1.2, presencePenalty: 0.5 }, 0)
 * repetitionPenalty // => 1
 */
export function mlcSampling(settings: MlcSampling, seed: number): MlcSampling & { seed: number } {
  const hasOthers = settings.presencePenalty !== 0 || settings.frequencyPenalty !== 0
  const { repetitionPenalty, ...rest } = mlcSamplingOf((name) => settings[camelCase(name)])
  return { ...rest, repetitionPenalty: hasOthers ? 1 : repetitionPenalty, seed }
}
