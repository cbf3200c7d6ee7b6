import type { Note } from '@rolecall/core/internal/errors'
import { isDict, JsonSyntaxError, type PyValue, parseJson } from '@rolecall/core/internal/python'
import type { ReplyCall } from '@rolecall/core/internal/reply'
import { BadReply } from './http/http-client.ts'

/** A part of a reply, or the whole of it: what a server's JSON says, in one shape for both endpoints, streamed or not. */
export type ServerReplyPart = {
  /** Set if the part says nothing about the answer: an event that only counts tokens. */
  hasNoChoice?: true
  /** The stream is complete. */
  isLast?: true
  text: string
  /** The text is a text, even if an empty one: not null, and not missing. */
  hasText: boolean
  reasoning: string
  calls: readonly PartialCall[]
  ids?: readonly number[]
  logProbabilities?: readonly number[]
  /** The tokens of a chat with their log-probabilities, as the server describes them. */
  describedTokens?: readonly unknown[]
  finish?: string
  /** The text that stopped the reply, if the server reports it. */
  stoppedBy?: string
  refusal?: string
  /** What else the server says about the reply. */
  notes?: readonly Note[]
  usage?: { prompt: number; reused: number; reply: number }
}

/** Calls are streamed in parts: those with the same index belong together. */
export type PartialCall = { index: number; id?: string; name?: string; arguments?: string }

const noCalls: readonly PartialCall[] = []

/** A part that says nothing about the answer. */
export const emptyPart: ServerReplyPart = { hasNoChoice: true, text: '', hasText: false, reasoning: '', calls: noCalls }

/** The end of a stream. */
export const lastPart: ServerReplyPart = { ...emptyPart, isLast: true }

/** Parses the JSON of a reply or of one event of a stream. By hand, because a schema would take longer than everything else. */
export function readReplyPart(json: string): ServerReplyPart {
  const value = parsed(json)
  const choices = field(value, 'choices')
  if (!Array.isArray(choices)) throw misshapen('choices', choices, json)
  const choice: unknown = choices[0] ?? undefined
  if (choice !== undefined && !isObject(choice)) throw misshapen('choices[0]', choice)
  const failure = field(choice, 'error')
  if (failure !== undefined) throw answeredError(failure)
  const isWhole = field(choice, 'message') !== undefined
  const message = field(choice, 'message') ?? field(choice, 'delta')
  const place = `choices[0].${isWhole ? 'message' : 'delta'}`
  if (message !== undefined && !isObject(message)) throw misshapen(place, message)
  const text = field(choice, 'text') ?? field(message, 'content')
  if (text !== undefined && typeof text !== 'string') throw misshapen(message === undefined ? 'choices[0].text' : `${place}.content`, text)
  const reasoning = field(message, 'reasoning_content') ?? field(message, 'reasoning')
  const finish = field(choice, 'finish_reason')
  const stoppedBy = field(choice, 'stop_reason')
  const refusal = field(message, 'refusal')
  const ids = field(choice, 'token_ids')
  const logprobs = field(choice, 'logprobs')
  const called = field(message, 'function_call')
  // The older field has one call.
  const calls = field(message, 'tool_calls') ?? (called === undefined ? undefined : [{ function: called }])
  if (calls !== undefined && !Array.isArray(calls)) throw misshapen(`${place}.tool_calls`, calls)
  const usage = field(value, 'usage')
  const logProbabilities = logprobs === undefined ? undefined : logProbabilitiesIn(logprobs)
  const described = logprobs === undefined ? undefined : field(logprobs, 'content')
  // Field by field: this is a hot path.
  return {
    hasNoChoice: choice === undefined ? true : undefined,
    text: text ?? '',
    hasText: text !== undefined,
    reasoning: typeof reasoning === 'string' ? reasoning : '',
    calls: Array.isArray(calls) ? calls.map((call, index) => partialCall(call, index, place)) : noCalls,
    ids: Array.isArray(ids) && ids.every(Number.isInteger) ? (ids as number[]) : undefined,
    logProbabilities,
    describedTokens: Array.isArray(described) ? (described as unknown[]) : undefined,
    finish: typeof finish === 'string' && finish !== '' ? finish : undefined,
    stoppedBy: typeof stoppedBy === 'string' ? stoppedBy : undefined,
    refusal: typeof refusal === 'string' && refusal !== '' ? refusal : undefined,
    usage:
      usage === undefined
        ? undefined
        : {
            prompt: countIn(usage, 'prompt_tokens'),
            reused: countIn(field(usage, 'prompt_tokens_details'), 'cached_tokens'),
            reply: countIn(usage, 'completion_tokens'),
          },
  }
}

/** Reads a whole reply: it must have an answer, even if it is empty. */
export function readWholeReply(json: string): ServerReplyPart {
  const part = readReplyPart(json)
  if (part.hasNoChoice) throw new BadReply(`its answer has no choices: ${json.slice(0, 200)}`)
  if (!isAnswer(part)) throw new BadReply(noAnswer(part.hasText, part.finish))
  return part
}

