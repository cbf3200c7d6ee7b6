import type { Note } from '@rolecall/core/internal/errors'
import { PromptError, suggestName } from '@rolecall/core/internal/errors'
import { floatOf, type PyValue, truthy } from '@rolecall/core/internal/python'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { readSettings } from '../tasks/key-values.ts'

/** `--model-args` by name. */
export type ModelArguments = ReadonlyMap<string, PyValue>

/** What arguments of a server change in the requests of tasks. */
export type ReplyArguments = {
  /** The length of replies to tasks that set none. */
  defaultLength?: number
  /** A text that ends replies besides those of the task. */
  stop?: string
}

/** How a server is asked: with messages or text, and whether the tokens of prompts are known here. */
type ServerUse = { chat: boolean; hasTokenizer: boolean }

/** Arguments that are settings of a server here. */
const settingNames = { num_concurrent: 'concurrency', max_retries: 'retries', timeout: 'timeout' } as const

const readNames = [
  ...['model', 'pretrained', 'base_url', 'tokenizer', 'tokenizer_backend', 'tokenized_requests', 'revision', 'add_bos_token'],
  ...['max_gen_toks', 'eos_string', 'max_length'],
  ...Object.keys(settingNames),
]

/** Arguments of lm-evaluation-harness that change neither requests nor scores here. */
const harmlessNames = ['batch_size', 'max_batch_size', 'trust_remote_code', 'use_fast_tokenizer', 'device', 'dtype']

/** Arguments that would change what is sent, and what to write instead. */
const replacedNames: Readonly<Record<string, string>> = {
  seed: 'no seed is sent with greedy replies; sampled ones have the seed of the model in a config',
  truncate: 'max_length cuts prompts that are too long',
  max_images: 'all images of a document are sent',
  think_end_token: 'reasoning is separated from every reply',
  custom_prefix_token_id: 'an empty context is conditioned on BOS, or on EOS where there is no BOS',
  verify_certificate: 'certificates are always checked; NODE_EXTRA_CA_CERTS names a file with additional certificate authorities',
  ca_cert_path: 'set the environment variable NODE_EXTRA_CA_CERTS to this file',
}

/** The default of `max_length` in the harness. */
const defaultMaxLength = 2048

/** The arguments in `--model-args`, which must not have keys: they would be in records and in the command that resumes a run. */
export function modelArguments(text: string | undefined): Map<string, PyValue> {
  const given = text === undefined ? new Map<string, PyValue>() : readSettings(text, '--model-args')
  for (const [name, value] of given) {
    const isLogin = name === 'base_url' && typeof value === 'string' && /^\w+:\/\/[^/]*@/.test(value)
    const isKey = !readNames.includes(name) && !Object.hasOwn(replacedNames, name) && /key|token$|secret|header|auth|passw/i.test(name)
    if (!isKey && !isLogin) continue
    throw new PromptError('unsafe-argument', {
      where: `--model-args › ${name}`,
      problem: `arguments are recorded with the run, so ${isLogin ? 'an address with a login' : 'a key'} is refused`,
      fix: 'set the environment variable OPENAI_API_KEY, or write headers with "$NAME" of a variable in a config',
    })
  }
  return given
}

/** The settings of a server that arguments give. */
export function serverSettings(given: ModelArguments, use: ServerUse): ModelConfig {
  const numbers = Object.entries(settingNames).flatMap(([key, name]) => {
    const number = positiveInteger(given, key)
    return number === undefined ? [] : [[name, number] as const]
  })
  return {
    ...Object.fromEntries(numbers),
    // The harness keeps one token for the reply.
    ...(sendsIds(given, use) ? { truncate_to: Math.max((positiveInteger(given, 'max_length') ?? defaultMaxLength) - 1, 1) } : {}),
    ...(use.hasTokenizer && !use.chat && !sendsIds(given, use) ? { send: 'text' } : {}),
  }
}

