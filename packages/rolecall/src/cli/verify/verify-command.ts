import { existsSync } from 'node:fs'
import { PromptError } from '@rolecall/core/internal/errors'
import { compileFormat } from '@rolecall/core/internal/format'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { Command, InvalidArgumentError } from 'commander'
import type { GivenFormat } from '../../evaluation/config/in-format.ts'
import { type FormatFlags, formatOfFlags } from '../../node/formats/format-flags.ts'
import { readFormat, settingsOf } from '../../node/formats/read-format.ts'
import { loadTokenizer, tokenizerAt } from '../../node/models/load-tokenizer.ts'
import { nodeClient } from '../../node/models/node-client.ts'
import { isolatedTemplate } from '../../node/templates/isolated-template.ts'
import { type OurRenderer, openServer, ServerRequests, type VerifiedServer, verifyServer } from '../../workbench/verify/index.ts'
import { exitCodes, exitHelp, setExitCode } from '../exit-codes.ts'
import { withFormatFlags } from '../flags.ts'
import { printJson } from '../print-json.ts'
import { printScreen } from '../screen/print-screen.ts'
import { printWarnings } from '../terminal.ts'
import { writingOfFormat, writingOfTemplate } from './our-writing.ts'
import { verificationScreen } from './verification-screen.ts'

type Options = FormatFlags & {
  tokenizer?: string
  requests: number
  keyEnv: string
  echo: boolean
  json: boolean
}

export const verifyCommand = withFormatFlags(
  new Command('verify')
    .description('check how a running server renders and tokenises chats against a format, by default its own chat template')
    .argument('<url>', 'the address of a llama.cpp, vLLM, SGLang or Rolecall server, e.g. http://127.0.0.1:8080'),
)
  .option(
    '--tokenizer <path>',
    'compare token ids with this tokenizer: a model on a hub (ORG/NAME), a model folder, tokenizer.json, tokenizer.model or .gguf',
  )
  .option('--requests <count>', 'maximum number of requests', readCount, 120)
  .option('--key-env <name>', "the environment variable with the server's API key", 'OPENAI_API_KEY')
  .option('--echo', 'also compare with the prompt the engine really processed, by generating one token for up to four chats', false)
  .option('--json', 'print the report as JSON', false)
  .addHelpText(
    'after',
    `
Only queries how the server renders prompts: nothing is changed, and nothing is generated except with --echo and on SGLang, which reports
token counts only with a reply. The server's template runs in a separate thread with limits.

${exitHelp({ ok: 'the same', refused: 'the server cannot be queried', 'check-failed': 'differences' })}.

Examples:
  rolecall verify http://127.0.0.1:8080                                    llama.cpp against its own template
  rolecall verify http://127.0.0.1:8080 --tokenizer ./model.gguf           also token ids
  rolecall verify http://127.0.0.1:8000/v1 --chat-template ~/models/qwen3  vLLM against the model's folder
  rolecall verify http://127.0.0.1:8000 --requests 40 --json               for programs`,
  )
  .action(async (url: string, options: Options) => {
    const { client, close } = nodeClient({ connections: 1 })
    try {
      const key = process.env[options.keyEnv]
      const requests = new ServerRequests(client, rootOf(url), key ? { authorization: `Bearer ${key}` } : {}, options.requests)
      const server = await openServer(requests)
      const ours = await ourWriting(server, options)
      const found = await verifyServer(server, ours, requests, { echo: options.echo })
      const problem = `the server writes prompts differently, for ${found.byCause.length} reasons`
      const failure = found.byCause.length > 0 ? { code: 'differs', problem, exit_code: exitCodes['check-failed'].code } : undefined
      if (options.json) printJson(found, failure)
      else printScreen(verificationScreen(found))
      setExitCode(failure)
    } finally {
      await close()
    }
  })

function readCount(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('expected a number of requests, from 1')
  return count
}

/** The address without a path: information endpoints are outside OpenAI's API. */
function rootOf(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url)
    if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError()
    return `${protocol}//${host}${pathname.replace(/\/(?:v1\/?)?$/, '')}`
  } catch {
    throw new PromptError('bad-url', { where: url, problem: 'not a server address', fix: 'use e.g. http://127.0.0.1:8080' })
  }
}

/** What to compare with: the given format, else the server's template, else the model's local files. */
async function ourWriting(server: VerifiedServer, { tokenizer, ...flags }: Options): Promise<OurRenderer> {
  const format = formatOfFlags(flags)
  printWarnings(format?.notes ?? [])
  const files = server.path !== undefined && existsSync(server.path) ? server.path : undefined
  const ours = tokenizer === undefined ? usableTokenizer(format?.read.tokenizer ?? files) : tokenizerAt(tokenizer)
  if (format) return writingOfGiven(format, ours, server)
  if (server.template !== undefined)
    return writingOfTemplate(
      { source: server.template, name: 'its own template', specialTokens: server.specialTokens ?? {} },
      ours,
      isolatedTemplate,
      server.engine,
    )
  if (files !== undefined) return writingOfGiven(settingsOf(readFormat(files, { where: server.kind })), ours, server)
  throw new PromptError('no-template', {
    where: server.kind,
    problem: "the server does not provide its template, and the model's files are not on this machine",
    fix: 'set the model folder or another format with --format',
  })
}

/** A chat template is rendered as the server does it, other formats as Rolecall does. */
function writingOfGiven({ name, model }: GivenFormat, tokenizer: Tokenizer | undefined, { engine }: VerifiedServer): OurRenderer {
  const { chat_template: source, special_tokens: specialTokens = {} } = model
  if (source === undefined) return writingOfFormat(compileFormat(model, new Set()), name, tokenizer)
  return writingOfTemplate({ source, name, specialTokens }, tokenizer, isolatedTemplate, engine)
}

/** The tokenizer next to a format; without one, ids are not compared. */
function usableTokenizer(path: string | undefined): Tokenizer | undefined {
  if (path === undefined) return undefined
  try {
    return loadTokenizer(path)
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}
