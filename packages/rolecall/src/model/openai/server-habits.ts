import type { Note } from '@rolecall/core/internal/errors'

/** How requests are adapted to a model's server, learnt from what it refused. */
export type ServerHabits = { readonly lengthField: string; readonly streamOptions: boolean; readonly omitted: readonly OptionalField[] }

/** Fields that a model may refuse, and what happens without them. */
const optionalFields = {
  temperature: 'it samples with its own temperature, so that replies may differ from run to run',
  top_p: 'it samples with its own top_p',
  presence_penalty: 'there is no presence penalty',
  frequency_penalty: 'there is no frequency penalty',
  seed: 'replies may differ from run to run',
  stop: 'replies are cut at stop sequences after they were generated',
} as const

export type OptionalField = keyof typeof optionalFields

const refusal =
  /unsupported|not supported|(?:doesn't|does not|do not) support|only the default|may only be|not permitted|not allowed|deprecated|unrecognized|unexpected|unknown|extra (?:inputs|fields)/i

/**
 * What a refusal teaches: reasoning models require the limit under another name and refuse sampling fields; some servers do not know
 * stream_options. A server refuses every request in flight, so whether it is news depends on the fields of that request.
 */
export function lessonIn(message: string, used: ServerHabits): Partial<ServerHabits> | undefined {
  if (used.lengthField === 'max_tokens' && (message.includes('max_completion_tokens') || names(message, 'max_tokens')))
    return { lengthField: 'max_completion_tokens' }
  if (used.streamOptions && message.includes('stream_options')) return { streamOptions: false }
  const field = (Object.keys(optionalFields) as OptionalField[]).find((one) => !used.omitted.includes(one) && names(message, one))
  return field && { omitted: [...used.omitted, field] }
}

/** Whether a message refuses a field by its name: "'temperature' does not support 0", "top_p is not supported". */
function names(message: string, field: string): boolean {
  const named = new RegExp(`['"\`]${field}['"\`]|parameters?:? ${field}\\b|(?<![\\w.])${field}(?: parameter)?(?: is| are|:) `)
  return refusal.test(message) && named.test(message)
}

/** The adaptations, recorded with every reply. */
export function habitNotes({ lengthField, omitted }: ServerHabits, model: string): Note[] {
  return [
    ...(lengthField === 'max_tokens'
      ? []
      : [{ code: 'adapted-request', text: `${model} refuses max_tokens: the limit is sent as ${lengthField}, which includes reasoning` }]),
    ...omitted.map((field) => ({
      code: 'adapted-request',
      text: `${model} refuses ${field}, which is not sent: ${optionalFields[field]}`,
    })),
  ]
}
