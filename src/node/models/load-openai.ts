import type { ModelConfig } from '../../config/config-schema.ts'
import type { Format } from '../../format/format.ts'
import type { LanguageModel } from '../../model/language-model.ts'
import { openOpenAI } from '../../model/openai/open-openai.ts'
import { readSettings } from '../../model/openai/settings.ts'
import type { OpenModelOptions } from '../../run/run-pairs.ts'
import { nodeClient } from './http-client.ts'
import { tokenizerOf } from './tokenizer-of.ts'

export type LoadOpenAIOptions = OpenModelOptions & {
  /** What `tokenizer_path` is relative to. */
  folder?: string
  format?: Pick<Format, 'markers' | 'tokens'>
}

/** Opens a model on an OpenAI-compatible server; keys and proxies come from the environment. Nothing is sent yet. */
export function loadOpenAI(config: ModelConfig, { folder = '.', ...options }: LoadOpenAIOptions = {}): LanguageModel {
  const environment = process.env
  const { concurrency } = readSettings(config, environment)
  const { client, close } = nodeClient({ connections: options.workers ?? concurrency, environment })
  return openOpenAI(config, { ...options, environment, client, close, tokenizer: tokenizerOf(config, folder) })
}
