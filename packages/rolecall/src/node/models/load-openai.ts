import type { Format } from '@rolecall/core/internal/format'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { OpenModelOptions } from '../../evaluation/run/run-pairs.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import { connectOpenAI } from '../../model/openai/open-openai.ts'
import { modelHost } from './model-host.ts'

/** Options for opening a model on a server from Node. */
export type LoadOpenAIOptions = OpenModelOptions & {
  /** The folder that `tokenizer_path` is relative to. */
  folder?: string
  format?: Pick<Format, 'markers' | 'tokens'>
}

/** Opens a model on an OpenAI-compatible server; keys and proxies come from the environment. Nothing is sent yet. */
export function loadOpenAI(config: ModelConfig, { folder = '.', ...options }: LoadOpenAIOptions = {}): LanguageModel {
  return connectOpenAI(config, modelHost(folder), options)
}
