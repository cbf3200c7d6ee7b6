import { PromptError } from '@rolecall/core/internal/errors'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { selectByName } from '../../evaluation/config/select-by-name.ts'
import { withSettings } from '../../evaluation/run/ask/generation-settings.ts'
import { namedSampling, type Sampling } from '../../model/language-model/sampling-settings.ts'
import { modelTypeOf, runnableType } from '../../model/model-types/index.ts'
import { findConfig, loadConfig } from '../../node/config/load-config.ts'
import { type ModelFlags, modelConfigOf } from '../../node/models/model-flags.ts'
import { Watchdog } from '../../node/watchdog/watchdog.ts'
import { type ClientName, clientNames, showClientSettings } from '../../server/client-settings.ts'
import type { Listening } from '../../server/listen.ts'
import { limitKeys, parseKeys, parseLimit } from '../../server/parse-limit.ts'
import { requestLine } from '../../server/request-log.ts'
import { serve } from '../../server/serve-models.ts'
import { defaultServerLimits } from '../../server/server-limits.ts'

import { exitCodes, exitHelp, setExitCode } from '../exit-codes.ts'
import { modelFlagsIn, withModelFlags } from '../flags.ts'
import { configuredModels } from '../runnable-model.ts'
import { withSamplingFlags } from '../sampling-flags.ts'
import { wrapReport } from '../screen/fit-text.ts'
import { ownCommand } from '../screen/own-command.ts'
import { colors, printable, printWarnings, screenWidth } from '../terminal.ts'
import { warnConfig } from '../warn-config.ts'
import { rendererConfig } from './renderer-config.ts'

type Options = ModelFlags & {
  models?: string
  port: number
  host: string
  apiKey?: string
  allowAnyone: boolean
  allowHost: string[]
  allowOrigin: string[]
  maxConcurrent: number
  maxWaiting: number
  maxSeconds: number
  maxBody: number
  maxValues: number
  constraintSeconds: number
  maxRequests?: number
  limit: string[]
  shutdownSeconds?: number
  log: boolean
  for?: ClientName
  stablePrefix: boolean
  renderOnly: boolean
  roles?: 'auto' | 'strict'
}

export const serveCommand = withModelFlags(
  new Command('serve')
    .description('serve models in their own formats through OpenAI- and Anthropic-compatible APIs')
    .argument('[config]', 'the config file with the models (default: the nearest rolecall.config.*, else the embedded model)'),
)
  .optionsGroup('Model and address:')
  .option('--models <names>', 'only these models of the config (comma-separated)')
  .option('--port <number>', 'the port to listen on; 0 takes a free one', positiveInteger(0, 65_535), 8017)
  .option('--host <address>', 'the address to listen on; the default serves only this machine', '127.0.0.1')
  .option('--api-key <key>', 'the key that requests must carry; ROLECALL_API_KEY is safer, since other users can see arguments')
  .option('--allow-anyone', 'serve other machines without requiring a key', false)
  .option('--allow-host <name...>', 'further host names to accept, e.g. behind a proxy', [])
  .option('--allow-origin <origin...>', 'origins of web pages that may call the server, e.g. http://localhost:5173', [])
  .optionsGroup('Limits:')
  .option('--max-concurrent <number>', 'how many requests are processed at once', positiveInteger(1), defaultServerLimits.concurrent)
  .option(
    '--max-waiting <number>',
    'how many requests may wait; further ones are refused (429)',
    positiveInteger(0),
    defaultServerLimits.waiting,
  )
  .option('--max-seconds <number>', 'how long one reply may take', positiveInteger(1), defaultServerLimits.seconds)
  .option('--max-body <megabytes>', 'how large a request may be', positiveInteger(1), defaultServerLimits.bodyBytes / 2 ** 20)
  .option(
    '--max-values <number>',
    'how many objects, lists, strings and decimals a request may have; it may have ten times as many integers',
    positiveInteger(1),
    defaultServerLimits.bodyValues,
  )
  .option(
    '--constraint-seconds <number>',
    'how long compiling a schema or a pattern may take, and each step in following it',
    positiveInteger(1),
    defaultServerLimits.constraintSeconds,
  )
  .option('--max-requests <number>', 'how many requests per minute one client may send; further ones are refused (429)', positiveInteger(1))
  .option(
    '--limit <limits...>',
    'rate limits for each client, or for one key: requests=60,tokens=50000,concurrent=4 or NAME:requests=60',
    [],
  )
  .option(
    '--shutdown-seconds <number>',
    'how long requests in flight may take after Ctrl-C or SIGTERM (default: as long as they need)',
    positiveInteger(0),
  )
  .optionsGroup('Clients:')
  .addOption(
    new Option('--for <client>', 'print the settings of a coding agent to paste, instead of a request to try').choices(clientNames),
  )
  .option(
    '--stable-prefix',
    'remove lines that clients change in their system text with every request (the billing line of Claude Code): they cost the whole prefix cache',
    false,
  )
  .addOption(
    new Option(
      '--roles <rule>',
      'turns, tools and media that a chat template does not write: rewritten and reported (auto, the default), or passed on (strict)',
    ).choices(['auto', 'strict']),
  )
  .option(
    '--render-only',
    "open no engine: renders prompts and reads token ids in vLLM's protocol, for trainers and routers; needs --chat-template and a tokenizer",
    false,
  )
  .option('--log', 'print a line for each finished request: id, status, tokens; never its content', false)
  .optionsGroup('Sampling (where a request does not say):')

