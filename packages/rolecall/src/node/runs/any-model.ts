import type { ModelConfig } from '../../evaluation/config/config-schema.ts'

/** Stands for the model of a run: a server that completes and scores plain text. */
export const anyModel = {
  abbr: 'any-model',
  type: 'openai',
  path: 'any',
  base_url: 'http://127.0.0.1:1/v1',
  endpoint: 'completions',
  format: 'plain',
} satisfies ModelConfig

/** The same for a dataset: one with tools is sent as messages, since plain text cannot describe tools. */
export function anyModelFor({ reader_cfg: reader }: { reader_cfg?: unknown }): ModelConfig {
  const { tools_column: tools } = (reader ?? {}) as { tools_column?: unknown }
  if (typeof tools !== 'string') return anyModel
  const { endpoint: _endpoint, format: _format, ...chatting } = anyModel
  return { ...chatting, format: 'messages' }
}
