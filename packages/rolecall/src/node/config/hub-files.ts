import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { isPath } from '@rolecall/core/internal/format'
import type { CheckedConfig } from '../../evaluation/config/check-config.ts'
import { judgeOf, withChangedJudge } from '../../evaluation/config/judge-of.ts'
import { selectByName } from '../../evaluation/config/select-by-name.ts'
import type { DatasetPart } from '../hub/fetch-dataset.ts'
import { hubUse } from '../hub/hub-use.ts'
import { localDatasetPaths, localGgufPath, localModelPath } from '../hub/local-paths.ts'
import type { HubProgress } from '../hub/open-hub.ts'
import type { PythonFlags } from '../with-python/use-own-python.ts'

type Model = CheckedConfig['models'][number]
type Dataset = CheckedConfig['datasets'][number]

/** The names of the models and datasets that a command uses, separated by commas; all if undefined. */
export type UsedEntries = {
  models?: string | undefined
  datasets?: string | undefined
  /** The user named the config and may run their own Python: the flags about it. */
  pythonFlags?: PythonFlags | undefined
  /** Scripts that a promptfoo config names may run. */
  allowExec?: boolean | undefined
}

export type HubFileOptions = { folder: string; used?: UsedEntries; onProgress?: (progress: HubProgress) => void }

/**
 * Downloads what a config names on a hub and is not here yet: templates, tokenizers, GGUF files, rows. Paths become local. Weights and rows
 * that are not used are left where they are.
 */
export async function withHubFiles(config: CheckedConfig, { used = {}, ...options }: HubFileOptions): Promise<CheckedConfig> {
  const notes: Note[] = []
  const each = { ...options, note: (note: Note) => notes.push(note) }
  const chosen = { models: usedOf(config.models, withoutJudges(used.models, config)), datasets: usedOf(config.datasets, used.datasets) }
  const models: Model[] = []
  for (const model of config.models)
    models.push(await withModelHub(model, { ...each, weights: hubUse.weights && chosen.models.has(model) }))
  const datasets: Dataset[] = []
  for (const dataset of config.datasets) {
    const isUsed = chosen.datasets.has(dataset)
    datasets.push(
      await withJudgeHub(isUsed ? await withDatasetHub(dataset, each) : dataset, { ...each, weights: hubUse.weights && isUsed }),
    )
  }
  return { ...config, models, datasets, warnings: [...config.warnings, ...notes] }
}

/** `--models NAME=URL` may also name judges, which select no model. */
export function withoutJudges(names: string | undefined, { models, datasets }: CheckedConfig): string | undefined {
  const isModel = (name: string) => models.some(({ abbr }) => abbr === name)
  const judges = new Set(datasets.map((dataset) => judgeOf(dataset)?.judge.abbr))
  const left = names?.split(',').filter((name) => isModel(name) || !judges.has(name))
  return left?.length === 0 ? undefined : left?.join(',')
}

/** The entries that names select. Names of entries that flags add later are unknown here. */
function usedOf<Entry>(entries: readonly Entry[], names: string | undefined): ReadonlySet<Entry> {
  const selected = (name: string | undefined) => selectByName(entries as (Entry & { abbr?: string })[], name, '')
  if (names === undefined) return new Set(selected(names))
  const known = names.split(',').flatMap((name) => {
    try {
      return selected(name)
    } catch {
      return []
    }
  })
  return new Set(known)
}

type Options = Omit<HubFileOptions, 'used'> & { note: (note: Note) => void }
type WeightOptions = Options & { weights: boolean }

async function withModelHub(model: Model, { weights, ...options }: WeightOptions): Promise<Model> {
  const { chat_template: template, tokenizer_path: tokenizer, path, type } = model as Readonly<Record<string, unknown>>
  const isTemplate = typeof template === 'string' && isPath(template)
  return {
    ...model,
    ...(isTemplate ? { chat_template: await localModelPath(template, options) } : {}),
    ...(typeof tokenizer === 'string' ? { tokenizer_path: await tokenizerPath(tokenizer, model, options) } : {}),
    ...(type === 'gguf' && typeof path === 'string' ? { path: await localGgufPath(path, { ...options, weights }) } : {}),
  } as Model
}

/** Problems of a hub that a later run may not have; an unsafe, corrupt or unlocked file is an error. */
const optional: ReadonlySet<string> = new Set([
  'hub-unreachable',
  'hub-offline',
  'hub-no-repository',
  'hub-gated',
  'hub-token',
  'hub-no-file',
  'hub',
])

/** Without its tokenizer a model still runs, only tokens are not counted: a hub that cannot give it is a warning. */
async function tokenizerPath(given: string, { abbr = 'model' }: { abbr?: unknown }, options: Options): Promise<string> {
  try {
    return await localModelPath(given, options)
  } catch (error) {
    if (!(error instanceof PromptError) || !optional.has(error.code)) throw error
    options.note({
      code: 'hub-no-tokenizer',
      where: `${String(abbr)} › tokenizer_path`,
      text: `the tokenizer ${given} is not used: ${error.problem}`,
    })
    return given
  }
}

/** A judge can name files on a hub like any other model. */
async function withJudgeHub(dataset: Dataset, options: WeightOptions): Promise<Dataset> {
  const named = judgeOf(dataset)
  if (!named) return dataset
  const judge = await withModelHub(named.judge as Model, options)
  return withChangedJudge(dataset, () => judge)
}

/** Dataset classes of OpenCompass find their files themselves. */
async function withDatasetHub(dataset: Dataset, options: Options): Promise<Dataset> {
  const { path, train_path: train, type, reader_cfg: reader } = dataset as Readonly<Record<string, unknown>>
  if (typeof type === 'string') return dataset
  const splits = (reader ?? {}) as { test_split?: unknown; train_split?: unknown }
  const local = (given: unknown, part: DatasetPart) =>
    typeof given === 'string' ? localDatasetPaths(given, part, options) : Promise.resolve(undefined)
  const test = await local(path, typeof splits.test_split === 'string' ? { split: splits.test_split } : {})
  // Examples come from another split of the same dataset if only that is named.
  const trainName = train ?? (test !== undefined && typeof splits.train_split === 'string' ? path : undefined)
  const examples = await local(trainName, typeof splits.train_split === 'string' ? { split: splits.train_split } : {})
  return { ...dataset, ...(test ? { path: test } : {}), ...(examples ? { train_path: examples } : {}) } as Dataset
}