withSamplingFlags(serveCommand)
  .addHelpText(
    'after',
    `
Examples:
  rolecall serve                                          the models of the config in this folder, or the embedded one
  rolecall serve --model gguf:qwen.gguf --port 8000       a GGUF file in its own chat template
  rolecall serve --model openai:qwen3-8b@http://gpu:8000/v1 --chat-template ./qwen3-8b
                                                          fixes a server whose chat template or tool parser is wrong
  rolecall serve --model openai:qwen3-coder@http://gpu:8000/v1 --chat-template ./qwen3-coder --for claude-code
                                                          prints what to set in Claude Code
  rolecall serve --render-only --chat-template Qwen/Qwen3-8B
                                                          messages to token ids and back for a trainer, without a GPU
  ROLECALL_API_KEY=secret rolecall serve --host 0.0.0.0   for other machines

Endpoints: /v1/chat/completions, /v1/responses, /v1/messages (Anthropic's), /v1/completions, /v1/models, /v1/render,
  /v1/chat/completions/render and /derender, /inference/v1/generate (vLLM's, with token ids),
  /tokenize, /detokenize, /apply-template (as llama.cpp's and vLLM's), /metrics (Prometheus), /health
Keys: ROLECALL_API_KEY, or ROLECALL_API_KEYS="NAME=KEY NAME=KEY" for several clients, named in --limit
Ctrl-C finishes the requests in flight; a second one stops at once.
${exitHelp({ refused: 'for invalid arguments or configs', stopped: 'when stopped at once' })}`,
  )
  .action(async (config: string | undefined, options: Options & Partial<Sampling>) => {
    const { models: configured, folder } = await chosenModels(config, options)
    const { roles } = options
    const models = configured.map((model) => ({
      ...withSettings(model, namedSampling(options)),
      ...(roles === undefined ? {} : { roles }),
    }))
    const apiKey = options.apiKey ?? (process.env.ROLECALL_API_KEY || undefined)
    const { keys, client } = limitKeys(parseKeys(process.env.ROLECALL_API_KEYS ?? ''), options.limit.map(parseLimit))
    const server = await serve({
      models,
      folder,
      port: options.port,
      host: options.host,
      allowAnyone: options.allowAnyone,
      hosts: options.allowHost,
      origins: options.allowOrigin,
      limits: {
        concurrent: options.maxConcurrent,
        waiting: options.maxWaiting,
        seconds: options.maxSeconds,
        bodyBytes: options.maxBody * 2 ** 20,
        bodyValues: options.maxValues,
        constraintSeconds: options.constraintSeconds,
        client: { ...(options.maxRequests === undefined ? {} : { requestsPerMinute: options.maxRequests }), ...client },
      },
      log: (text) => process.stderr.write(`${colors.red('failed')} ${printable(text)}\n`),
      onNote: (text) => process.stderr.write(`${colors.dim('note')} ${printable(text)}\n`),
      stablePrefix: options.stablePrefix,
      renderOnly: options.renderOnly,
      apiKey,
      keys,
      ...(options.log
        ? { onRequest: (entry) => process.stderr.write(`${new Date().toISOString()} ${printable(requestLine(entry))}\n`) }
        : {}),
    })
    const key = apiKey ?? keys[0]?.key
    const shown = options.for
      ? await settingsFor(options.for, server, key)
      : options.renderOnly
        ? welcomeToRenderer(server.url, models)
        : welcome(server.url, models, key !== undefined)
    process.stdout.write(`${shown}
`)
    await untilStopped(server, options.shutdownSeconds)
  })

