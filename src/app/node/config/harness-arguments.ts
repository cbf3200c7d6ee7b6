import { suggestName } from '../../../base/errors/nearest.ts'
import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { floatOf, type PyValue } from '../../../base/python/index.ts'
import type { ModelConfig } from '../../../evaluation/config/config-schema.ts'

/** `--model-args` by name. */
export type ModelArguments = ReadonlyMap<string, PyValue>

/** What arguments of a server change in the requests of tasks. */
export type ReplyArguments = {
  /** The length of replies to tasks that set none. */
  defaultLength?: number
  /** A text that ends replies besides those of the task. */
  stop?: string
}

/** Arguments that are settings of a server here. */
const settingNames = { num_concurrent: 'concurrency', max_retries: 'retries', timeout: 'timeout' } as const

const readNames = [
  ...['model', 'pretrained', 'base_url', 'tokenizer', 'add_bos_token', 'max_gen_toks', 'eos_string', 'max_length'],
  ...['tokenizer_backend', 'tokenized_requests'],
  ...Object.keys(settingNames),
]

/** Arguments of lm-evaluation-harness that change neither requests nor scores here. */
const harmlessNames = [
  ...['batch_size', 'max_batch_size', 'trust_remote_code', 'revision', 'use_fast_tokenizer'],
  ...['max_images', 'device', 'dtype'],
]

/** Arguments that would change what is sent, and what to write instead. */
const replacedNames: Readonly<Record<string, string>> = {
  seed: 'no seed is sent with greedy replies; sampled ones have the seed of the model in a config',
  truncate: 'max_length cuts prompts that are too long',
  think_end_token: 'reasoning is separated from every reply',
  custom_prefix_token_id: 'an empty context is conditioned on BOS, or on EOS where there is no BOS',
  verify_certificate: 'certificates are always checked; NODE_EXTRA_CA_CERTS names a file with further authorities',
  ca_cert_path: 'set the environment variable NODE_EXTRA_CA_CERTS to this file',
}

/** The default of `max_length` in the harness. */
const defaultMaxLength = 2048

/** The settings of a server that arguments give. With a tokenizer, the harness sends token ids and cuts what is longer than `max_length`. */
export function serverSettings(given: ModelArguments, hasTokenizer: boolean): ModelConfig {
  refuseKeys(given)
  const length = positiveInteger(given, 'max_length')
  const sendsText = given.get('tokenized_requests') === false
  const numbers = Object.entries(settingNames).flatMap(([key, name]) => {
    const number = positiveInteger(given, key)
    return number === undefined ? [] : [[name, number] as const]
  })
  return {
    ...Object.fromEntries(numbers),
    // The harness keeps one token for the reply.
    ...(hasTokenizer && !sendsText
      ? { truncate_to: Math.max((length ?? defaultMaxLength) - 1, 1) }
      : length === undefined
        ? {}
        : { max_seq_len: length }),
    ...(hasTokenizer && sendsText ? { send: 'text' } : {}),
  }
}

/** What arguments change in the requests of tasks; like the harness, `eos_string` counts only if requests are sent one by one. */
export function replyArguments(given: ModelArguments): ReplyArguments {
  const defaultLength = positiveInteger(given, 'max_gen_toks')
  const stop = given.get('eos_string')
  return {
    ...(defaultLength === undefined ? {} : { defaultLength }),
    ...(typeof stop === 'string' && stop !== '' && isOneByOne(given) ? { stop } : {}),
  }
}

/** A note for each argument that is not read. */
export function unreadArguments(given: ModelArguments): Note[] {
  const note = (key: string, text: string): Note => ({ code: 'unread-argument', where: `--model-args › ${key}`, text })
  return [...given.keys()].flatMap((key) => {
    if (key === 'eos_string' && !isOneByOne(given))
      return [note(key, 'it is not read: with num_concurrent above 1, the harness does not send it either; write --gen_kwargs until=TEXT')]
    if (readNames.includes(key)) return []
    if (harmlessNames.includes(key)) return [note(key, 'it is not read; it does not change prompts or scores here')]
    if (Object.hasOwn(replacedNames, key)) return [note(key, `it is not read: ${replacedNames[key]}`)]
    return [note(key, `it is not known and not read: ${suggestName(key, readNames)}`)]
  })
}

/** Keys of servers would be in records and in the command that resumes a run. */
function refuseKeys(given: ModelArguments): void {
  const key = ['header', 'auth_token', 'api_key'].find((name) => given.has(name))
  if (key === undefined) return
  throw new PromptError('unsafe-argument', {
    where: `--model-args › ${key}`,
    problem: 'keys on the command line are not read, as arguments are recorded with the run',
    fix: 'set the environment variable OPENAI_API_KEY, or write headers with "$NAME" of a variable in a config',
  })
}

function isOneByOne(given: ModelArguments): boolean {
  return (positiveInteger(given, 'num_concurrent') ?? 1) === 1
}

function positiveInteger(given: ModelArguments, key: string): number | undefined {
  const value = given.get(key)
  if (value === undefined) return undefined
  const number = floatOf(value)
  if (number !== undefined && Number.isInteger(number) && number > 0) return number
  throw new PromptError('bad-number', {
    where: `--model-args › ${key}`,
    problem: 'it is not a positive integer',
    fix: `write ${key}=4`,
  })
}
