import type { EvaluationOptions } from './evaluation-options.ts'

/** The options of a run that still hold when it goes on: they are in its `configs/run.json`. */
export const rememberedOptions = [
  ...(['models', 'datasets', 'formats', 'limit', 'seed', 'temperature', 'topP', 'maxOutLen', 'stopTexts'] as const),
  ...(['prompts', 'logProbabilities', 'shard', 'workers', 'cache'] as const),
] satisfies readonly (keyof EvaluationOptions)[]

export type RememberedOption = (typeof rememberedOptions)[number]

/** Those of them that are given. */
export function pickRemembered(options: Partial<Record<RememberedOption, unknown>>): Pick<EvaluationOptions, RememberedOption> {
  return Object.fromEntries(rememberedOptions.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]])))
}
