import type { Note } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { bodyOf, toolsJson } from '@rolecall/core/internal/format'
import { requestName } from '../language-model/sampling-settings.ts'
import { constraintFields } from './constraint-fields.ts'
import { generationFields } from './request-body.ts'
import type { ServerHabits } from './server-habits.ts'
import { lastPart, readReplyPart, readWholeReply } from './server-reply-part.ts'
import type { WireApi } from './wire-api.ts'

const habits: ServerHabits = { lengthField: 'max_tokens', streamOptions: true, omitted: [] }

const none: readonly Note[] = []
const noReasoningTokens: readonly Note[] = [
  {
    code: 'ignored-setting',
    text: "OpenAI's API has no reasoning_tokens, which is not sent: reasoning_effort says how much the model reasons",
  },
]

const reader = {
  whole: readWholeReply,
  event: (data: string) => (data === '[DONE]' ? lastPart : readReplyPart(data)),
}

/** OpenAI's chat completions and completions, and those of servers compatible with them. */
export const openaiApi: WireApi = {
  title: "OpenAI's API",
  url: 'https://api.openai.com/v1',
  urlVariable: 'OPENAI_BASE_URL',
  keyVariables: ['OPENAI_API_KEY'],
  // OpenCompass gives the full address of the endpoint.
  baseOf: (url) => url.replace(/\/(chat\/)?completions$/, '').replace(/\/+$/, ''),
  headers: (key): Readonly<Record<string, string>> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  takesText: true,
  path: (kind) => (kind === 'chat' ? '/chat/completions' : '/completions'),
  // OpenAI takes four stops.
  mostStops: (baseUrl) => (/\.(openai|azure)\.com$/.test(new URL(baseUrl).hostname) ? 4 : Number.POSITIVE_INFINITY),
  nameOf: requestName,
  habits,
  chat: (prompt, _, body) => ({ said: saidInChat(prompt, body), notes: [] }),
  fields({ options, stops, stream, habits: { lengthField, streamOptions, omitted }, settings: { model, constrainBy, name, reasoning } }) {
    const { max_tokens, stream_options, ...fields } = generationFields(model, options, stops.sent, stream)
    const constrained = constraintFields(options.constraint, constrainBy, name)
    const refused = Object.fromEntries(omitted.map((field) => [field, undefined]))
    return {
      ...fields,
      ...(reasoning?.effort === undefined ? {} : { reasoning_effort: reasoning.effort }),
      ...constrained,
      ...options.forwarded,
      [lengthField]: max_tokens,
      ...(streamOptions ? { stream_options } : {}),
      ...refused,
    }
  },
  ignored: (_, { reasoning }) => (reasoning?.tokens === undefined ? none : noReasoningTokens),
  checkConstraint: (constraint, { constrainBy, name }) => void constraintFields(constraint, constrainBy, name),
  reader: () => reader,
}

/** The prompt as the first field of a request: messages exactly as they are shown and hashed. */
function saidInChat(prompt: Prompt & { kind: 'chat' }, body = bodyOf(prompt)): string {
  const tools = prompt.tools && prompt.tools.length > 0 ? `,"tools":${toolsJson(prompt.tools)}` : ''
  return `"messages":${body}${tools}`
}
