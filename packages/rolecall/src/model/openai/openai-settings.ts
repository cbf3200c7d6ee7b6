import { keysIn, PromptError, secretsIn } from '@rolecall/core/internal/errors'
import type { ConstrainBy } from './constraint-fields.ts'
import { splitAddress } from './http/split-address.ts'
import type { OpenAIConfig } from './openai-fields.ts'

/** The settings of a server and its requests. */
export type OpenAISettings = {
  /** The user's name for the model. */
  name: string
  /** The server's name for it. */
  model: string
  baseUrl: string
  /** The query of every address, with its question mark; empty if there is none. */
  query: string
  key?: string
  keyName: string
  headers: Readonly<Record<string, string>>
  /** Most tokens of a prompt and its reply together; longer prompts lose their start. */
  truncateTo: number | undefined
  /** Secrets, which are never shown: the key, header values from the environment, and secrets in the config. */
  secrets: readonly string[]
  /** The secrets that are certainly keys: they are also removed from replies. */
  keys: readonly string[]
  endpoint?: 'chat' | 'completions'
  send?: 'text' | 'ids'
  stream: boolean
  sendStopIds: boolean
  sendFormatStops: boolean
  scoreBy?: 'echo' | 'prompt_logprobs'
  constrainBy: ConstrainBy
  reasoning?: Reasoning
  extraBody: Readonly<Record<string, unknown>>
  /** Fields of requests for a reply only. */
  generationBody: Readonly<Record<string, unknown>>
  concurrency: number
  requestsPerMinute?: number
  /** In milliseconds. */
  timeout: number
  retries: number
  longestWait: number
  longestDown: number
  /** Before the server was reached for the first time. */
  longestFirst: number
}

/** Where an API is, and where its address and key come from. */
export type ApiAddress = {
  /** Where it is without base_url. */
  url: string
  /** The environment variable of its address. */
  urlVariable: string
  /** The environment variables of its key; the first one that is set. */
  keyVariables: readonly [string, ...string[]]
  /** The address below which its paths lie, of one that a user gives. */
  baseOf(url: string): string
}

/** How much a model reasons before it answers. */
export type Reasoning = { effort?: string | undefined; tokens?: number | undefined }

/** Reads the settings of a model's config, under Rolecall's names or OpenCompass's; keys and addresses may come from the environment. */
export function readSettings(
  config: OpenAIConfig,
  environment: Readonly<Record<string, string | undefined>>,
  api: ApiAddress,
): OpenAISettings {
  const where = config.abbr ?? config.path ?? 'model'
  if (!config.path) {
    throw new PromptError('missing', {
      where: `${where} › path`,
      problem: "the model's name on the server is missing",
      fix: 'set path to its name',
    })
  }
  const { baseUrl, query, key: ownKey } = withoutLogin(baseUrlOf(config, environment, where, api), api)
  const keyName = config.key_env ?? api.keyVariables.find((name) => environment[name]?.trim()) ?? api.keyVariables[0]
  const key = checkedKey(environment[keyName]?.trim() || ownKey, keyName, where)
  if (key === undefined && baseUrl.startsWith(api.url)) {
    throw new PromptError('unauthorized', {
      where: `${where} › key_env`,
      problem: `${baseUrl} needs a key, but ${keyName} is not set`,
      fix: `set the environment variable ${keyName}, or base_url to the address of another server`,
    })
  }
  const headers = headersOf(config.headers ?? {}, environment, where)
  const fromEnvironment = Object.entries(config.headers ?? {}).flatMap(([name, value]) =>
    value.startsWith('$') ? [headers[name.toLowerCase()]!] : [],
  )
  const perMinute = config.requests_per_minute ?? (config.query_per_second == null ? undefined : config.query_per_second * 60)
  const seconds = (value: number | null | undefined, otherwise: number) => (value ?? otherwise) * 1000
  return {
    name: where,
    model: config.path,
    baseUrl,
    query,
    key,
    keyName,
    headers,
    truncateTo: config.truncate_to,
    keys: [...(key === undefined ? [] : [key]), ...fromEnvironment, ...keysIn(config)].flatMap(withAndWithoutScheme),
    secrets: [
      key ?? [],
      fromEnvironment,
      // A header value is a secret between us and this server, with its scheme or without. Shorter values are ordinary words, which would
      // be redacted from every message.
      [...Object.values(headers).flatMap(withAndWithoutScheme), ...secretsIn(config)].filter(({ length }) => length >= 8),
    ].flat(),
    endpoint: config.endpoint,
    send: config.send,
    stream: config.stream ?? false,
    sendStopIds: config.send_stop_ids ?? false,
    sendFormatStops: config.send_format_stops ?? true,
    scoreBy: config.score_by,
    constrainBy: config.constrain_by ?? 'response_format',
    extraBody: config.extra_body ?? {},
    generationBody: config.generation_body ?? {},
    reasoning: reasoningOf(config),
    concurrency: concurrencyOf(config),
    requestsPerMinute: perMinute,
    timeout: seconds(config.timeout, 600),
    retries: config.retries ?? config.retry ?? 6,
    longestWait: seconds(config.max_retry_wait, 60),
    longestDown: seconds(config.max_server_wait, 60),
    longestFirst: seconds(config.max_server_wait, 1),
  }
}

