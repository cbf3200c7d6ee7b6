import { batchFields, serverFields } from '../openai/openai-fields.ts'
import type { ModelType } from './model-type.ts'
import { serverType } from './server-type.ts'

const fields = { ...serverFields, ...batchFields }

/** A model behind Anthropic's Messages API. */
export const anthropic: ModelType<typeof fields> = serverType({
  name: 'anthropic',
  fields,
  urlVariable: 'ANTHROPIC_BASE_URL',
  takesMessages: { api: "Anthropic's Messages API" },
  lacks: ({ path }) => (path ? [] : ['the name of the model, as "path"']),
  batches: async () => (await import('../batch/anthropic-batches.ts')).anthropicBatches,
  api: async () => (await import('../chat-apis/anthropic-api.ts')).anthropicApi(),
})
