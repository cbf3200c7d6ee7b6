import { cpSync, existsSync, rmSync } from 'node:fs'

import { PromptError } from '@rolecall/core/internal/errors'
import type { ScoredPair } from '../../evaluation/run/record/compare-models.ts'
import { type PairName, pairText } from '../../evaluation/run/record/pair-name.ts'
import type { RunSummary } from '../../evaluation/run/record/run-record.ts'
import { type Pair, type RowStore, runPairs } from '../../evaluation/run/run-pairs.ts'
import { readShard } from '../../evaluation/run/shard.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { onDisk } from './disk-error.ts'
import { summarizeRun } from './evaluate/summarize-run.ts'
import { fileInRun } from './file-in-run.ts'
import { nodeEnvironment } from './node-environment.ts'
import { isOwnRun } from './own-run.ts'
import { scoredBefore } from './pairs-of-run.ts'
import { RunFolder } from './run-folder.ts'
import { isRun, readRunInfo, runFiles } from './run-layout.ts'
import { RunLock } from './run-lock.ts'
import { openRun, type RunReader } from './run-reader.ts'
import { type OtherScoring, scoredAs, withOtherScoring } from './scored-config.ts'
import { writeLayout } from './write-work-dir.ts'
import { writtenConfig } from './written-config.ts'

/** A run scored from its records. */
export type ScoredRun = {
  folder: string
  summary: RunSummary
  /** The numbers of rows that have not run, for each pair that has any. */
  missing: readonly (PairName & { rows: readonly number[] })[]
}

/**
 * Rescores a run without calling any model, with its own config or one with other evaluators or postprocessors, and rewrites its
 * results and summary.
 */
export async function scoreRun(folder: string, given?: LoadedConfig, other: OtherScoring = {}): Promise<ScoredRun> {
  return onDisk(
    () => folder,
    () => {
      const run = openRun(folder)
      return run.foreign ? rescoreForeign(folder, given, other) : rescore(run, given, other)
    },
  )
}

/** Scores a copy: what another harness recorded stays as it was read. */
async function rescoreForeign(source: string, given: LoadedConfig | undefined, other: OtherScoring): Promise<ScoredRun> {
  if (!given && !other.evaluator && !other.postprocessor)
    throw new PromptError('no-evaluator', {
      where: source,
      problem: 'another harness scored these rows, and its rule is not an evaluator of ours',
      fix: 'choose one with --evaluator and --postprocessor, or give a config with an eval_cfg (--config)',
    })
  const folder = `${source}-scored`
  // Before anything is copied or removed: the folder may not be one that was read here.
  readRunInfo(source)
  if (existsSync(folder) && !isRun(folder))
    throw new PromptError('folder-in-use', {
      where: folder,
      problem: 'the scored copy belongs here, and this is not a run',
      fix: 'move it away',
    })
  rmSync(folder, { recursive: true, force: true })
  cpSync(source, folder, { recursive: true })
  const copy = openRun(folder)
  return rescore(copy, given && scoredAs(await copy.config(), given), other)
}

async function rescore(run: RunReader, given: LoadedConfig | undefined, other: OtherScoring): Promise<ScoredRun> {
  const { folder, info } = run
  const loaded = withOtherScoring(given ?? (await run.config()), other)
  const pairs = (await run.plan(loaded)).filter(({ name }) => run.find(name))
  if (pairs.length === 0) {
    throw new PromptError('nothing-to-score', {
      where: folder,
      problem: `the config has none of the run's pairs (${run.pairs.map(pairText).join(', ')})`,
      fix: 'keep the names (abbr) of models and datasets',
    })
  }
  const lock = new RunLock(fileInRun(folder, runFiles.lock))
  try {
    const writing = new RunFolder(folder, info, pairs, writtenConfig(loaded.config), lock.check)
    return await scoreFolder(writing, pairs, loaded, run.foreign ? 'row' : given || isOwnRun(folder, info) ? 'question' : 'recorded-row')
  } finally {
    lock.release()
  }
}

/**
 * Scores the records in a folder and writes results and summary. `by`: what a record must have in common with its row: the question; for results
 * of other harnesses only its number; for a run of somebody else, whose config names the files of rows on this machine, also every column.
 */
export async function scoreFolder(
  folder: RunFolder,
  pairs: readonly Pair[],
  { folder: home, config }: LoadedConfig,
  by: 'question' | 'row' | 'recorded-row' = 'question',
): Promise<ScoredRun> {
  const begin = performance.now()
  const { shard } = folder.info.options
  const limits = {
    offline: true,
    ...(folder.info.options.limit === undefined ? {} : { limit: folder.info.options.limit }),
    ...(shard === undefined ? {} : { shard: readShard(shard) }),
  }
  const environment = nodeEnvironment(home)
  // Dry pass first: if prompts have changed, nothing may be written.
  const lacking = new Map<Pair, { unasked: number[]; asked: number }>()
  const storeFor = (pair: Pair): RowStore => {
    const store = folder.storeFor(pair, by === 'row' ? 'row' : 'question')
    if (by !== 'recorded-row') return store
    return {
      ...store,
      find(id, key, anyRow, rowHash) {
        const record = store.find(id, key, anyRow, rowHash)
        return record?.row_hash === rowHash ? record : undefined
      },
    }
  }
  const looking = (pair: Pair): RowStore => {
    const [store, found] = [storeFor(pair), { unasked: [] as number[], asked: 0 }]
    lacking.set(pair, found)
    return {
      find(id, key, _, rowHash) {
        const record = store.find(id, key, false, rowHash)
        if (!record && folder.has(pair, id)) found.asked++
        else if (!record) found.unasked.push(id)
        return record
      },
      add() {},
    }
  }
  for await (const _ of runPairs(pairs, environment, { ...limits, storeFor: looking }));
  folder.close()
  refuseOtherPrompts(folder.path, lacking)
  folder.begin()
  const scored: ScoredPair[] = []
  const before = scoredBefore(
    folder.path,
    folder.info.pairs,
    pairs.map(({ name }) => name),
  )
  const isWhole = [...lacking.values()].every(({ unasked }) => unasked.length === 0)
  for await (const event of runPairs(pairs, environment, { ...limits, storeFor })) {
    if (event.kind !== 'end') continue
    scored.push(event)
    folder.writeResult(event.result)
  }
  folder.close()
  const summary: RunSummary = {
    ...summarizeRun(folder, [...scored, ...before], config.summarizer, begin),
    ...(isWhole ? {} : { unfinished: true }),
  }
  folder.writeSummary(summary)
  await writeLayout(folder.path, folder.info)
  const missing = [...lacking].flatMap(([{ name }, { unasked }]) => (unasked.length === 0 ? [] : [{ ...name, rows: unasked }]))
  return { folder: folder.path, summary, missing }
}

function refuseOtherPrompts(folder: string, lacking: ReadonlyMap<Pair, { asked: number }>): void {
  for (const [{ name }, { asked }] of lacking) {
    if (asked === 0) continue
    throw new PromptError('other-prompts', {
      where: `${folder} › ${pairText(name)}`,
      problem: `${asked} rows were run with other prompts than the config and dataset produce now`,
      fix: 'change only how answers are scored (eval_cfg), or rerun those rows with `rolecall run -r`',
    })
  }
}
