import { z } from 'zod'
import { BadReply } from '../../http/bad-reply.ts'
import type { ReplyCall } from '../../parse/reply.ts'
import { isDict, JsonSyntaxError, parseJson } from '../../python/index.ts'

/** A part of a reply, or the whole of it: what a server's JSON says, in one shape for both endpoints, streamed or not. */
export type ReplyPart = {
  text: string
  reasoning: string
  calls: readonly PartialCall[]
  ids?: readonly number[]
  logProbabilities?: readonly number[]
  finish?: string
  refusal?: string
  usage?: { prompt: number; reused: number; reply: number }
}

/** Calls come in parts, too: those with one index belong together. */
export type PartialCall = { index: number; id?: string; name?: string; arguments?: string }

const callSchema = z.looseObject({
  index: z.int().nullish(),
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.unknown().optional() }).nullish(),
})

const messageSchema = z.looseObject({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.unknown().optional(),
  tool_calls: z.array(callSchema).nullish(),
})

const choiceSchema = z.looseObject({
  text: z.string().nullish(),
  message: messageSchema.nullish(),
  delta: messageSchema.nullish(),
  finish_reason: z.string().nullish(),
  token_ids: z.array(z.int()).nullish(),
  logprobs: z.unknown().optional(),
})

const count = z.number().nullish()
const replySchema = z.looseObject({
  choices: z.array(choiceSchema),
  usage: z
    .looseObject({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.looseObject({ cached_tokens: count }).nullish(),
    })
    .nullish(),
})

/** Reads the JSON of a reply or of one event of a stream. */
export function readReplyPart(json: string): ReplyPart {
  const value = parsed(json)
  const read = replySchema.safeParse(value)
  if (!read.success) throw new BadReply(`its answer is not of the API's shape: ${json.slice(0, 200)}`)
  const { choices, usage } = read.data
  const choice = choices[0]
  const message = choice?.message ?? choice?.delta
  const reasoning = message?.reasoning_content ?? message?.reasoning
  const logProbabilities = logProbabilitiesIn(choice?.logprobs)
  return {
    text: choice?.text ?? message?.content ?? '',
    reasoning: typeof reasoning === 'string' ? reasoning : '',
    calls: (message?.tool_calls ?? []).map(partialCall),
    ...(choice?.token_ids ? { ids: choice.token_ids } : {}),
    ...(logProbabilities ? { logProbabilities } : {}),
    ...(choice?.finish_reason ? { finish: choice.finish_reason } : {}),
    ...(message?.refusal ? { refusal: message.refusal } : {}),
    ...(usage
      ? {
          usage: {
            prompt: usage.prompt_tokens ?? 0,
            reused: usage.prompt_tokens_details?.cached_tokens ?? 0,
            reply: usage.completion_tokens ?? 0,
          },
        }
      : {}),
  }
}

/** JSON from a server; an error in place of an answer is a bad reply. */
export function parsed(json: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new BadReply(json.trim() === '' ? 'its answer is empty' : `its answer is no JSON: ${json.slice(0, 200)}`)
  }
  if (typeof value === 'object' && value !== null && 'error' in value && value.error) {
    throw new BadReply(`it answered with an error: ${JSON.stringify(value.error).slice(0, 300)}`)
  }
  return value
}

function partialCall({ index, id, function: called }: z.output<typeof callSchema>, place: number): PartialCall {
  const { name, arguments: given } = called ?? {}
  const text = given === undefined || given === null ? undefined : typeof given === 'string' ? given : JSON.stringify(given)
  return { index: index ?? place, ...(id ? { id } : {}), ...(name ? { name } : {}), ...(text === undefined ? {} : { arguments: text }) }
}

const chatTokens = z.looseObject({ content: z.array(z.looseObject({ logprob: z.number() })) })
const completionTokens = z.looseObject({ token_logprobs: z.array(z.number()) })

function logProbabilitiesIn(logprobs: unknown): readonly number[] | undefined {
  if (logprobs === null || logprobs === undefined) return undefined
  const chat = chatTokens.safeParse(logprobs)
  if (chat.success) return chat.data.content.map(({ logprob }) => logprob)
  const completion = completionTokens.safeParse(logprobs)
  return completion.success ? completion.data.token_logprobs : undefined
}

/** Puts the parts of calls together. What a model wrote wrongly is data, here as everywhere. */
export function joinCalls(parts: readonly PartialCall[]): ReplyCall[] {
  const byIndex = new Map<number, { id?: string; name: string; text: string }>()
  for (const { index, id, name = '', arguments: text = '' } of parts) {
    const call = byIndex.get(index) ?? { name: '', text: '' }
    byIndex.set(index, { ...call, ...(id === undefined ? {} : { id }), name: call.name + name, text: call.text + text })
  }
  return [...byIndex.values()].map(({ id, name, text }): ReplyCall => {
    // It stood nowhere in the text that is left.
    const at = [0, 0] as const
    if (name === '') return { kind: 'malformed', error: 'no-name', raw: text, problem: 'the call names no tool', at }
    try {
      const read = text.trim() === '' ? {} : parseJson(text)
      if (isDict(read)) return { kind: 'call', name, arguments: read, argumentsText: text, ...(id === undefined ? {} : { id }), at }
      return { kind: 'malformed', error: 'malformed', raw: text, problem: 'the arguments are no JSON object', name, at }
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error
      return { kind: 'malformed', error: 'malformed', raw: text, problem: `the arguments are no JSON (${error.message})`, name, at }
    }
  })
}
