import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import type { LanguageModel } from '../language-model/language-model.ts'
import { fetchClient } from './http/fetch-client.ts'
import type { HttpClient } from './http/http-client.ts'
import type { ReadMedia } from './inline-media.ts'
import { openaiApi } from './openai-api.ts'
import type { OpenAIConfig } from './openai-fields.ts'
import { readSettings } from './openai-settings.ts'
import { type ServerModelParts, serverModel } from './server-model.ts'
import type { WireApi } from './wire-api.ts'

/** How a model on an OpenAI-compatible server is opened. */
export type OpenAIOptions = Partial<Omit<ServerModelParts, 'api' | 'settings'>> & {
  /** Where keys and OPENAI_BASE_URL come from; a browser has none. */
  environment?: Readonly<Record<string, string | undefined>>
  /** Number of concurrent requests, overriding the config. */
  workers?: number
}

/**
 * Opens a model on an OpenAI-compatible server, anywhere: by `fetch` unless another HTTP client is given. In Node, `loadOpenAI`
 * takes keys and proxies from the environment and costs a quarter of the time. Nothing is sent yet.
 *
 * @example
 * const text = async () => '{"choices": [{"message": {"content": "2"}, "finish_reason": "stop"}]}'
 * const client = async () => ({ status: 200, header: () => undefined, text, async *chunks() {}, discard() {} })
 * const model = openOpenAI({ path: 'qwen3-8b', base_url: 'http://127.0.0.1:8000/v1' }, { client })
 * const messages = [{ role: 'user', content: [plain('1+1=?', { by: 'message', path: 'messages[0]' })] }]
 * const reply = await model.generate({ kind: 'chat', messages, stop: [], notes: [] }, { maxTokens: 8 })
 * reply.text // => '2'
 */
export function openOpenAI(config: OpenAIConfig, options: OpenAIOptions = {}): LanguageModel {
  return openServerModel(openaiApi, config, options)
}

/** As `openOpenAI`, on a server of any API. */
export function openServerModel(
  api: WireApi,
  config: OpenAIConfig,
  { environment = {}, workers, client = fetchClient(), ...parts }: OpenAIOptions = {},
): LanguageModel {
  const settings = readSettings(config, environment, api)
  return serverModel({ ...parts, api, client, settings: workers === undefined ? settings : { ...settings, concurrency: workers } })
}

/** What the machine that opens a model provides: environment variables, connections, tokenizers. */
export type OpenAIHost = {
  environment: Readonly<Record<string, string | undefined>>
  connect(connections: number): { client: HttpClient; close: () => Promise<void> }
  tokenizerOf(config: OpenAIConfig): Tokenizer | undefined
  /** Reads a file of media as a data URI, in ASCII. */
  readMedia?: ReadMedia
}

/** The same with the host's keys, connections and tokenizer. */
export function connectOpenAI(
  config: OpenAIConfig,
  { environment, connect, tokenizerOf, readMedia }: OpenAIHost,
  options: Pick<OpenAIOptions, 'format' | 'workers' | 'onWait' | 'sharedPace'> = {},
  api: WireApi = openaiApi,
): LanguageModel {
  const { concurrency } = readSettings(config, environment, api)
  const { client, close } = connect(options.workers ?? concurrency)
  return openServerModel(api, config, { ...options, environment, client, close, readMedia, tokenizer: tokenizerOf(config) })
}
