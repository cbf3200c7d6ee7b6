import { serverFields } from '../openai/openai-fields.ts'
import type { ModelType } from './model-type.ts'
import { serverType } from './server-type.ts'

/** A model behind Gemini's API. */
export const google: ModelType<typeof serverFields> = serverType({
  name: 'google',
  fields: serverFields,
  urlVariable: 'GOOGLE_GEMINI_BASE_URL',
  takesMessages: { api: "Gemini's API" },
  lacks: ({ path }) => (path ? [] : ['the name of the model, as "path"']),
  api: async () => (await import('../chat-apis/google-api.ts')).googleApi(),
})
