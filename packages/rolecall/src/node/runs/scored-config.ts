import { PromptError } from '@rolecall/core/internal/errors'
import type { LoadedConfig } from '../config/load-config.ts'

/** An evaluator or postprocessor in place of the config's. */
export type OtherScoring = { evaluator?: Entry | undefined; postprocessor?: Entry | undefined }

type Entry = { type: string } & Record<string, unknown>

type Dataset = LoadedConfig['config']['datasets'][number]
type Evaluation = NonNullable<Dataset['eval_cfg']>

/** A config with another evaluator or postprocessor in all its datasets. */
export function withOtherScoring(loaded: LoadedConfig, { evaluator, postprocessor }: OtherScoring): LoadedConfig {
  if (!evaluator && !postprocessor) return loaded
  return withEvaluations(loaded, ({ eval_cfg }) => ({
    ...eval_cfg,
    ...(evaluator ? { evaluator } : {}),
    ...(postprocessor ? { pred_postprocessor: postprocessor } : {}),
  }))
}

/** The config of another harness's run, scored as the datasets of a given config: those of the same name, or its only one. */
export function scoredAs(recorded: LoadedConfig, given: LoadedConfig): LoadedConfig {
  const rules = given.config.datasets
  return withEvaluations(recorded, ({ abbr }) => {
    const found = rules.find((one) => one.abbr === abbr) ?? (rules.length === 1 ? rules[0] : undefined)
    if (found?.eval_cfg) return found.eval_cfg
    throw new PromptError('nothing-to-score', {
      where: given.file,
      problem: `it has no dataset "${abbr}" with an eval_cfg`,
      fix: `name the dataset "${abbr}" (abbr), or give a config with one dataset`,
    })
  })
}

function withEvaluations(loaded: LoadedConfig, evaluationOf: (dataset: Dataset) => Evaluation): LoadedConfig {
  const datasets = loaded.config.datasets.map((dataset) => ({ ...dataset, eval_cfg: evaluationOf(dataset) }))
  return { ...loaded, config: { ...loaded.config, datasets } }
}
