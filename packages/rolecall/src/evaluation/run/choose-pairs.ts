import { PromptError } from '@rolecall/core/internal/errors'
import { formatNamed } from '@rolecall/core/internal/format'
import type { ScoringPeers } from '../../python/word-split/word-tokenize.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { inFormat } from '../config/in-format.ts'
import { refuseTwice, selectByName } from '../config/select-by-name.ts'
import { type SettingOptions, settingFlags } from './ask/generation-settings.ts'
import { inBatches } from './batch-models.ts'
import { type Pair, planRun } from './plan-run.ts'

/** Which models run on which datasets, from the flags of `rolecall run`; settings override those of models and datasets. */
export type PairSelection = SettingOptions & {
  /** Names, separated by commas; all by default. */
  models?: string | undefined
  datasets?: string | undefined
  /** Every model in each of these formats. */
  formats?: string | undefined
  /** `false`: answers are generated but not scored. */
  score?: boolean | undefined
  /** Requests of all models go through the batch endpoints of their services. */
  batch?: boolean | undefined
  /** Run even if none of the gold answers of a dataset can be scored right. */
  allowUnscorable?: boolean | undefined
}

/** Models that run on some of the datasets, by name. */
type Combination = { models: readonly string[]; datasets: readonly string[] }

/** The pairs that a config and flags select, checked and ready to run. */
export function choosePairs(
  config: { models: readonly unknown[]; datasets: readonly unknown[]; model_dataset_combinations?: readonly Combination[] | undefined },
  selection: PairSelection,
  peers: ScoringPeers = {},
): Pair[] {
  const models = inBatches(selectByName(config.models as ModelConfig[], selection.models, '--models'), selection.batch)
  const datasets = selectByName(config.datasets as DatasetConfig[], selection.datasets, '--datasets')
  for (const [key, list] of Object.entries({ models, datasets })) {
    if (list.length === 0) throw new PromptError('missing', { where: key, problem: `the config has no ${key}`, fix: 'add one' })
  }
  const { formats, score, allowUnscorable } = selection
  const flags = settingFlags(selection)
  const plan = (asked: readonly ModelConfig[]) =>
    distinctPairs(combine(asked, datasets, config).flatMap((one) => planRun(one.models, one.datasets, peers, flags, score))).map(
      (pair): Pair => (allowUnscorable ? { ...pair, allowsUnscorable: true } : pair),
    )
  if (formats === undefined) return plan(models)
  return formatNames(formats).flatMap((format) =>
    plan(inFormat(models, { name: format, model: formatNamed(format, '--formats') })).map(
      (pair): Pair => ({ ...pair, name: { ...pair.name, format } }),
    ),
  )
}

function formatNames(names: string): string[] {
  const wanted = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (wanted.length === 0) {
    throw new PromptError('missing', { where: '--formats', problem: 'it names no format', fix: 'write e.g. --formats chatml,plain' })
  }
  refuseTwice(wanted, '--formats')
  for (const name of wanted) formatNamed(name, '--formats')
  return wanted
}

/** All pairs, or those that the config's combinations select. */
function combine(
  models: readonly ModelConfig[],
  datasets: readonly DatasetConfig[],
  config: Parameters<typeof choosePairs>[0],
): { models: readonly ModelConfig[]; datasets: readonly DatasetConfig[] }[] {
  const { model_dataset_combinations: combinations } = config
  if (combinations === undefined) return [{ models, datasets }]
  return combinations.map((one, index) => {
    const place = `model_dataset_combinations[${index}]`
    for (const key of ['models', 'datasets'] as const)
      if (one[key].length > 0) selectByName(config[key] as { abbr?: string }[], one[key].join(','), `${place}.${key}`)
    return {
      models: models.filter(({ abbr }) => one.models.includes(abbr ?? '')),
      datasets: datasets.filter(({ abbr }) => one.datasets.includes(abbr ?? '')),
    }
  })
}

/** A pair in two combinations runs once. */
function distinctPairs(pairs: readonly Pair[]): Pair[] {
  return [...new Map(pairs.map((pair) => [JSON.stringify(pair.name), pair])).values()]
}
