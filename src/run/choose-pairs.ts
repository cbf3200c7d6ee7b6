import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { suggestName } from '../config/nearest.ts'
import { refuseTwice, selectByName } from '../config/select-by-name.ts'
import { inFormat } from '../format/in-format.ts'
import { presets } from '../format/presets/index.ts'
import { PromptError } from '../prompt-error.ts'
import type { ScoringPeers } from '../score/split-words.ts'
import { type Pair, planRun } from './plan-run.ts'

/** Which models meet which datasets, as the flags of `rolecall run` say it. */
export type PairSelection = {
  /** Names, separated by commas; all by default. */
  models?: string | undefined
  datasets?: string | undefined
  /** Every model in each of these formats. */
  formats?: string | undefined
  /** For sampling, in place of what the models' configs say. */
  seed?: number | undefined
}

/** The pairs that a config and flags choose, checked and ready to be asked. */
export function choosePairs(
  config: { models: readonly unknown[]; datasets: readonly unknown[] },
  selection: PairSelection,
  peers: ScoringPeers = {},
): Pair[] {
  const models = selectByName(config.models as ModelConfig[], selection.models, '--models')
  const datasets = selectByName(config.datasets as DatasetConfig[], selection.datasets, '--datasets')
  for (const [key, list] of Object.entries({ models, datasets })) {
    if (list.length === 0) throw new PromptError('missing', { where: key, problem: `the config has no ${key}`, fix: 'add one' })
  }
  const formatted = selection.formats === undefined ? models : inFormats(models, selection.formats)
  return planRun(selection.seed === undefined ? formatted : formatted.map((model) => withSeed(model, selection.seed!)), datasets, peers)
}

function inFormats(models: readonly ModelConfig[], names: string): ModelConfig[] {
  const wanted = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (wanted.length === 0) {
    throw new PromptError('missing', { where: '--formats', problem: 'it names no format', fix: 'write e.g. --formats chatml,plain' })
  }
  refuseTwice(wanted, '--formats')
  return wanted.flatMap((name) => {
    if (!Object.hasOwn(presets, name)) {
      throw new PromptError('unknown-format', {
        where: '--formats',
        problem: `there is no format "${name}"`,
        fix: suggestName(name, Object.keys(presets)),
      })
    }
    return inFormat(models, { name, model: { format: name } })
  })
}

function withSeed(model: ModelConfig, seed: number): ModelConfig {
  return { ...model, seed, ...(model.generation_kwargs ? { generation_kwargs: { ...model.generation_kwargs, seed } } : {}) }
}
