import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PromptError } from '@rolecall/core/internal/errors'
import type { TemplateCompiler } from '@rolecall/core/internal/jinja'
import { type AskPairOptions, type PairAsker, pairAskers } from '../evaluation/run/ask-pair.ts'
import { isSameModel, isSamePair, type ModelName, type PairName } from '../evaluation/run/record/pair-name.ts'
import { allowRowFiles, type RowsConfig } from '../node/rows/open-rows.ts'
import { nodeEnvironment } from '../node/runs/node-environment.ts'
import { plannedPairs } from '../node/runs/planned-pairs.ts'
import { readWrittenConfig } from '../node/runs/recorded-config.ts'
import { withGuardedTemplates } from '../node/templates/guard-config.ts'
import { keys, type RunSetup, setupHash, setupSchema, type Times } from './protocol.ts'
import type { Redis } from './redis.ts'
import { withoutFunctions } from './redis-queue.ts'

/** A model of a run on a worker, with its pairs by name. */
export type PreparedModel = {
  /** How many rows may be in flight. */
  slots: number
  askerOf(pair: PairName): PairAsker | undefined
  close(): Promise<void>
}

export type PrepareOptions = AskPairOptions & {
  /** The base of relative paths in the config; the coordinator's folder by default. */
  folder?: string | undefined
  compile?: TemplateCompiler | undefined
}

/** Reads the set-up of a run from Redis; its hash must match the run's notice. */
export async function readSetup(redis: Redis, run: string, hash: string, times: Times, isOver: () => boolean): Promise<RunSetup> {
  let text = await redis.get(keys.setup(run))
  // A Redis that lost its data may have the notice of a run before its set-up; the coordinator restores both.
  for (let waited = 0; text === null && waited < times.lock && !isOver(); waited += times.look) {
    await sleep(times.look)
    text = await redis.get(keys.setup(run))
  }
  const parsed = setupSchema.safeParse(text === null ? undefined : JSON.parse(text))
  if (parsed.success && setupHash(parsed.data) === hash) return parsed.data
  throw new PromptError('bad-setup', {
    where: run,
    problem: text === null ? 'its config is not in the queue' : 'its config in the queue is not the one that its coordinator put there',
    fix: 'start its coordinator again (`rolecall run --queue … -r`)',
  })
}

function missingFiles({ model }: ModelName, missing: readonly string[], folder: string): PromptError {
  return new PromptError('missing-file', {
    where: model,
    problem: `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing in ${folder} on this worker`,
    fix: 'use a shared disk, copy the files with cp -p, or set the folder with --folder',
  })
}

/** Opens a model of a run as the coordinator would: from the same config, with this machine's keys and connections. */
export async function prepareModel(setup: RunSetup, name: ModelName, run: string, options: PrepareOptions): Promise<PreparedModel> {
  const { folder: given, compile, ...asking } = options
  const config = readWrittenConfig(setup.config, run)
  if (!config) throw new PromptError('config-with-functions', { where: run, problem: 'its config has functions', fix: withoutFunctions })
  const folder = given ?? (existsSync(setup.folder) ? setup.folder : process.cwd())
  const missing = setup.files.filter((file) => !existsSync(resolve(folder, file)))
  if (missing.length > 0) throw missingFiles(name, missing, folder)
  // Rows come from the coordinator, and the files that they name are read here.
  for (const dataset of config.datasets) allowRowFiles(dataset as RowsConfig, folder)
  const guarded = withGuardedTemplates({ file: '', folder, config }, compile)
  const pairs = plannedPairs(guarded, setup.selection).filter((pair) => isSameModel(pair.name, name))
  const { keepPrompts, logProbabilities } = setup
  const askers = pairAskers(pairs, nodeEnvironment(folder), {
    ...asking,
    keepPrompts,
    ...(logProbabilities === undefined ? {} : { logProbabilities }),
  })
  let slots = 1
  for (const asker of askers) slots = await asker.open()
  return {
    slots,
    askerOf: (pair) => askers[pairs.findIndex((one) => isSamePair(one.name, pair))],
    close: async () => void (await askers[0]?.close()),
  }
}
