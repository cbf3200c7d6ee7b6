import { PromptError } from '../../../base/errors/prompt-error.ts'
import { secretsIn } from '../../../base/errors/secrets.ts'
import { stringifyJson } from '../../../base/python/index.ts'
import type { Pair } from '../../../evaluation/run/plan-run.ts'
import type { Shard } from '../../../evaluation/run/shard.ts'
import type { Coordinator } from '../../cluster/coordinate.ts'
import { withoutFunctions } from '../../cluster/prepare-run.ts'
import { runId, timesOf } from '../../cluster/protocol.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { pickRemembered } from './remembered-options.ts'
import type { EvaluationOptions } from './run-evaluation.ts'
import type { RunFolder } from './run-folder.ts'
import { isComplete, writtenConfig } from './written-config.ts'

/** A run whose rows are asked by workers. */
export type QueuedRun = Coordinator

type Queued = {
  folder: RunFolder
  loaded: LoadedConfig
  pairs: readonly Pair[]
  options: EvaluationOptions
  shard: Shard | undefined
  onEvent: EvaluationOptions['onEvent']
}

/** Finds what cannot be spread before anything is made. */
export function refuseForQueue(config: LoadedConfig['config'], { environment }: EvaluationOptions): void {
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

/** Connects to a queue and takes the run there. */
export async function queueForRun(address: string, { folder, loaded, pairs, options, shard, onEvent }: Queued): Promise<QueuedRun> {
  const [{ readAddress }, { connect, keepsNothing }, { Coordinator }] = await Promise.all([
    import('../../cluster/address.ts'),
    import('../../cluster/redis.ts'),
    import('../../cluster/coordinate.ts'),
  ])
  const { limit: _, shard: __, workers: ___, cache: ____, prompts, logProbabilities, ...selection } = pickRemembered(options)
  const tell = onEvent ?? (() => {})
  if (secretsIn({ models: loaded.config.models }).length > 0) {
    tell({ kind: 'trouble', problem: 'keys that stand in the config are not sent to workers: they read theirs from the environment' })
  }
  const client = await connect(readAddress(address, '--queue'))
  try {
    for (const problem of await keepsNothing(client.redis)) tell({ kind: 'trouble', problem })
    return await Coordinator.open({
      client,
      times: timesOf(process.env),
      run: runId({ ...folder.info, folder: folder.path }),
      setup: {
        folder: loaded.folder,
        config: stringifyJson(writtenConfig(loaded.config), { ensureAscii: false }),
        selection: { ...selection, ...(options.score === false ? { score: false } : {}) },
        keepPrompts: prompts ?? false,
        ...(logProbabilities === undefined ? {} : { logProbabilities }),
      },
      pairs,
      shards: shard?.count ?? 1,
      sync: () => folder.sync(),
      stop: options.stop,
      onEvent: tell,
    })
  } catch (error) {
    client.close()
    throw error
  }
}