/** The models to serve: from the flags, or from a config. */
export async function chosenModels(config: string | undefined, options: Options): Promise<{ models: ModelConfig[]; folder: string }> {
  const here = process.cwd()
  const flags = modelFlagsIn(options)
  if (flags.length > 0 && config !== undefined) {
    throw new PromptError('two-models', { where: flags.join(', '), problem: 'the models are those of the config', fix: 'give one of them' })
  }
  const file = config ?? (flags.length === 0 ? findConfig(here) : undefined)
  if (file === undefined) {
    if (options.renderOnly) return { models: [rendererConfig(options, here)], folder: here }
    const model = modelConfigOf(options, here, printWarnings)
    runnableType(model)
    return { models: [model], folder: here }
  }
  const loaded = await loadConfig(file, undefined, { models: options.models })
  warnConfig(loaded)
  const models = selectByName(configuredModels(loaded), options.models, '--models')
  if (models.length === 0)
    throw new PromptError('missing', { where: 'models', problem: 'the config has no models', fix: 'add one, or use --model' })
  if (!options.renderOnly) for (const model of models) runnableType(model)
  return { models, folder: loaded.folder }
}

/** As the server tells its clients: the context is known when the model is open. */
async function settingsFor(client: ClientName, { url }: Listening, key: string | undefined): Promise<string> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const { data } = (await (await fetch(`${url}/v1/models`, { headers })).json()) as { data: { id: string; max_model_len: number | null }[] }
  const [first] = data
  const target = { url, model: first?.id ?? '', context: first?.max_model_len ?? undefined, hasKey: key !== undefined }
  return `${colors.bold(`${url}/v1`)}\n\n${printable(showClientSettings(client, target))}\n`
}

function welcome(url: string, models: readonly ModelConfig[], hasKey: boolean): string {
  const names = models.map(({ abbr, path, type }) => abbr ?? path ?? type ?? 'model')
  const content = modelTypeOf(models[0] ?? {})?.isShipped ? '12 + 34 = ?' : 'Hello!'
  const words = ["-H 'Content-Type: application/json'", ...(hasKey ? ['-H "Authorization: Bearer $ROLECALL_API_KEY"'] : [])]
  // White space between the values of JSON is not part of them, so that narrow terminals can be pasted from, too.
  const body = [`{"model":${JSON.stringify(names[0])},`, `"messages":${JSON.stringify([{ role: 'user', content }])}}`].map((text) =>
    printable(text).replaceAll("'", "'\\''"),
  )
  const whole = `-d '${body.join('')}'`
  const data = whole.length + 8 <= screenWidth() ? [whole] : [`-d '${body[0]}`, `${body[1]}'`]
  const lines = [`curl ${url}/v1/chat/completions \\`, ...words.map((word) => `  ${word} \\`), ...data.map((text) => `  ${text}`)]
  return `${wrapReport(`${colors.bold(`${url}/v1`)}  ${printable(names.join(', '))}`, screenWidth())}

try   ${lines.join('\n      ')}

Ctrl-C stops it · ${ownCommand()} serve --for codex: settings of a client
`
}

function welcomeToRenderer(url: string, models: readonly ModelConfig[]): string {
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hello!' }] })
  return `${colors.bold(`${url}/v1`)}  ${printable(models.map(({ abbr, path }) => abbr ?? path ?? 'model').join(', '))}, without an engine

  curl ${url}/v1/chat/completions/render -H 'Content-Type: application/json' -d '${body}'
`
}

/** The first signal finishes the running requests, the second aborts them. */
function untilStopped(server: Listening, seconds: number | undefined): Promise<void> {
  return new Promise((resolve) => {
    const watchdog = new Watchdog()
    watchdog.hear((signals) => {
      if (signals === 1) {
        process.stderr.write(`${colors.dim('finishing the running requests; press Ctrl-C again to stop immediately')}\n`)
        void server.close(seconds === undefined ? {} : { within: seconds }).then(done)
      } else {
        setExitCode({ exit_code: exitCodes.stopped.code })
        void server.close({ now: true })
      }
    })
    const done = () => void watchdog.stop().then(resolve)
  })
}

function positiveInteger(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
    const upTo = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`
    throw new InvalidArgumentError(`expected an integer from ${least}${upTo}`)
  }
}