/** How many requests may be in flight. */
export function concurrencyOf({ concurrency, max_workers, batch_size }: ConcurrencyFields): number {
  return concurrency ?? max_workers ?? batch_size ?? 16
}

type ConcurrencyFields = Pick<OpenAIConfig, 'concurrency' | 'max_workers' | 'batch_size'>

function reasoningOf({ reasoning_effort: effort, reasoning_tokens: tokens }: OpenAIConfig): Reasoning | undefined {
  return effort === undefined && tokens === undefined ? undefined : { effort, tokens }
}

function baseUrlOf(
  config: OpenAIConfig,
  environment: Readonly<Record<string, string | undefined>>,
  where: string,
  { url: usual, urlVariable }: ApiAddress,
): URL {
  const foreign = [config.openai_api_base].flat()[0]
  const given = config.base_url ?? foreign ?? (environment[urlVariable] || usual)
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new PromptError('wrong-value', {
    where: `${where} › base_url`,
    problem: `"${given}" is not a server address`,
    fix: 'write it with http:// or https://, e.g. http://127.0.0.1:8000/v1',
  })
}

/** A login in the address becomes a header, so that it is never shown. */
function withoutLogin(url: URL, { baseOf }: ApiAddress): { baseUrl: string; query: string; key?: string } {
  const { baseUrl, query } = splitAddress(url.href)
  const key = url.password === '' ? undefined : decodeURIComponent(url.password)
  return { baseUrl: baseOf(baseUrl), query, key }
}

/** A key is sent as a header, which takes ASCII characters. */
function checkedKey(key: string | undefined, keyName: string, where: string): string | undefined {
  if (key === undefined || /^[\x20-\x7e]+$/.test(key)) return key
  throw new PromptError('bad-key', {
    where: `${where} › key_env`,
    problem: `the key in ${keyName} has characters that no key has (line breaks, letters of other scripts)`,
    fix: `set the environment variable ${keyName} to the key alone`,
  })
}

/** A value `$NAME` refers to an environment variable, for keys other than OpenAI's. */
function headersOf(
  given: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
  where: string,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const variable = /^\$([A-Za-z_]\w*)$/.exec(value)?.[1]
    const found = variable === undefined ? value : environment[variable]
    if (found === undefined) {
      throw new PromptError('missing', {
        where: `${where} › headers["${name}"]`,
        problem: `the environment variable ${variable} is not set`,
        fix: 'set it, or leave the header out',
      })
    }
    headers[name.toLowerCase()] = found
  }
  return headers
}

/** A server may echo a header, or only the part after `Bearer`. */
function withAndWithoutScheme(value: string): string[] {
  return [value, value.replace(/^\w+ /, '')]
}
