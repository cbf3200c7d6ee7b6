import { openaiFields } from '../openai/openai-fields.ts'
import type { ModelType } from './model-type.ts'
import { serverType } from './server-type.ts'

/** A model on an OpenAI-compatible server. */
export const openai: ModelType<typeof openaiFields> = serverType({
  name: 'openai',
  classes: ['OpenAI', 'OpenAISDK'],
  fields: openaiFields,
  urlVariable: 'OPENAI_BASE_URL',
  lacks: ({ path, base_url: url }) =>
    !path && !url ? ['the name that the server has for the model, as "path"; with base_url, the server is asked'] : [],
  batches: async () => (await import('../batch/openai-batches.ts')).openaiBatches,
  // Servers hide special tokens by default, including those that start calls and reasoning.
  withFormat: { extra_body: { skip_special_tokens: false } },
})
