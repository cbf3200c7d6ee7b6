import { contentPart } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import { refuseNewerTranscript, type Transcript } from 'rolecall/internal/model/agent/transcript'
import { z } from 'zod'

const text = z.string()
const part = z.custom<PyValue>((value) => contentPart(value as PyValue) !== undefined)
const call = z.union([
  z.looseObject({ id: text.optional(), code_interpreter: z.looseObject({ input: text }) }),
  z.looseObject({ id: text.optional(), function: z.looseObject({ name: text, arguments: z.unknown() }) }),
  z.looseObject({ id: text.optional(), name: text, arguments: z.unknown() }),
])
const message = z.looseObject({
  role: text,
  name: text.optional(),
  tool_call_id: text.optional(),
  content: z.union([text, z.array(part)]).nullish(),
  reasoning_content: text.nullish(),
  tool_calls: z.array(call).nullish(),
})
const savedPart = z.union([
  z.looseObject({ text }),
  z.looseObject({ control: text }),
  z.looseObject({ ids: z.array(z.number()) }),
  z.looseObject({ media: z.looseObject({ kind: z.enum(['image', 'audio', 'video', 'file']), url: text }) }),
])
const step = z.looseObject({
  prompt: z.union([
    z.looseObject({ kind: z.literal('completion'), parts: z.array(savedPart) }),
    z.looseObject({ kind: z.literal('chat'), messages: z.array(z.unknown()) }),
  ]),
  reply: z.looseObject({ text, finish: text, tokens: z.looseObject({ prompt: z.number(), reply: z.number() }) }),
})

/** The part of a saved conversation that the page reads. */
const transcript = z.looseObject({
  model: text.optional(),
  format: text.optional(),
  tools: z.array(z.unknown()).optional(),
  interpreter: z.boolean().optional(),
  messages: z.array(message),
  steps: z.array(step).optional(),
})

/** Validates a saved conversation, which is untrusted; errors name their location. */
export function checkTranscript(given: unknown): Partial<Transcript> {
  refuseNewerTranscript(given, 'the file')
  const { success, error } = transcript.safeParse(given)
  if (success) return given as Partial<Transcript>
  const issue = error.issues[0]!
  const where = issue.path.map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`)).join('')
  throw new PromptError('no-conversation', {
    where: where === '' ? 'the file' : where,
    problem: issue.code === 'invalid_union' ? 'this is none of the forms that it may have' : issue.message,
    fix: 'give a transcript that `rolecall chat` or an agent saved',
  })
}
