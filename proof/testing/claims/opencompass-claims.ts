import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { dictEntries } from '../../../packages/core/src/base/python/index.ts'
import { judgeNamed, withJudge } from '../../../packages/rolecall/src/compat/opencompass/default-judge.ts'
import { checkConfig } from '../../../packages/rolecall/src/evaluation/config/check-config.ts'
import type { DatasetConfig } from '../../../packages/rolecall/src/evaluation/config/config-schema.ts'
import { placeholderRow } from '../../../packages/rolecall/src/evaluation/run/ask/placeholder-row.ts'
import { causeText, type ReadyWord, worstOf } from '../../../packages/rolecall/src/evaluation/run/readiness.ts'
import { importPython } from '../../../packages/rolecall/src/node/config/import-python.ts'
import { withModelFiles } from '../../../packages/rolecall/src/node/config/load-config.ts'
import { anyModel } from '../../../packages/rolecall/src/node/runs/any-model.ts'
import { prepareConfig } from '../../../packages/rolecall/src/node/runs/prepare-config.ts'
import { runEvaluation } from '../../../packages/rolecall/src/node/runs/run-evaluation.ts'
import type { ModuleCache } from '../../../packages/rolecall/src/python/interpreter/session.ts'
import { type Claim, outcomeOf } from './run-outcome.ts'

/** Where a checkout keeps its dataset configs. */
export const datasetFolder = 'opencompass/configs/datasets'

export type Entry = Record<string, unknown>
export type Place = { url: string; work: string }
export type ConfigClaims = { words: Record<ReadyWord, number>; claims: Claim[] }

/** Prepares every dataset config of a checkout, without its data and with made-up rows, and compares the words with what a run does. */
export async function openCompassClaims(checkout: string, place: Place): Promise<ConfigClaims> {
  const folder = join(checkout, datasetFolder)
  const cache: ModuleCache = new Map()
  const found: ConfigClaims = { words: { ready: 0, 'not checked': 0, 'cannot run': 0 }, claims: [] }
  for (const file of configFiles(folder)) {
    const path = join(folder, file)
    const datasets = datasetsOf(path, cache)
    if (datasets === undefined) found.words['cannot run']++
    if (datasets === undefined || datasets.length === 0) continue
    const word = await compare(file, 'absent', datasets, dirname(path), place, found.claims)
    found.words[word === 'cannot run' ? await withPackages(datasets, dirname(path)) : word]++
    // Configs name servers of other people: made-up answers go to no judge but the made-up one.
    const judge = judgeNamed('any', place.url)
    const made = word === 'cannot run' ? [] : datasets.map((dataset) => withJudge(withMadeUpRows(dataset), judge, { replace: true }))
    if (made.length > 0) await compare(file, 'made up', made, dirname(path), place, found.claims)
  }
  return found
}

/** The config files of a folder, by path. */
export function configFiles(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.py') && !basename(file).startsWith('__')).sort()
}

/** The datasets of a config, one of those that differ only in their name and files; undefined if the file cannot be read. */
export function datasetsOf(path: string, cache: ModuleCache): Entry[] | undefined {
  try {
    const { datasets } = importPython(path, { hashes: false, cache }).config
    const distinct = new Map(
      datasets.map((entry) => [JSON.stringify([entry.type, entry.reader_cfg, entry.infer_cfg, entry.eval_cfg, entry.n, entry.k]), entry]),
    )
    return [...distinct.values()]
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}

/** The word where optional packages are installed, for the docs. */
async function withPackages(datasets: Entry[], folder: string): Promise<ReadyWord> {
  return worstOf((await prepareConfig({ models: [], datasets }, folder, { allPackages: true })).datasets).word
}

async function compare(
  name: string,
  data: Claim['data'],
  datasets: Entry[],
  folder: string,
  { url, work }: Place,
  claims: Claim[],
): Promise<ReadyWord> {
  const worst = worstOf((await prepareConfig({ models: [], datasets }, folder)).datasets)
  const did = await outcomeOf(async () => {
    const config = await withModelFiles(
      checkConfig({ models: [{ ...anyModel, base_url: url }], datasets }, '', { foreignKeys: true }),
      folder,
    )
    return runEvaluation({ file: '', folder, config }, { workDir: join(work, 'runs'), limit: 3, cache: false })
  })
  claims.push({ name, data, said: worst.word, cause: causeText(worst), did })
  return worst.word
}

/** Rows that have every column a dataset names: texts that say which, and right answers of several kinds. */
function withMadeUpRows(dataset: Entry): Entry {
  const row = Object.fromEntries(dictEntries(placeholderRow(dataset as DatasetConfig)))
  const { output_column: output } = (dataset.reader_cfg ?? {}) as { output_column?: string }
  return withRows(
    dataset,
    ['A', '1', '#### 1'].map((answer) => (output ? { ...row, [output]: answer } : row)),
  )
}

/** A dataset with rows in place of its class. */
export function withRows({ reader_cfg: reader, ...rest }: Entry, rows: Entry[]): Entry {
  const { test_range: _test, train_range: _train, ...columns } = (reader ?? {}) as Entry
  return { ...onlyKnown(rest), reader_cfg: columns, rows }
}

/** Without the arguments of the dataset class. */
function onlyKnown(dataset: Entry): Entry {
  return Object.fromEntries(Object.entries(dataset).filter(([key]) => ['abbr', 'infer_cfg', 'eval_cfg', 'n', 'k'].includes(key)))
}
