import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { ScoringPeers } from '../../../base/python/word-split/word-tokenize.ts'
import { checkConfig } from '../../../evaluation/config/check-config.ts'
import { checkRoles } from '../../../evaluation/config/check-roles.ts'
import type { DatasetConfig, ModelConfig } from '../../../evaluation/config/config-schema.ts'
import { type Pair, planRun } from '../../../evaluation/run/plan-run.ts'
import { preparePair, type Readiness } from '../../../evaluation/run/prepare-pair.ts'
import { withModelFiles } from '../config/load-config.ts'
import { scoringPeers } from '../jieba-words.ts'
import { registerScoringPlugIns } from '../scoring-plug-ins.ts'
import { checkRunnable, nodeEnvironment } from './node-environment.ts'

/** What a config of other programs holds: entries as they are written. */
type Entries = { models: readonly object[]; datasets: readonly object[] }

/** Stands for the model of a run: a server that completes and scores plain text. */
export const anyModel = {
  abbr: 'any-model',
  type: 'openai',
  path: 'any',
  base_url: 'http://127.0.0.1:1/v1',
  endpoint: 'completions',
  format: 'plain',
}

/** Stands for the dataset of a run. */
const anyDataset = { abbr: 'any-dataset', rows: [{ question: '1+1=?' }], infer_cfg: { prompt_template: { template: '{question}' } } }

/**
 * Prepares the entries of a config as `run` does, without sending anything: each model with a row, each dataset with a server.
 */
export async function prepareConfig(
  given: Entries,
  folder: string,
  peers: ScoringPeers = scoringPeers(),
): Promise<{ models: Readiness[]; datasets: Readiness[] }> {
  registerScoringPlugIns()
  return {
    models: await prepareEntries(given.models, (model) => ({ models: [model], datasets: [anyDataset] }), folder, peers),
    datasets: await prepareEntries(given.datasets, (dataset) => ({ models: [anyModel], datasets: [dataset] }), folder, peers),
  }
}

async function prepareEntries(
  entries: readonly object[],
  configOf: (entry: object) => object,
  folder: string,
  peers: ScoringPeers,
): Promise<Readiness[]> {
  const environment = nodeEnvironment(folder)
  const planned = new Map<string, Pair | PromptError>()
  const found: Readiness[] = []
  for (const entry of entries) found.push(await preparePair(() => pairOf(entry as Entry, configOf, folder, peers, planned), environment))
  return found
}

type Entry = Readonly<Record<string, unknown>>

/** The keys of a dataset that decide how it is prompted and scored; the others say where its rows are. */
const planning = new Set(['reader_cfg', 'infer_cfg', 'eval_cfg', 'n', 'k', 'compat', 'type', 'rows'])

/** Plans an entry as `run` does. Datasets that only differ in their name and rows, as the subjects of a benchmark, are planned once. */
function pairOf(
  entry: Entry,
  configOf: (entry: object) => object,
  folder: string,
  peers: ScoringPeers,
  planned: Map<string, Pair | PromptError>,
): Pair {
  const key = JSON.stringify(
    Object.entries(entry).map(([name, value]) => [name, !('infer_cfg' in entry) || planning.has(name) ? value : 0]),
  )
  const known = planned.get(key) ?? plan()
  planned.set(key, known)
  if (known instanceof PromptError) throw known
  if (!('infer_cfg' in entry)) return known
  const own = Object.fromEntries(Object.entries(entry).filter(([name]) => !planning.has(name)))
  return { ...known, dataset: { ...known.dataset, ...own }, name: { ...known.name, dataset: String(entry.abbr ?? known.name.dataset) } }

  function plan(): Pair | PromptError {
    try {
      const checked = checkConfig(configOf(entry), '', { foreignKeys: true })
      checkRoles(checked, '', true)
      const { models, datasets } = withModelFiles(checked, folder)
      const [pair] = planRun(models as ModelConfig[], datasets as DatasetConfig[], peers)
      checkRunnable(pair!)
      return pair!
    } catch (error) {
      if (error instanceof PromptError) return error
      throw error
    }
  }
}

/** The word for several entries: that of the worst. */
export function worstOf(all: readonly Readiness[]): Readiness {
  const [found = { word: 'ready' as const, notes: [] }] = ['cannot run', 'not checked', 'ready'].flatMap((word) =>
    all.filter((one) => one.word === word),
  )
  return found
}

/** The cause as one line; undefined if it is ready. */
export function causeText({ cause }: Pick<Readiness, 'cause'>): string | undefined {
  return cause instanceof PromptError ? `${cause.where}: ${cause.problem}` : undefined
}
