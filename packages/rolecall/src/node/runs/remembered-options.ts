import { settingOptionNames } from '../../evaluation/run/ask/generation-settings.ts'
import type { EvaluationOptions } from './evaluation-options.ts'

/** The options that a resumed run inherits, stored in its `configs/run.json`. */
export const rememberedOptions = [
  ...(['models', 'datasets', 'formats', 'limit'] as const),
  ...settingOptionNames,
  ...([
    'prompts',
    'logProbabilities',
    'shard',
    'workers',
    'cache',
    'allowUnscorable',
    'batch',
    'layout',
    'maxCost',
    'maxTokensTotal',
    'maxTime',
  ] as const),
] as const satisfies readonly (keyof EvaluationOptions)[]

export type RememberedOption = (typeof rememberedOptions)[number]

/** The inherited options that are set; a limit that is null was removed. */
export function pickRemembered(options: Partial<Record<RememberedOption, unknown>>): Pick<EvaluationOptions, RememberedOption> {
  return Object.fromEntries(
    rememberedOptions.flatMap((key) => (options[key] === undefined || options[key] === null ? [] : [[key, options[key]]])),
  )
}
