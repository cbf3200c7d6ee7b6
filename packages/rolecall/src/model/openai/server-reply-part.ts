import { isDict, JsonSyntaxError, parseJson } from '@rolecall/core/internal/python'
import type { ReplyCall } from '@rolecall/core/internal/reply'
import { BadReply } from './http/http-client.ts'

/** A part of a reply, or the whole of it: what a server's JSON says, in one shape for both endpoints, streamed or not. */
export type ServerReplyPart = {
  /** Set if the part says nothing about the answer: an event that only counts tokens. */
  hasNoChoice?: true
  text: string
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
  usage?: { prompt: number; reused: number; reply: number }
}

/** Calls are streamed in parts: those with the same index belong together. */
export type PartialCall = { index: number; id?: string; name?: string; arguments?: string }

const noCalls: readonly PartialCall[] = []

/** Parses the JSON of a reply or of one event of a stream. By hand, because a schema would take longer than everything else. */
export function readReplyPart(json: string): ServerReplyPart {
  const value = parsed(json)
  const choices = field(value, 'choices')
  if (!Array.isArray(choices)) throw new BadReply(`its answer is not of the API's shape: ${json.slice(0, 200)}`)
  const choice: unknown = choices[0] ?? undefined
  const message = field(choice, 'message') ?? field(choice, 'delta')
  const text = field(choice, 'text') ?? field(message, 'content') ?? ''
  if (typeof text !== 'string') throw new BadReply(`its answer is not of the API's shape: ${json.slice(0, 200)}`)
  const reasoning = field(message, 'reasoning_content') ?? field(message, 'reasoning')
  const finish = field(choice, 'finish_reason')
  const stoppedBy = field(choice, 'stop_reason')
  const refusal = field(message, 'refusal')
  const ids = field(choice, 'token_ids')
  const logprobs = field(choice, 'logprobs')
  const called = field(message, 'function_call')
  // The older field has one call.
  const calls = field(message, 'tool_calls') ?? (called === undefined ? undefined : [{ function: called }])
  const usage = field(value, 'usage')
  const logProbabilities = logprobs === undefined ? undefined : logProbabilitiesIn(logprobs)
  const described = logprobs === undefined ? undefined : field(logprobs, 'content')
  // Field by field: this is a hot path.
  return {
    hasNoChoice: choice === undefined ? true : undefined,
    text,
    reasoning: typeof reasoning === 'string' ? reasoning : '',
    calls: calls === undefined ? noCalls : callsIn(calls),
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
  return part
}

/** A field of an object; undefined if it is null or not in an object. */
function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return (value as Record<string, unknown>)[key] ?? undefined
}

function countIn(value: unknown, key: string): number {
  const count = field(value, key)
  return typeof count === 'number' ? count : 0
}

/** JSON from a server; an error object is a bad reply. */
export function parsed(json: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new BadReply(json.trim() === '' ? 'its answer is empty' : `its answer is not JSON: ${json.slice(0, 200)}`)
  }
  if (typeof value === 'object' && value !== null && 'error' in value && value.error) {
    throw new BadReply(`it answered with an error: ${JSON.stringify(value.error).slice(0, 300)}`)
  }
  return value
}

/** A server's mistakes are data as well: a call that is not in a list, or no object. */
function callsIn(calls: unknown): readonly PartialCall[] {
  return Array.isArray(calls) ? calls.map(partialCall) : [partialCall(calls, 0)]
}

function partialCall(call: unknown, place: number): PartialCall {
  if (typeof call !== 'object' || call === null) return { index: place, arguments: JSON.stringify(call) }
  const called = field(call, 'function')
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
