import type { MlcSettings } from '@rolecall/core/internal/format'
import type { Sampling } from '../../../model/language-model/sampling.ts'

/**
 * How MLC samples with its settings: if a presence or frequency penalty is set, it replaces the repetition penalty.
 *
 * @example
 * const { repetitionPenalty } = mlcSampling({ ...mlcDefaults, repetitionPenalty: 1.2, presencePenalty: 0.5 }, 0)
 * repetitionPenalty // => 1
 */
export function mlcSampling(
  settings: Pick<MlcSettings, 'temperature' | 'topP' | 'repetitionPenalty' | 'presencePenalty' | 'frequencyPenalty'>,
  seed: number,
): Sampling {
  const { temperature, topP, repetitionPenalty, presencePenalty, frequencyPenalty } = settings
  const others = presencePenalty !== 0 || frequencyPenalty !== 0
  return { temperature, topP, repetitionPenalty: others ? 1 : repetitionPenalty, presencePenalty, frequencyPenalty, seed }
}
