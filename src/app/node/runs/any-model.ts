import type { ModelConfig } from '../../../evaluation/config/config-schema.ts'

/** Stands for the model of a run: a server that completes and scores plain text. */
export const anyModel = {
  abbr: 'any-model',
  type: 'openai',
  path: 'any',
  base_url: 'http://127.0.0.1:1/v1',
  endpoint: 'completions',
  format: 'plain',
} satisfies ModelConfig