/** The ends of a reply that explain why it has no text, also no empty one. */
const reasonsForNone: ReadonlySet<string> = new Set(['length', 'max_tokens', 'content_filter', 'refusal'])

/**
 * Whether a reply, or the parts of a stream together, is an answer of the model, which may be wrong: it has text, reasoning, calls or a refusal,
 * or is empty for a reason: an empty text that ended, or no text at an end that explains it. All else is a failure of the server, which says
 * nothing about the model. The table is in docs/servers.md.
 */
export function isAnswer({ text, hasText, reasoning, calls, refusal, finish }: ServerReplyPart): boolean {
  if (text !== '' || reasoning !== '' || calls.length > 0 || refusal !== undefined) return true
  return finish !== undefined && (hasText || reasonsForNone.has(finish))
}

/** What a reply without an answer says of itself. */
export function noAnswer(hasText: boolean, finish: string | undefined, reason = 'finish_reason'): string {
  const content = hasText ? 'its content is ""' : 'its content is null or missing'
  return `its answer has neither text nor tool calls: ${content}, and ${reason} is ${JSON.stringify(finish ?? null)}`
}

export function misshapen(place: string, value: unknown, json = `${place} is ${JSON.stringify(value)}`): BadReply {
  return new BadReply(`its answer is not of the API's shape: ${json.slice(0, 200)}`)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field of an object; undefined if it is null or not in an object. */
export function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return (value as Record<string, unknown>)[key] ?? undefined
}

export function countIn(value: unknown, key: string): number {
  const count = field(value, key)
  return typeof count === 'number' ? count : 0
}

/** JSON from a server; an error object is a bad reply, unless it may have one. */
export function parsed(json: string, mayHave?: 'an error of one request'): unknown {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new BadReply(json.trim() === '' ? 'its answer is empty' : `its answer is not JSON: ${json.slice(0, 200)}`)
  }
  if (mayHave === undefined && typeof value === 'object' && value !== null && 'error' in value && value.error) {
    throw answeredError(value.error)
  }
  return value
}

/** A reply as `parsed` takes it, with exact numbers; it may be nested too deeply for them. */
export function parsedExactly(json: string): PyValue {
  try {
    return parseJson(json)
  } catch (error) {
    throw error instanceof JsonSyntaxError ? new BadReply(`its answer cannot be read: ${error.message}`) : error
  }
}

export function answeredError(error: unknown): BadReply {
  return new BadReply(`it answered with an error: ${JSON.stringify(error).slice(0, 300)}`)
}

function partialCall(call: unknown, place: number, message: string): PartialCall {
  const called = field(call, 'function')
  // A call without a name is a mistake of the model, and something that is no call one of the server.
  const isCall = isObject(call) && (isObject(called) || ['id', 'index', 'custom'].some((key) => field(call, key) !== undefined))
  if (!isCall) throw misshapen(`${message}.tool_calls[${place}]`, call)
  const [index, id, name, given] = [field(call, 'index'), field(call, 'id'), field(called, 'name'), field(called, 'arguments')]
  return {
    index: typeof index === 'number' ? index : place,
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    ...(given === undefined ? {} : { arguments: typeof given === 'string' ? given : JSON.stringify(given) }),
  }
}

/** Chat returns a list of tokens, completions a list of values. */
function logProbabilitiesIn(logprobs: unknown): readonly number[] | undefined {
  const content = field(logprobs, 'content')
  const values: unknown = Array.isArray(content) ? content.map((token) => field(token, 'logprob')) : field(logprobs, 'token_logprobs')
  return Array.isArray(values) && values.every((value) => typeof value === 'number') ? values : undefined
}

/** Assembles calls from their parts. A model's mistakes are data. */
export function joinCalls(parts: readonly PartialCall[], clean: (text: string) => string = (text) => text): ReplyCall[] {
  if (parts.length === 0) return []
  const byIndex = new Map<number, { id?: string; name: string; text: string }>()
  for (const { index, id, name = '', arguments: text = '' } of parts) {
    const call = byIndex.get(index) ?? { name: '', text: '' }
    byIndex.set(index, { ...call, ...(id === undefined ? {} : { id }), name: call.name + name, text: call.text + text })
  }
  return [...byIndex.values()].map(({ id, name, text: written }): ReplyCall => {
    const text = clean(written)
    // It is not part of the remaining text.
    const at = [0, 0] as const
    if (name === '') return { kind: 'malformed', error: 'no-name', raw: text, problem: 'the call names no tool', at }
    try {
      const read = text.trim() === '' ? {} : parseJson(text)
      if (isDict(read)) return { kind: 'call', name, arguments: read, argumentsText: text, ...(id === undefined ? {} : { id }), at }
      return { kind: 'malformed', error: 'malformed', raw: text, problem: 'the arguments are not a JSON object', name, at }
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error
      return { kind: 'malformed', error: 'malformed', raw: text, problem: `the arguments are not JSON (${error.message})`, name, at }
    }
  })
}
