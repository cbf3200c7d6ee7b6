import { check } from '../base/errors/check.ts'
import { PromptError } from '../base/errors/prompt-error.ts'
import * as z from '../base/schema/schema.ts'
import type { ChatMessage } from '../prompt/conversation/chat-message.ts'
import type { Tokenizer } from '../prompt/tokenizer/tokenizer.ts'

/** What is known about a sampled reply besides its ids. */
export type SampledReply = {
  /** The log-probability of each id. */
  logprobs?: readonly number[]
  /** The reply as a message of the chat, if the program reads replies itself; by default it is read as `parseReply` does. */
  message?: ChatMessage
}

const sampledReplySchema = z.strictObject({
  logprobs: z.optional(z.custom<readonly number[]>(Array.isArray, 'expected a list of numbers')),
  message: z.optional(
    z.custom<ChatMessage>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'expected a message'),
  ),
} satisfies { readonly [Key in keyof Required<SampledReply>]: z.FieldSchemas[string] })

/** A sampled reply is what a trainer learns from: nothing in it is guessed. */
export function checkSampled(ids: readonly number[], options: SampledReply, tokenizer: Tokenizer): void {
  check(sampledReplySchema, options, 'session.reply › options › ')
  checkIds(ids, tokenizer)
  if (options.logprobs !== undefined) checkLogprobs(options.logprobs, ids.length)
}

function checkIds(ids: readonly number[], tokenizer: Tokenizer): void {
  const where = 'session.reply › ids'
  if (!Array.isArray(ids))
    throw new PromptError('wrong-type', { where, problem: 'this is not a list of ids', fix: 'give the sampled token ids' })
  const { size = Number.POSITIVE_INFINITY } = tokenizer
  const wrong = ids.findIndex((id) => !Number.isInteger(id) || id < 0 || id >= size)
  if (wrong < 0) return
  throw new PromptError('wrong-value', {
    where: `${where}[${wrong}]`,
    problem: `${String(ids[wrong])} is no id of the tokenizer ${tokenizer.name}${Number.isFinite(size) ? `, whose ids end at ${size - 1}` : ''}`,
    fix: 'give the ids that this model sampled: those of another tokenizer mean other text',
  })
}

function checkLogprobs(logprobs: readonly number[], count: number): void {
  const where = 'session.reply › logprobs'
  if (logprobs.length !== count)
    throw new PromptError('wrong-value', {
      where,
      problem: `${logprobs.length} log-probabilities for ${count} ids`,
      fix: 'give one for each sampled id, or none',
    })
  const wrong = logprobs.findIndex((value) => !Number.isFinite(value) || value > 0)
  if (wrong < 0) return
  throw new PromptError('wrong-value', {
    where: `${where}[${wrong}]`,
    problem: `${String(logprobs[wrong])} is no log-probability`,
    fix: 'give finite numbers that are not above 0',
  })
}
