import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Format } from '@rolecall/core/internal/format'
import { dictEntries, dictGet, isDict, isList, PyFloat, type PyValue } from '@rolecall/core/internal/python'
import type { Piece } from '@rolecall/core/internal/text'
import { type Tokenizer, tokenize } from '@rolecall/core/internal/tokenizer'
import { z } from 'zod'
import { conversationKind } from './read-training-chat.ts'
import type { SeenStep } from './seen-branches.ts'

/** A recorded chat: its requests, and what belongs to all of them. */
export type RecordedChat = { steps: readonly SeenStep[]; facts: SeenFacts }

/** What a program recorded beside the ids. */
export type SeenFacts = { reward?: number; temperature?: number; env_name?: string }

const ids = z.array(z.number().int().nonnegative())
const recordedStep = z.object({
  prompt_ids: ids.optional(),
  prompt_token_ids: ids.optional(),
  completion_ids: ids.optional(),
  completion_token_ids: ids.optional(),
  token_ids: ids.optional(),
  logprobs: z.array(z.number()).nullish(),
  completion_logprobs: z.array(z.number()).nullish(),
})
const part = z.union([
  z.object({ text: z.string() }),
  z.object({ control: z.string() }),
  z.object({ ids }),
  z.object({ media: z.unknown() }),
])
/** A step of a chat that `/save` or `runAgent` recorded. */
const savedStep = z.object({
  prompt: z.union([
    z.object({ kind: z.literal('completion'), bos: z.enum(['in-prompt', 'tokenizer', 'none']), parts: z.array(part) }),
    z.object({ kind: z.literal('chat') }),
  ]),
  reply: z.object({ ids: ids.optional(), text: z.string() }),
})
const facts = z.object({
  reward: z.number().nullish(),
  reward_score: z.number().nullish(),
  temperature: z.number().nonnegative().nullish(),
  env_name: z.string().nullish(),
})

/** Reads a row with recorded requests; undefined for a row that is a conversation. */
export function readRecorded(row: Row, where: string, writing: { format: Format; tokenizer: Tokenizer }): RecordedChat | undefined {
  const listed = dictGet(row, 'steps')
  const own = ['prompt_ids', 'prompt_token_ids'].some((key) => isList(dictGet(row, key)))
  // A chat that a server answered has steps without ids; its messages are a conversation.
  if (!own && (!isList(listed) || listed.length === 0)) return undefined
  const steps = own ? [row] : (listed as readonly PyValue[])
  if (conversationKind(row) !== undefined && !steps.some(hasIds)) return undefined
  const known = facts.safeParse(fieldsOf(row, facts))
  const { reward, reward_score: score, temperature, env_name: name } = known.success ? known.data : bad(where, known.error)
  return {
    steps: steps.map((step, index) => readStep(step, own ? where : `${where} › steps[${index}]`, writing)),
    facts: { reward: reward ?? score ?? undefined, temperature: temperature ?? undefined, env_name: name ?? undefined },
  }
}

/** Whether a step has ids of its prompt and of its reply. */
function hasIds(step: PyValue): boolean {
  if (!isDict(step)) return false
  const has = (...keys: string[]) => keys.some((key) => isList(dictGet(step, key)))
  if (has('prompt_ids', 'prompt_token_ids') && has('completion_ids', 'completion_token_ids', 'token_ids')) return true
  const [prompt, reply] = [dictGet(step, 'prompt'), dictGet(step, 'reply')]
  return isDict(prompt) && isList(dictGet(prompt, 'parts')) && isDict(reply) && isList(dictGet(reply, 'ids'))
}

