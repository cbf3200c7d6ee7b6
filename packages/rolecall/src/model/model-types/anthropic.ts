import { serverFields } from '../openai/openai-fields.ts'
import type { ModelType } from './model-type.ts'
import { serverType } from './server-type.ts'

/** A model behind Anthropic's Messages API. */
export const anthropic: ModelType<typeof serverFields> = serverType({
  name: 'anthropic',
  fields: serverFields,
  urlVariable: 'ANTHROPIC_BASE_URL',
  takesMessages: { api: "Anthropic's Messages API" },
  lacks: ({ path }) => (path ? [] : ['the name of the model, as "path"']),
  api: async () => (await import('../chat-apis/anthropic-api.ts')).anthropicApi(),
})
