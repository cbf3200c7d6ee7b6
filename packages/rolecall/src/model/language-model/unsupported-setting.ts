import { PromptError } from '@rolecall/core/internal/errors'
import { type Sampling, type SamplingName, samplingRows } from './sampling-settings.ts'

/** A sampling setting that a model or its API does not have. */
export function unsupportedSetting(name: string, where: string, problem: string): PromptError {
  return new PromptError('unsupported-setting', {
    where: `${where} › ${name}`,
    problem,
    fix: 'leave it out, or use a model that has it',
  })
}

/** The settings that change the reply and that models running here do not implement. */
export function settingsNotHere(sampling: Partial<Sampling>): SamplingName[] {
  return samplingRows.flatMap(({ name, field, neutral, here }) =>
    here === undefined && (sampling[field] ?? neutral) !== neutral ? [name] : [],
  )
}

/** Refuses what models running here do not implement. */
export function refuseSettingsNotHere(sampling: Partial<Sampling> = {}, where: string): void {
  const [first] = settingsNotHere(sampling)
  if (first !== undefined) throw unsupportedSetting(first, where, 'models that run here do not sample with it')
}
