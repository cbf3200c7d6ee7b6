import { PromptError } from '@rolecall/core/internal/errors'
import { checkConfig } from '../../evaluation/config/check-config.ts'
import { checkRoles } from '../../evaluation/config/check-roles.ts'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { type Pair, planRun } from '../../evaluation/run/plan-run.ts'
import { preparePair } from '../../evaluation/run/prepare-pair.ts'
import type { Readiness } from '../../evaluation/run/readiness.ts'
import type { PairName } from '../../evaluation/run/record/pair-name.ts'
import { withLocalFiles } from '../config/load-config.ts'
import { scoringPeers } from '../jieba-words.ts'
import { registerScoringPlugIns } from '../scoring-plug-ins.ts'
import { anyModelFor } from './any-model.ts'
import { checkRunnable, nodeEnvironment } from './node-environment.ts'

/** What a config of other programs holds: entries as they are written. */
type Entries = { models: readonly object[]; datasets: readonly object[] }

/** Stands for the dataset of a run. */
const anyDataset = { abbr: 'any-dataset', rows: [{ question: '1+1=?' }], infer_cfg: { prompt_template: { template: '{question}' } } }

/**
 * Prepares the entries of a config as `run` does, without sending anything: each model with a row, each dataset with a server.
 */
export async function prepareConfig(
  given: Entries,
  folder: string,
  options: PackageOptions = {},
): Promise<{ models: Readiness[]; datasets: Readiness[] }> {
  registerScoringPlugIns()
  const plan = planner(folder, options)
  return {
    models: await prepareEntries(given.models, (model) => plan({ models: [model], datasets: [anyDataset] }), folder),
    datasets: await prepareEntries(given.datasets, (dataset) => plan({ models: [anyModelFor(dataset)], datasets: [dataset] }), folder),
  }
}

/** `allPackages`: optional packages count as installed. */
export type PackageOptions = { allPackages?: boolean }

/** Checks and plans a config of one model and one dataset as `run` does. */
function planner(folder: string, { allPackages = false }: PackageOptions): (config: object) => Pair {
  const peers = allPackages ? { words: () => [] } : scoringPeers()
  return (config) => {
    const checked = checkConfig(config, '', { foreignKeys: true })
    checkRoles(checked, '', true)
    const { models, datasets } = withLocalFiles(checked, folder)
    const pair = planRun(models as ModelConfig[], datasets as DatasetConfig[], peers)[0]!
    checkRunnable(allPackages ? { ...pair, evaluator: { ...pair.evaluator, runs: undefined, summaryRuns: undefined } } : pair)
    return pair
  }
}

async function prepareEntries(entries: readonly object[], plan: (entry: object) => Pair, folder: string): Promise<Readiness[]> {
  const environment = nodeEnvironment(folder)
  const planned = new Map<string, Pair | PromptError>()
  const found: Readiness[] = []
  for (const entry of entries) found.push(await preparePair(() => planOnce(entry as Entry, plan, planned), environment))
  return found
}

type Entry = Readonly<Record<string, unknown>>

/** The keys of a dataset that decide how it is prompted and scored; the others say where its rows are. */
const planning = new Set(['reader_cfg', 'infer_cfg', 'eval_cfg', 'n', 'k', 'compat', 'type', 'rows', 'lm_eval'])

/** Datasets that only differ in their name and files, as the subjects of a benchmark, are planned once. */
function planOnce(entry: Entry, plan: (entry: object) => Pair, planned: Map<string, Pair | PromptError>): Pair {
  const isDataset = 'infer_cfg' in entry
  const key = JSON.stringify(Object.entries(entry).map(([name, value]) => [name, !isDataset || planning.has(name) ? value : '']))
  const known = planned.get(key) ?? attempt()
  planned.set(key, known)
  if (known instanceof PromptError) throw known
  if (!isDataset) return known
  const own = Object.fromEntries(Object.entries(entry).filter(([name]) => !planning.has(name)))
  return { ...known, dataset: { ...known.dataset, ...own }, name: { ...known.name, dataset: String(entry.abbr ?? known.name.dataset) } }

  function attempt(): Pair | PromptError {
    try {
      return plan(entry)
    } catch (error) {
      if (error instanceof PromptError) return error
      throw error
    }
  }
}

/** Prepares the pairs of a loaded config as `run` does; those of a model that cannot run do not hide the others. */
export async function prepareLoaded(
  models: readonly ModelConfig[],
  datasets: readonly DatasetConfig[],
  folder: string,
): Promise<(PairName & Readiness)[]> {
  const environment = nodeEnvironment(folder)
  const found: (PairName & Readiness)[] = []
  for (const dataset of datasets) {
    let pairs: Pair[] | undefined
    for (const [index, model] of models.entries()) {
      const readiness = await preparePair(() => {
        // A dataset may compare the answers of two models, so all are planned.
        pairs ??= planRun(models, [dataset], scoringPeers())
        const pair = pairs[index]!
        checkRunnable(pair)
        return pair
      }, environment)
      found.push({ model: model.abbr ?? `model-${index}`, dataset: dataset.abbr ?? 'dataset', ...readiness })
    }
  }
  return found
}
