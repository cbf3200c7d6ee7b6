import type { Note } from '@rolecall/core/internal/errors'
import { type Sampling, type SamplingRow, samplingRows } from '../language-model/sampling-settings.ts'

/** How requests are adapted to a model's server, learnt from what it refused. */
export type ServerHabits = { readonly lengthField: string; readonly streamOptions: boolean; readonly omitted: readonly string[] }

type NamingApi = { nameOf(row: SamplingRow): string | undefined }

/** Fields that a model may refuse, and what happens without them. */
function optionalFields({ nameOf }: NamingApi): Readonly<Record<string, string>> {
  const named = samplingRows.flatMap((row) => {
    const name = nameOf(row)
    return name === undefined ? [] : [[name, row.refused] as const]
  })
  return { ...Object.fromEntries(named), stop: 'replies are cut at stop sequences after they were generated' }
}

const refusal =
  /unsupported|not supported|(?:doesn't|does not|do not) support|only the default|may only be|not permitted|not allowed|cannot both be|deprecated|unrecognized|unexpected|unknown|extra (?:inputs|fields)/i

/**
 * What a refusal teaches: reasoning models require the limit under another name and refuse sampling fields; some servers do not know
 * stream_options. A server refuses every request in flight, so whether it is news depends on the fields of that request.
 */
export function lessonIn(message: string, used: ServerHabits, api: NamingApi): Partial<ServerHabits> | undefined {
  if (used.lengthField === 'max_tokens' && (message.includes('max_completion_tokens') || names(message, 'max_tokens')))
    return { lengthField: 'max_completion_tokens' }
  if (used.streamOptions && message.includes('stream_options')) return { streamOptions: false }
  const field = Object.keys(optionalFields(api)).find((one) => !used.omitted.includes(one) && names(message, one))
  return field === undefined ? undefined : { omitted: [...used.omitted, field] }
}

/** Whether a message refuses a field by its name: "'temperature' does not support 0", "top_p is not supported". */
function names(message: string, field: string): boolean {
  const named = new RegExp(
    `['"\`]${field}['"\`]|(?:parameters?|argument supplied):? ${field}\\b|(?<![\\w.])${field}(?: parameter)?(?: is| are|:) `,
  )
  return refusal.test(message) && named.test(message)
}

/** The adaptations, recorded with every reply. */
export function habitNotes({ lengthField, omitted }: ServerHabits, model: string, api: NamingApi): Note[] {
  if (omitted.length === 0 && lengthField !== 'max_completion_tokens') return []
  const without = optionalFields(api)
  const texts = omitted.map((field) => `${model} refuses ${field}, which is not sent: ${without[field]}`)
  if (lengthField === 'max_completion_tokens')
    texts.unshift(`${model} refuses max_tokens: the limit is sent as ${lengthField}, which includes reasoning`)
  return texts.map((text) => ({ code: 'adapted-request', text }))
}

/** Ollama's port. Its OpenAI-compatible API ignores fields that are not OpenAI's, without an error. */
const ollamaPort = '11434'

/** Names settings of a request that the server at an address is known to ignore. The address is read once, not for every row. */
export function ignoredNotesOf(baseUrl: string): (sampling?: Partial<Sampling>) => Note[] {
  if (new URL(baseUrl).port !== ollamaPort) return () => []
  return (sampling = {}) => {
    const ignored = samplingRows.filter(({ field, neutral, wire }) => wire.openai === undefined && (sampling[field] ?? neutral) !== neutral)
    return ignored.map(({ name }) => ({
      code: 'ignored-setting',
      text: `Ollama ignores ${name} in requests to its OpenAI-compatible API: set it in the Modelfile`,
    }))
  }
}
