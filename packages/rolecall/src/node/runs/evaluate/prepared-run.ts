import { PromptError } from '@rolecall/core/internal/errors'
import type { Config } from '../../../evaluation/config/config-schema.ts'
import { isInBatches } from '../../../evaluation/run/batch-models.ts'
import { Budget } from '../../../evaluation/run/budget.ts'
import { checkLimits } from '../../../evaluation/run/check-limits.ts'
import { preparePairs } from '../../../evaluation/run/prepare-pair.ts'
import type { PreparedPairs } from '../../../evaluation/run/prepared-pairs.ts'
import type { ReachedLimit } from '../../../evaluation/run/record/run-record.ts'
import type { Pair, RunEnvironment } from '../../../evaluation/run/run-pairs.ts'
import { checkUserConfig } from '../../config/check-user-config.ts'
import type { LoadedConfig } from '../../config/load-config.ts'
import { AnswerCaches } from '../answer-cache.ts'
import { type EvaluationOptions, limitsOf } from '../evaluation-options.ts'
import { checkRunnable, nodeEnvironment } from '../node-environment.ts'
import { plannedPairs } from '../planned-pairs.ts'
import { cacheFolder } from '../private-folder.ts'
import { withServedNames } from '../served-names.ts'
import { type ResumedRun, resumed } from './resumed-run.ts'

/** A run that can start: nothing is written yet. */
export type PreparedRun = ResumedRun & {
  /** When preparing began, by `performance.now`. */
  begin: number
  given: EvaluationOptions
  loaded: LoadedConfig
  pairs: readonly Pair[]
  prepared: PreparedPairs
  environment: RunEnvironment
  caches?: AnswerCaches
  budget: Budget
}

function noQueue(): PromptError {
  return new PromptError('contradiction', {
    where: '--batch, --queue',
    problem: 'a batch is submitted by one process, and a queue spreads rows over many',
    fix: 'leave one of them out',
  })
}

/** Checks all that can be checked before a folder is created: a run that fails here leaves nothing worth keeping. */
export async function prepareRun(config: Config | LoadedConfig, given: EvaluationOptions): Promise<PreparedRun> {
  const opened = 'config' in config ? config : { file: '', folder: process.cwd(), config: checkUserConfig(config, process.cwd(), '') }
  const begin = performance.now()
  const run = resumed(config, given)
  const { options } = run
  const { loaded, notes } = await withServedNames(opened, options.models)
  const pairs = plannedPairs(loaded, options)
  const environment = given.environment ?? nodeEnvironment(loaded.folder)
  const limits = limitsOf(options)
  checkLimits(limits, pairs)
  if (given.queue && pairs.some(({ model }) => isInBatches(model))) throw noQueue()
  given.queue?.check(loaded.config, given)
  const prepared = await preparePairs(pairs, environment, given.environment ? undefined : checkRunnable)
  given.onEvent?.({ kind: 'prepared', notes: [...notes, ...prepared.notes] })
  const cache = options.cache ?? cacheFolder() ?? false
  const caches = cache === false ? undefined : new AnswerCaches(cache)
  const onReached = (reached: ReachedLimit) => given.onEvent?.({ kind: 'budget', ...reached })
  const budget = new Budget(limits, () => performance.now(), { stop: options.stop, onReached })
  return { ...run, begin, given, loaded, pairs, prepared, environment, caches, budget }
}
