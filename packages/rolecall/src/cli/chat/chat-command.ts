import { existsSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { isServerType, withCompiler } from '@rolecall/core/internal/format'
import { dictGet, isDict } from '@rolecall/core/internal/python'
import { Command } from 'commander'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { selectByName } from '../../evaluation/config/select-by-name.ts'
import { generationOf, isSampled } from '../../evaluation/run/ask/generation.ts'
import { settingFlags } from '../../evaluation/run/ask/generation-settings.ts'
import type { AgentTool } from '../../model/agent/agent-tool.ts'
import { historyOf } from '../../model/agent/history-of.ts'
import type { Interpreter } from '../../model/agent/interpreter.ts'
import { freshSeed } from '../../model/language-model/draw-seed.ts'
import type { Sampling } from '../../model/language-model/sampling-settings.ts'
import { modelFlagUsage, modelTypeNamed } from '../../model/model-types/index.ts'
import { findConfig, loadConfig, parseConfigJson } from '../../node/config/load-config.ts'
import { readModule } from '../../node/config/read-module.ts'
import { readText } from '../../node/config/read-text.ts'
import { jupyterInterpreter } from '../../node/interpreters/jupyter/jupyter-interpreter.ts'
import { pythonSandbox } from '../../node/interpreters/python/python-sandbox.ts'
import { type McpTools, openMcpTools } from '../../node/mcp/open-mcp-tools.ts'
import { readMcpPlace } from '../../node/mcp/read-mcp-place.ts'
import { type ModelFlags, modelConfigOf, openModel } from '../../node/models/model-flags.ts'
import { modelsAt } from '../../node/models/models-at.ts'
import { isolatedTemplate } from '../../node/templates/isolated-template.ts'
import { positiveInteger } from '../flag-values.ts'
import { modelFlagsIn, withFormatFlags } from '../flags.ts'
import { configuredModels, runnableModel } from '../runnable-model.ts'
import { withSamplingFlags } from '../sampling-flags.ts'
import { colors, noteText, printable, printWarnings } from '../terminal.ts'
import { warnConfig } from '../warn-config.ts'
import { ChatSession } from './chat-session.ts'
import { demoTools } from './demo-tools.ts'
import { loadChat } from './load-chat.ts'
import { runChat } from './run-chat.ts'

export type ChatOptions = ModelFlags & {
  baseUrl?: string
  config?: string
  models?: string
  load?: string
  tools?: string | false
  mcp?: readonly string[]
  python: boolean
  jupyter?: string
  system?: string
  maxTurns: number
  maxTokens?: number
  showPrompt: boolean
  stats: boolean
  json: boolean
}

export const chatCommand = withFormatFlags(
  new Command('chat')
    .description('chat with a model in its own format, with tools and Python')
    .argument('[message]', 'the first message; without a terminal, the command ends after the reply')
    .optionsGroup('Model:')
    .option('--model <model>', `${modelFlagUsage} (API key from OPENAI_API_KEY)`, 'embedded'),
)
  .option('--base-url <url>', 'the first model of this OpenAI-compatible server, or --model NAME there')
  .option('--config <path>', 'use a model of this config, or the format of an mlc-chat-config.json or Python snippet')
  .option('--models <name>', 'which model of the config (default: the first)')
  .option('--load <path>', 'continue a conversation: a saved chat, { messages, tools } as JSON, or a transcript in the InternLM2 format')
  .option(
    '--tokenizer <path>',
    "the model's tokenizer, if the model does not come with one: a model on a hub (ORG/NAME), a folder or a file",
  )
  .optionsGroup('Tools and turns:')
  .option(
    '--tools <path>',
    'tools.ts (functions) or tools.json (schemas; you type the results) (default: demo tools for the embedded model)',
  )
  .option(
    '--mcp <server>',
    'tools of a server of the Model Context Protocol: a command in quotes, or an address; repeat it for several (needs npm install @modelcontextprotocol/sdk)',
    (server: string, before: readonly string[] = []) => [...before, server],
  )
  .option('--no-tools', 'no tools at all')
  .option('--python', 'let the model run Python in a sandbox (needs npm install deno pyodide)', false)
  .option('--jupyter <url>', 'let the model run Python in a Jupyter server (not a sandbox); token from the URL or JUPYTER_TOKEN')
  .option('--system <text>', 'the system message')
  .option('--max-turns <number>', 'how many turns the model may take before it must answer', positiveInteger, 10)
  .option('--max-tokens <number>', 'maximum tokens per reply', positiveInteger)

chatCommand.optionsGroup('Sampling:')

withSamplingFlags(chatCommand, {
  seed: { does: 'sampling seed, for reproducible replies (default: a new one each time, which is printed)' },
})
  .optionsGroup('Output:')
  .option('--show-prompt', 'print the exact prompt of each turn, coloured by who wrote it', false)
  .option('--stats', 'after each answer, print prompt and reply tokens, and how much of the prompts came from the cache', false)
  .option('--json', 'print one JSON event per line; read messages line by line', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall chat                                            the embedded model: no network, key or GPU
  rolecall chat 我想了解今天上海的天气                     the weather conversation of InternLM2's document: call, result, answer
  rolecall chat --python "Use Python to compute 123 * 45." code that runs in a sandbox
  rolecall chat --show-prompt                              see exactly what is sent
  rolecall chat --model openai:qwen3-8b@http://127.0.0.1:8000/v1 --tools tools.ts
  echo "12+30=?" | rolecall chat --json                    events for programs

In the chat, /help lists the other commands; Ctrl-C stops an answer, Ctrl-D ends the chat.`,
  )
  .action(async (message: string | undefined, given: ChatOptions & Partial<Sampling>) => {
    const options = { ...given, ...(given.baseUrl === undefined ? {} : { model: await modelAt(given.baseUrl, given.model) }) }
    const { config: found, folder } = await modelOf(options)
    const config = withCompiler(found, isolatedTemplate)
    const interpreter = interpreterOf(options)
    const served = await mcpToolsOf(options)
    const tools = [...(await toolsOf(options)), ...(served?.tools ?? [])]
    const opened = await openModel(config, folder)
    const { generation, seed } = generationFor(config, options)
    const session = new ChatSession({
      opened,
      tools: opened.maker.format.traits.tools || opened.maker.format.kind === 'chat' ? tools : [],
      ...(interpreter ? { interpreter } : {}),
      generation,
      history: historyOf(config),
      maxTurns: options.maxTurns,
    })
    if (options.load !== undefined) loadInto(session, options.load)
    if (options.system !== undefined) session.system = options.system
    // Starts in the background, since it takes seconds; errors are reported when code runs.
    interpreter?.start?.().catch(() => undefined)
    try {
      await runChat(session, message, { ...options, usedSeed: seed })
    } finally {
      await interpreter?.close()
      await opened.model.close?.()
      await served?.close()
    }
  })

/** The model of a server given by its address: the named one, else its first. */
async function modelAt(url: string, name: string | undefined): Promise<string> {
  if (name !== undefined && name !== 'embedded') {
    if (!name.includes(':') && !name.includes('@')) return `openai:${name}@${url}`
    throw new PromptError('two-models', { where: '--base-url', problem: '--model names a server, too', fix: 'keep one of them' })
  }
  const [first = '', ...others] = await modelsAt({ url, where: '--base-url', key: process.env.OPENAI_API_KEY })
  if (others.length > 0)
    process.stderr.write(`${noteText(`${first}, the first of ${others.length + 1} models there; --model NAME takes another`)}\n`)
  return `openai:${first}@${url}`
}

/** The model from the flags, or from a config. */
async function modelOf({ config: file, models: names, ...flags }: ChatOptions): Promise<{ config: ModelConfig; folder: string }> {
  const here = process.cwd()
  const given = modelFlagsIn({ ...flags, ...(flags.model === 'embedded' ? { model: undefined } : {}) })
  if (file === undefined && names === undefined) return { config: modelConfigOf(flags, here, printWarnings), folder: here }
  if (given.length > 0)
    throw new PromptError('two-models', {
      where: given.join(', '),
      problem: 'the config already names the model',
      fix: 'remove one of the two',
    })
  const found = file ?? findConfig(here)
  if (found === undefined)
    throw new PromptError('missing', { where: '--models', problem: 'no config found in this folder', fix: 'pass one with --config' })
  const loaded = await loadConfig(found, undefined, { models: names })
  warnConfig(loaded)
  const [model] = selectByName(configuredModels(loaded), names, '--models')
  if (!model) throw new PromptError('missing', { where: found, problem: 'the config has no models', fix: 'add one, or use --model' })
  return { config: runnableModel(model), folder: loaded.folder }
}

function loadInto(session: ChatSession, path: string): void {
  const { messages, steps, kind } = loadChat(path, '--load')
  session.load(messages, steps)
  process.stderr.write(`${colors.dim(`${kind}: ${messages.length} messages`)}\n`)
}

function interpreterOf({ python, jupyter }: ChatOptions): Interpreter | undefined {
  // The Jupyter client logs to standard output, which belongs to the chat.
  if (jupyter !== undefined) console.debug = () => undefined
  if (jupyter !== undefined)
    return jupyterInterpreter({ url: jupyter, ...(process.env.JUPYTER_TOKEN ? { token: process.env.JUPYTER_TOKEN } : {}) })
  return python ? pythonSandbox() : undefined
}

/** Tools of servers, which are started for this chat. */
async function mcpToolsOf({ mcp = [] }: ChatOptions): Promise<McpTools | undefined> {
  if (mcp.length === 0) return undefined
  const servers = Object.fromEntries(mcp.map((place, index) => [`mcp${index + 1}`, readMcpPlace(place)]))
  const opened = await openMcpTools({ servers })
  for (const note of opened.notes) process.stderr.write(`note ${printable(note)}\n`)
  return opened
}

async function toolsOf({ tools, model }: ChatOptions): Promise<readonly AgentTool[]> {
  if (typeof tools === 'string') return loadTools(tools)
  return tools !== false && modelTypeNamed(model)?.isShipped ? demoTools : []
}

/** Generation options, and the seed if replies are sampled. A server without a seed chooses one. */
function generationFor(config: ModelConfig, { maxTokens, seed: chosen, ...options }: ChatOptions & Partial<Sampling>) {
  const generation = generationOf(config, { infer_cfg: {} }, settingFlags({ ...options, maxOutLen: maxTokens }))
  if (!isSampled(config, generation)) return { generation: { ...generation, sampling: withSeed(generation.sampling, chosen) } }
  const seed = chosen ?? (isServerType(config.type) ? undefined : freshSeed())
  return { generation: { ...generation, sampling: withSeed(generation.sampling, seed) }, seed: seed ?? ('chosen by the server' as const) }
}

function withSeed({ seed: _, ...sampling }: Partial<Sampling> = {}, seed: number | undefined): Partial<Sampling> {
  return seed === undefined ? sampling : { ...sampling, seed }
}

/** Loads tools: a module's default export with functions, or JSON schemas whose results the user types. */
export async function loadTools(path: string): Promise<AgentTool[]> {
  const file = resolve(path)
  if (!existsSync(file)) throw new PromptError('no-file', { where: '--tools', problem: `${path} not found`, fix: 'check the path' })
  const isProgram = ['.ts', '.mts', '.js', '.mjs'].includes(extname(file))
  const given: unknown = isProgram ? await readModule(file, path) : parseConfigJson(readText(file, path), path)
  const list = Array.isArray(given) ? given : isDict(given) && Array.isArray(dictGet(given, 'tools')) ? dictGet(given, 'tools') : undefined
  if (!Array.isArray(list))
    throw new PromptError('bad-tools', {
      where: path,
      problem: 'not a list of tools',
      fix: 'export default [{ name, parameters, run }]',
    })
  return list.map((tool: unknown, index) => readTool(tool, `${path}[${index}]`))
}

function readTool(given: unknown, where: string): AgentTool {
  const inner = isDict(given) ? dictGet(given, 'function') : undefined
  const tool = (isDict(inner) ? inner : given) as Partial<AgentTool> | null
  if (typeof tool?.name === 'string' && tool.name !== '') return tool as AgentTool
  throw new PromptError('bad-tools', { where, problem: 'the tool has no name', fix: 'use { name, description, parameters }' })
}
