import { PromptError } from '@rolecall/core/internal/errors'
import type { Config } from '../../../evaluation/config/config-schema.ts'
import { readShard } from '../../../evaluation/run/shard.ts'
import type { LoadedConfig } from '../../config/load-config.ts'
import type { EvaluationOptions } from '../evaluation-options.ts'
import { findRun } from '../find-run.ts'
import { parentsOf } from '../outputs-folder.ts'
import type { RunInfo } from '../run-layout.ts'
import { openRun } from '../run-reader.ts'

/** What is run: with which options, by which process of several, and what an earlier part has recorded. */
export type ResumedRun = {
  options: EvaluationOptions
  /** The folders searched for a run to resume; new runs go to the first. */
  parents: readonly [string, ...string[]]
  /** The folder of the resumed run, and what it says about it. */
  reused: string | undefined
  known: RunInfo | undefined
  shard: { index: number; count: number } | undefined
}

/** The run to resume; its original options apply unless overridden. */
export function resumed(config: Config | LoadedConfig, given: EvaluationOptions): ResumedRun {
  const parents = parentsOf(config, given)
  const reused = given.reuse === undefined ? undefined : findRun(parents, given.reuse)
  const known = reused === undefined ? undefined : openRun(reused).info
  if (known && given.layout !== undefined && given.layout !== known.options.layout)
    throw new PromptError('other-layout', {
      where: '--layout',
      problem: 'the run was started without it, and its files keep their places',
      fix: `write the layout with \`rolecall export results ${reused} --export-format ${given.layout}\`, or start a new run`,
    })
  const options: EvaluationOptions = known ? { ...known.options, ...definedOnly(given) } : given
  return { options, reused, parents, known, shard: options.shard === undefined ? undefined : readShard(options.shard) }
}

/** The options that are set. */
export function definedOnly<Given extends object>(given: Given): { [Key in keyof Given]?: Exclude<Given[Key], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never
}