function readStep(step: PyValue, where: string, writing: { format: Format; tokenizer: Tokenizer }): SeenStep {
  const saved = savedStep.safeParse(fieldsOf(step, savedStep))
  if (saved.success) return savedIds(saved.data, where, writing)
  const recorded = recordedStep.safeParse(fieldsOf(step, recordedStep))
  if (!recorded.success) return bad(where, recorded.error)
  const { data } = recorded
  const promptIds = data.prompt_ids ?? data.prompt_token_ids
  const replyIds = data.completion_ids ?? data.completion_token_ids ?? data.token_ids
  if (promptIds === undefined || replyIds === undefined) throw noIds(where, 'there are no ids of the prompt, or none of the reply')
  const logprobs = data.logprobs ?? data.completion_logprobs ?? undefined
  if (logprobs !== undefined && logprobs.length !== replyIds.length)
    throw new PromptError('wrong-value', {
      where: `${where} › logprobs`,
      problem: `${logprobs.length} log-probabilities for ${replyIds.length} ids of the reply`,
      fix: 'give one for each sampled id, or none',
    })
  checkSize([...promptIds, ...replyIds], where, writing.tokenizer)
  return { promptIds, replyIds, logprobs }
}

function savedIds(
  { prompt, reply }: z.output<typeof savedStep>,
  where: string,
  { format, tokenizer }: Parameters<typeof readStep>[2],
): SeenStep {
  if (prompt.kind === 'chat') throw noIds(where, 'messages were sent, and only the server knows their ids')
  if (reply.ids === undefined) throw noIds(where, 'the server did not return the ids of its reply')
  const source = { by: 'format', path: 'steps' } as const
  const pieces = prompt.parts.map((part): Piece => {
    if ('ids' in part) return { ids: part.ids, source }
    if ('text' in part) return { text: part.text, control: false, source }
    if ('control' in part) return { text: part.control, control: true, source }
    throw noIds(where, 'the prompt has media, whose ids depend on the engine')
  })
  const written = { kind: 'completion', pieces, bos: prompt.bos, stop: [], notes: [] } as const
  const { ids: promptIds } = tokenize(written, tokenizer, { markers: format.markers, tokens: format.tokens })
  checkSize(reply.ids, where, tokenizer)
  return { promptIds, replyIds: reply.ids }
}

/** Ids of another tokenizer mean other text. */
function checkSize(given: readonly number[], where: string, { size, name }: Tokenizer): void {
  const wrong = size === undefined ? undefined : given.find((id) => id >= size)
  if (wrong === undefined) return
  throw new PromptError('wrong-value', {
    where,
    problem: `${wrong} is no id of the tokenizer ${name}, whose ids end at ${(size ?? 0) - 1}`,
    fix: 'give the tokenizer of the model that sampled the replies: --tokenizer',
  })
}

/** The fields of a schema as plain data. The others of a row may hold anything, NaN included. */
function fieldsOf(value: PyValue, { shape }: z.ZodObject): unknown {
  if (!isDict(value)) return plain(value)
  return Object.fromEntries(
    Object.keys(shape).flatMap((key) => {
      const field = dictGet(value, key)
      return field === undefined ? [] : [[key, plain(field)]]
    }),
  )
}

function plain(value: PyValue): unknown {
  if (value instanceof PyFloat) return value.value
  if (typeof value === 'bigint') return Number(value)
  if (isList(value)) return value.map(plain)
  return isDict(value) ? Object.fromEntries(dictEntries(value).map(([key, each]) => [key, plain(each)])) : value
}

function noIds(where: string, problem: string): PromptError {
  return new PromptError('no-ids', {
    where,
    problem,
    fix: 'record prompt_ids and completion_ids of each request (rolecall serve and vLLM return them with return_token_ids)',
  })
}

function bad(where: string, { issues }: z.ZodError): never {
  const [issue] = issues
  throw new PromptError('wrong-type', {
    where: [where, ...(issue?.path ?? [])].join(' › '),
    problem: issue?.message ?? 'this is no recorded request',
    fix: 'give { prompt_ids, completion_ids, logprobs? } for each request, or a chat saved by /save or runAgent',
  })
}
