import { relative, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import { modelText, type PairName } from '../../evaluation/run/record/pair-name.ts'
import type { RunSummary } from '../../evaluation/run/record/run-record.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'

/** Pairs without rows, e.g. because of a truncated file; a shard may be empty. */
export function emptyPairs({ results, shard }: Pick<RunSummary, 'results' | 'shard'>): PairName[] {
  return shard === undefined ? results.filter(({ rows }) => rows === 0) : []
}

/** `skipped, no rows: good on qa (data/qa.jsonl)`. */
export function emptyText(pairs: readonly PairName[], loaded: LoadedConfig): string {
  const names = pairs.map((pair) => {
    const file = fileOf(pair, loaded)
    return `${modelText(pair)} on ${pair.dataset}${file === undefined ? '' : ` (${file})`}`
  })
  return `skipped, no rows: ${names.join(', ')}`
}

/** Why a run has no results at all: a mistake for each dataset. */
export function emptyErrors(pairs: readonly PairName[], loaded: LoadedConfig): PromptError[] {
  const byDataset = new Map(pairs.map((pair) => [pair.dataset, pair]))
  return [...byDataset.values()].map((pair) => {
    const file = fileOf(pair, loaded)
    return new PromptError('no-rows', {
      where: file === undefined ? pair.dataset : `${file} (dataset ${pair.dataset})`,
      problem: file === undefined ? 'the dataset has no rows' : 'the file has no rows',
      fix: 'give it rows, or choose other datasets with --datasets',
    })
  })
}

/** The file of a dataset, or its first, as it is printed. */
function fileOf({ dataset }: PairName, { config, folder }: LoadedConfig): string | undefined {
  const { path } = (config.datasets as DatasetConfig[]).find(({ abbr }) => abbr === dataset) ?? {}
  const [first, ...others] = path === undefined ? [] : [path].flat()
  if (first === undefined) return undefined
  const shown = relative(process.cwd(), resolve(folder, first))
  return others.length === 0 ? shown : `${shown} and ${others.length} more`
}
