import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { LanguageModel } from '../language-model/language-model.ts'
import type { ModelHost, OpenOptions } from '../model-types/model-type.ts'
import { fetchClient } from './http/fetch-client.ts'
import { type OpenAIParts, openaiModel } from './openai-model.ts'
import { readSettings } from './settings.ts'

/** How a model on an OpenAI-compatible server is opened. */
export type OpenAIOptions = Partial<Omit<OpenAIParts, 'settings'>> & {
  /** Where keys and OPENAI_BASE_URL are; a browser has none. */
  environment?: Readonly<Record<string, string | undefined>>
  /** How many requests at once, whatever the config says. */
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
export function openOpenAI(
  config: ModelConfig,
  { environment = {}, workers, client = fetchClient(), ...parts }: OpenAIOptions = {},
): LanguageModel {
  const settings = readSettings(config, environment)
  return openaiModel({ ...parts, client, settings: workers === undefined ? settings : { ...settings, concurrency: workers } })
}

/** The same with the keys, the connections and the tokenizer that a host has. */
export function connectOpenAI(
  config: ModelConfig,
  { environment, connect, tokenizerOf }: Pick<ModelHost, 'environment' | 'connect' | 'tokenizerOf'>,
  options: Partial<Omit<OpenOptions, 'host'>> = {},
): LanguageModel {
  const { concurrency } = readSettings(config, environment)
  const { client, close } = connect(options.workers ?? concurrency)
  return openOpenAI(config, { ...options, environment, client, close, tokenizer: tokenizerOf(config) })
}
