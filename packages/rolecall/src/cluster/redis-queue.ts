import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ChecksOf, checkOptionsOf, isAnything, PromptError, secretsIn } from '@rolecall/core/internal/errors'
import { stringifyJson } from '@rolecall/core/internal/python'
import type { CheckedConfig } from '../evaluation/config/check-config.ts'
import type { Pair } from '../evaluation/run/plan-run.ts'
import type { EvaluationOptions, OpenQueue, RunQueue, RunToDistribute } from '../node/runs/evaluation-options.ts'
import { pickRemembered } from '../node/runs/remembered-options.ts'
import { isComplete, writtenConfig } from '../node/runs/written-config.ts'

/**
 * A queue on a Redis or Valkey server, for `runEvaluation`: its workers (`rolecall runs worker`) query the models.
 *
 * @example
 * typeof redisQueue('redis://10.0.0.5:6379').open // => 'function'
 */
export function redisQueue(address: string, options: RedisQueueOptions = {}): RunQueue {
  checkOptionsOf(options, { waitForWorkers: isAnything } satisfies ChecksOf<RedisQueueOptions>, 'redisQueue › options')
  return { check, open: (run) => open(address, options, run) }
}

export type RedisQueueOptions = {
  /** Seconds after which the run ends if a model has no worker, or all workers refuse it. 600 by default; Infinity: no limit. */
  waitForWorkers?: number | undefined
}

/** The fix for configs with functions, which cannot be sent as data. */
export const withoutFunctions = 'write the config without functions, or distribute the run with --shard instead of a queue'

/** Rejects what workers cannot run: functions of this program, and secrets. */
function check(config: CheckedConfig, { environment }: EvaluationOptions): void {
  const where = '--queue'
  if (environment) {
    throw new PromptError('own-environment', {
      where,
      problem: 'models are opened by a function of this program, which workers do not have',
      fix: 'leave out environment or queue',
    })
  }
  for (const { key: _, ...model } of config.models as readonly { abbr?: string; path?: string; key?: unknown }[]) {
    if (secretsIn(model).length === 0) continue
    throw new PromptError('secret-for-workers', {
      where: `${where}, model "${model.abbr ?? model.path ?? ''}"`,
      problem: 'its headers, body or address hold secrets, which are not sent to workers',
      fix: 'write $NAME for the value of a header and set NAME for each worker, or name the variable of the key with key_env; an address needs no login then',
    })
  }
  if (isComplete(writtenConfig(config))) return
  throw new PromptError('config-with-functions', {
    where,
    problem: 'the config has functions, which are not sent to workers: they run data, never code',
    fix: withoutFunctions,
  })
}

/** Connects to the server and publishes the run. */
async function open(
  address: string,
  { waitForWorkers }: RedisQueueOptions,
  { loaded, pairs, options, shards, sync, onEvent, ...run }: RunToDistribute,
): Promise<OpenQueue> {
  const [{ readAddress }, { connect, persistenceProblems: keepsNothing }, { Coordinator }, { runId, timesOf }] = await Promise.all([
    import('./address.ts'),
    import('./redis.ts'),
    import('./coordinator.ts'),
    import('./protocol.ts'),
  ])
  const { prompts, logProbabilities, ...remembered } = pickRemembered(options)
  if (secretsIn({ models: loaded.config.models }).length > 0) {
    onEvent({ kind: 'trouble', problem: 'keys in the config are not sent to workers: they read theirs from the environment' })
  }
  const client = await connect(readAddress(address, '--queue'))
  try {
    for (const problem of await keepsNothing(client.redis)) onEvent({ kind: 'trouble', problem })
    return await Coordinator.open({
      client,
      times: timesOf(process.env),
      run: runId(run),
      setup: {
        folder: loaded.folder,
        files: modelFiles(pairs, loaded.folder),
        config: stringifyJson(writtenConfig(loaded.config), { ensureAscii: false }),
        selection: { ...selectionOf(remembered), ...(options.score === false ? { score: false } : {}) },
        keepPrompts: prompts ?? false,
        ...(logProbabilities === undefined ? {} : { logProbabilities }),
      },
      pairs,
      shards,
      waitForWorkers: waitForWorkers === undefined ? undefined : waitForWorkers * 1000,
      sync,
      stop: options.stop,
      onEvent,
    })
  } catch (error) {
    client.close()
    throw error
  }
}

/** The options that decide which requests are made, without those that decide how many are sent. */
function selectionOf({ limit, shard, workers, cache, maxCost, maxTokensTotal, maxTime, ...selection }: ReturnType<typeof pickRemembered>) {
  return selection
}

/** The files of the run's models that are on this machine. */
function modelFiles(pairs: readonly Pair[], folder: string): string[] {
  const named = pairs.flatMap(({ model: { path, tokenizer_path: tokenizer } }) => [path, tokenizer])
  return [...new Set(named)].filter((path): path is string => typeof path === 'string' && existsSync(resolve(folder, path)))
}