function sendsIds(given: ModelArguments, { chat, hasTokenizer }: ServerUse): boolean {
  return hasTokenizer && !chat && isTrue(given, 'tokenized_requests', true)
}

/** What arguments change in the requests of tasks; like the harness, `eos_string` counts only if requests are sent one by one. */
export function replyArguments(given: ModelArguments): ReplyArguments {
  const defaultLength = positiveInteger(given, 'max_gen_toks')
  const stop = textAt(given, 'eos_string')
  return {
    ...(defaultLength === undefined ? {} : { defaultLength }),
    ...(stop !== undefined && isOneByOne(given) ? { stop } : {}),
  }
}

/** The tokenizer that is named, with its revision on a hub. */
export function tokenizerName(given: ModelArguments): { tokenizer: string; revision: string | undefined } | undefined {
  const backend = given.get('tokenizer_backend')
  const tokenizer = textAt(given, 'tokenizer')
  const isNone = backend === null || (typeof backend === 'string' && /^none$/i.test(backend))
  return tokenizer === undefined || isNone ? undefined : { tokenizer, revision: textAt(given, 'revision') }
}

/** A note for each argument that is not read. */
export function unreadArguments(given: ModelArguments, use: ServerUse): Note[] {
  return [...given].flatMap(([key, value]) => {
    const why = whyUnread(key, value, given, use)
    return why === undefined ? [] : [{ code: 'unread-argument', where: `--model-args › ${key}`, text: why }]
  })
}

function whyUnread(key: string, value: PyValue, given: ModelArguments, use: ServerUse): string | undefined {
  if (key === 'eos_string' && !isOneByOne(given))
    return 'it is not read: with num_concurrent above 1, the harness does not send it either; write --gen_kwargs until=TEXT'
  if (key === 'max_length' && !sendsIds(given, use)) return 'it is not read: only prompts that are sent as token ids are truncated'
  if (key === 'add_bos_token' && !use.hasTokenizer && isTrue(given, key, false))
    return 'it is not read without a tokenizer: the server adds BOS to text as its own tokenizer does'
  if (key === 'tokenizer' && use.chat && !use.hasTokenizer) return 'it is not read: the server writes messages as its own template does'
  if (key === 'tokenizer_backend' && !use.hasTokenizer && (value === 'remote' || value === 'tiktoken'))
    return 'it is not read: prompts are sent as text; tokenizer=PATH sends token ids'
  if (readNames.includes(key)) return undefined
  if (harmlessNames.includes(key)) return 'it is not read; it does not change prompts or scores here'
  if (Object.hasOwn(replacedNames, key)) return `it is not read: ${replacedNames[key]}`
  return `it is not known and not read: ${suggestName(key, readNames)}`
}

/** Whether a setting is true, as Python takes it. */
export function isTrue(given: ModelArguments, key: string, otherwise: boolean): boolean {
  const value = given.get(key)
  return value === undefined ? otherwise : truthy(value)
}

/** The harness takes 0 for one at a time. */
function isOneByOne(given: ModelArguments): boolean {
  return (positiveInteger(given, 'num_concurrent') ?? 1) === 1
}

function textAt(given: ModelArguments, key: string): string | undefined {
  const value = given.get(key) ?? undefined
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  throw new PromptError('bad-argument', {
    where: `--model-args › ${key}`,
    problem: 'it is not a text',
    fix: `write ${key}=TEXT, or leave it out`,
  })
}

function positiveInteger(given: ModelArguments, key: string): number | undefined {
  const value = given.get(key)
  if (value === undefined) return undefined
  const number = floatOf(value)
  if (number === 0 && key === 'num_concurrent') return 1
  if (number !== undefined && Number.isSafeInteger(number) && number > 0) return number
  throw new PromptError('bad-number', {
    where: `--model-args › ${key}`,
    problem: 'it is not a positive integer',
    fix: `write an integer, or leave ${key} out`,
  })
}
