import { PromptError } from '@rolecall/core/internal/errors'
import { loadsWeights } from '../../compat/opencompass/import/local-model-server.ts'
import { selectByName } from '../../evaluation/config/select-by-name.ts'
import { type LaunchedEngine, type LaunchOptions, launchEngine } from './launch-engine.ts'

/** What a run records about an engine that it started. */
export type EngineRecord = { model: string; command: string; version?: string | undefined; url: string }

/** Engines that run, the servers of their models as `--models NAME=URL` has them, and what is recorded. */
export type LaunchedEngines = { servers: string[]; records: EngineRecord[]; stop: () => Promise<void> }

type Model = Readonly<Record<string, unknown>> & { abbr?: string | undefined }

/** Starts an engine for each selected model that would load weights here, one after the other; all of them run until `stop`. */
export async function launchEngines(
  models: readonly Model[],
  names: string | undefined,
  options: LaunchOptions & { note: (text: string) => void },
): Promise<LaunchedEngines> {
  const local = selectByName(models, names, '--models').filter(loadsWeights)
  if (local.length === 0)
    throw new PromptError('engine', {
      where: '--launch',
      problem: 'no selected model loads weights from its path: there is nothing to serve',
      fix: 'choose a model of a class such as HuggingFacewithChatTemplate or VLLM, write --hf-path PATH, or leave --launch out',
    })
  const engines: { model: string; engine: LaunchedEngine }[] = []
  const stop = async () => {
    await Promise.all(engines.map(({ engine }) => engine.stop()))
  }
  try {
    for (const model of local) {
      const name = String(model.abbr ?? model.path)
      options.note(`starting ${options.engine} for ${name}`)
      const engine = await launchEngine(model, options)
      engines.push({ model: name, engine })
      options.note(
        `${name} is served at ${engine.url} by \`${engine.command.join(' ')}\`${engine.version === undefined ? '' : ` (${engine.version})`}`,
      )
    }
  } catch (error) {
    await stop()
    throw error
  }
  return {
    servers: engines.map(({ model, engine }) => `${model}=${engine.url}`),
    records: engines.map(({ model, engine: { command, version, url } }) => ({ model, command: command.join(' '), version, url })),
    stop,
  }
}
