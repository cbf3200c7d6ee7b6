import { ReplyReader } from '@rolecall/core/internal/reply'
import { decodeTokens, type Tokenizer } from '@rolecall/core/internal/tokenizer'
import { ApiError } from '../api-error.ts'
import { buildChatPrompt, type ChatPrompt, exactChatOf } from '../chat/chat-prompt.ts'
import type { ChatSettings } from '../chat/chat-request.ts'
import { type Delta, DeltaWriter, joinDeltas } from '../chat/delta-writer.ts'
import { tokenText } from '../completions/log-probabilities.ts'
import { exactField } from '../exact-fields.ts'
import { readBody } from '../read-body.ts'
import { findModel, type PromptModel } from '../served-model.ts'
import { tokenizerOf } from './render-routes.ts'
import {
  chatDerenderRequest,
  chatDerenderStreamRequest,
  completionDerenderRequest,
  completionDerenderStreamRequest,
  type GeneratedChoice,
} from './token-protocol.ts'

type Server = { models: readonly PromptModel[] }

/** POST /v1/chat/completions/derender: the ids of an engine as the message that a chat endpoint would have returned, whole or in chunks. */
export function derenderChatRoute(server: Server, body: string): Response {
  return isStream(body) ? derenderChatChunk(server, body) : derenderChat(server, body)
}

function derenderChat(server: Server, body: string): Response {
  const { fields: request, exact } = readBody(body, chatDerenderRequest)
  const { generate_response: generated, chat_request: settings } = request
  const served = findModel(server.models, request.model ?? generated.model)
  const reading = readerOf(served, settings, exactField(exact, 'chat_request'))
  const choices = generated.choices.map((choice) => {
    const { delta, problems, calls } = readWhole(reading, checkedIds(choice.token_ids, served))
    return {
      index: choice.index,
      message: delta,
      logprobs: namedTokens(choice.logprobs, reading.tokenizer),
      finish_reason: finishOf(choice.finish_reason, calls),
      ...(problems.length === 0 ? {} : { problems }),
    }
  })
  return Response.json({
    id: generated.request_id,
    object: 'chat.completion',
    created: generated.created ?? 0,
    model: served.name,
    choices,
    usage: usageOf(request.prompt_tokens ?? 0, generated.choices),
  })
}

/** A chunk of ids, and the state that the client carries to the next: calls are streamed, too. */
function derenderChatChunk(server: Server, body: string): Response {
  const { fields: request, exact } = readBody(body, chatDerenderStreamRequest)
  const { generate_chunk: chunk, chat_request: settings, stream_state: state } = request
  const served = findModel(server.models, request.model ?? chunk.model)
  const reading = readerOf(served, settings, exactField(exact, 'chat_request'))
  const before = state?.ids ?? []
  const [choice] = chunk.choices
  const read = readChunk(reading, checkedIds(before, served), checkedIds(choice?.token_ids ?? [], served), {
    callIds: state?.call_ids ?? [],
    isEnd: typeof choice?.finish_reason === 'string',
  })
  const role = choice !== undefined && !state?.role_sent ? { role: 'assistant' as const } : {}
  const deltas = read.deltas.map(withReasoning)
  const merged = choice === undefined ? [] : [{ ...role, ...Object.assign({}, ...mergeable(deltas)) }]
  return Response.json({
    chunk: {
      id: chunk.request_id,
      object: 'chat.completion.chunk',
      created: chunk.created ?? 0,
      model: served.name,
      choices: merged.map((delta) => ({
        index: choice?.index ?? 0,
        delta,
        logprobs: namedTokens(choice?.logprobs, reading.tokenizer),
        finish_reason: finishOf(choice?.finish_reason, read.calls),
      })),
      ...(chunk.usage ? { usage: chunkUsage(chunk.usage.completion_tokens ?? 0, request.prompt_tokens ?? 0) } : {}),
    },
    stream_state: {
      ids: [...before, ...(choice?.token_ids ?? [])],
      call_ids: read.callIds,
      role_sent: (state?.role_sent ?? false) || choice !== undefined,
    },
  })
}

/** POST /v1/completions/derender: the ids of engines as text. */
export function derenderCompletionsRoute(server: Server, body: string): Response {
  if (isStream(body)) return derenderCompletionChunk(server, body)
  const { fields: request } = readBody(body, completionDerenderRequest)
  const [first] = request.generate_responses
  const served = findModel(server.models, request.model ?? first?.model)
  const tokenizer = tokenizerOf(served)
  const generated = request.generate_responses.flatMap(({ choices }) => choices)
  const choices = generated.map(({ token_ids: ids, finish_reason: finish, logprobs }, index) => ({
    index,
    text: plainText(checkedIds(ids, served), served, tokenizer),
    logprobs: namedTokens(logprobs, tokenizer),
    finish_reason: finish ?? null,
  }))
  const prompt = (request.prompt_tokens ?? []).reduce((sum, count) => sum + count, 0)
  return Response.json({
    id: first?.request_id ?? '',
    object: 'text_completion',
    created: first?.created ?? 0,
    model: served.name,
    choices,
    usage: usageOf(prompt, generated),
  })
}

function derenderCompletionChunk(server: Server, body: string): Response {
  const { fields: request } = readBody(body, completionDerenderStreamRequest)
  const { generate_chunk: chunk, stream_state: state } = request
  const served = findModel(server.models, request.model ?? chunk.model)
  const tokenizer = tokenizerOf(served)
  const before = checkedIds(state?.ids ?? [], served)
  const [choice] = chunk.choices
  const ids = [...before, ...checkedIds(choice?.token_ids ?? [], served)]
  const isEnd = typeof choice?.finish_reason === 'string'
  const text = plainText(ids, served, tokenizer, isEnd).slice(plainText(before, served, tokenizer, false).length)
  return Response.json({
    chunk: {
      id: chunk.request_id,
      object: 'text_completion',
      created: chunk.created ?? 0,
      model: served.name,
      choices: choice === undefined ? [] : [{ index: choice.index, text, logprobs: null, finish_reason: choice.finish_reason ?? null }],
      ...(chunk.usage ? { usage: chunkUsage(chunk.usage.completion_tokens ?? 0, request.prompt_tokens ?? 0) } : {}),
    },
    stream_state: { ids, call_ids: [], role_sent: (state?.role_sent ?? false) || choice !== undefined },
  })
}

/** How replies to a request are read. Without the request nothing says what it may contain, so special tokens are hidden, as in vLLM. */
type Reading = { served: PromptModel; tokenizer: Tokenizer; prompt: ChatPrompt | undefined }

function readerOf(
  served: PromptModel,
  settings: ChatSettings | null | undefined,
  exact: Parameters<typeof exactChatOf>[0] | undefined,
): Reading {
  const prompt = settings && exact !== undefined ? buildChatPrompt(served, settings, exactChatOf(exact)) : undefined
  return { served, tokenizer: tokenizerOf(served), prompt }
}

type ReadReply = { deltas: Delta[]; problems: readonly string[]; calls: number }

function readIds({ served, tokenizer, prompt }: Reading, ids: readonly number[], isEnd: boolean): ReadReply {
  if (prompt === undefined) {
    const content = plainText(ids, served, tokenizer, isEnd)
    return { deltas: content === '' ? [] : [{ content }], problems: [], calls: 0 }
  }
  const reader = new ReplyReader({
    syntax: prompt.syntax,
    opening: prompt.opening,
    tools: prompt.tools,
    tokenizer,
    stop: prompt.prompt.stop,
    stopTexts: [],
  })
  const writer = new DeltaWriter((start, end) => reader.written.slice(start, end))
  const deltas = ids.flatMap((id) => writer.write(reader.token(id)))
  if (isEnd) {
    deltas.push(
      ...writer.write(reader.end({ text: decodeTokens(ids, tokenizer), ids, finish: 'stop' } as Parameters<typeof reader.end>[0])),
    )
    deltas.push(...writer.end())
  }
  return { deltas, problems: writer.problems, calls: writer.calls }
}

function readWhole(reading: Reading, ids: readonly number[]) {
  const { deltas, problems, calls } = readIds(reading, ids, true)
  return { delta: withReasoning(joinDeltas(deltas)), problems, calls }
}

/** What a chunk adds: everything is read again, since nothing is kept between requests. */
function readChunk(
  reading: Reading,
  before: readonly number[],
  ids: readonly number[],
  { callIds, isEnd }: { callIds: readonly string[]; isEnd: boolean },
) {
  const sent = readIds(reading, before, false).deltas.length
  const all = readIds(reading, [...before, ...ids], isEnd)
  const named = withCallIds(all.deltas, callIds)
  return { deltas: named.deltas.slice(sent), calls: all.calls, callIds: named.callIds }
}

/** Calls keep the ids that earlier chunks gave them. */
function withCallIds(deltas: readonly Delta[], known: readonly string[]): { deltas: Delta[]; callIds: string[] } {
  const callIds = [...known]
  const named = deltas.map((delta): Delta => {
    if (delta.tool_calls === undefined) return delta
    const calls = delta.tool_calls.map((call) => {
      if (call.id === undefined) return call
      callIds[call.index] ??= call.id
      return { ...call, id: callIds[call.index] }
    })
    return { ...delta, tool_calls: calls }
  })
  return { deltas: named, callIds }
}

/** One delta of several: texts are joined, calls are listed. */
function mergeable(deltas: readonly Delta[]): Delta[] {
  if (deltas.length === 0) return []
  const merged: Delta & { reasoning?: string } = {}
  for (const delta of deltas as readonly (Delta & { reasoning?: string })[]) {
    if (delta.content !== undefined) merged.content = (merged.content ?? '') + delta.content
    if (delta.reasoning_content !== undefined) merged.reasoning_content = (merged.reasoning_content ?? '') + delta.reasoning_content
    if (delta.reasoning !== undefined) merged.reasoning = (merged.reasoning ?? '') + delta.reasoning
    if (delta.tool_calls !== undefined) merged.tool_calls = [...(merged.tool_calls ?? []), ...delta.tool_calls]
  }
  return [merged]
}

/** vLLM's name for reasoning, beside that of other servers. */
function withReasoning<Message extends { reasoning_content?: string }>(message: Message): Message & { reasoning?: string } {
  return message.reasoning_content === undefined ? message : { ...message, reasoning: message.reasoning_content }
}

/** Text without the tokens of the format; `isEnd`: what is left of an incomplete character is written, too. */
function plainText(ids: readonly number[], { maker: { format } }: PromptModel, tokenizer: Tokenizer, isEnd = true): string {
  const hidden = new Set([
    ...tokenizer.addedTokens.filter(({ special }) => special).map(({ id }) => id),
    ...markerIds(format.markers, tokenizer),
  ])
  const text = decodeTokens(
    ids.filter((id) => !hidden.has(id)),
    tokenizer,
  )
  return isEnd ? text : text.replace(/\uFFFD+$/, '')
}

function markerIds(markers: readonly string[], tokenizer: Tokenizer): number[] {
  return markers.flatMap((marker) => tokenizer.idOf(marker) ?? [])
}

function checkedIds(ids: readonly number[], served: PromptModel): readonly number[] {
  const tokenizer = tokenizerOf(served)
  const { context } = served.model
  if (context !== undefined && ids.length > context)
    throw new ApiError(400, {
      message: `token_ids: ${ids.length} ids, and the context of ${served.name} has ${context}`,
      param: 'token_ids',
    })
  const unknown = ids.find((id) => tokenizer.tokenOf(id) === undefined)
  if (unknown === undefined) return ids
  throw new ApiError(400, {
    message: `token_ids: ${served.name} has no token with id ${unknown}`,
    param: 'token_ids',
    code: 'unknown_token',
  })
}

type LogProbabilities = GeneratedChoice['logprobs']

/** The texts and bytes of tokens that an engine names `token_id:N`. */
function namedTokens(given: LogProbabilities, tokenizer: Tokenizer): object | null {
  if (!given) return null
  const named = <Token extends { token: string; bytes?: readonly number[] | null | undefined }>(token: Token) => {
    const id = Number(/^token_id:(\d+)$/.exec(token.token)?.[1] ?? Number.NaN)
    if (Number.isNaN(id) || tokenizer.tokenOf(id) === undefined) return token
    return { ...token, token: tokenText(id, tokenizer), bytes: [...tokenizer.bytesOf(id)] }
  }
  return { content: given.content?.map((token) => ({ ...named(token), top_logprobs: (token.top_logprobs ?? []).map(named) })) ?? null }
}

function finishOf(finish: string | null | undefined, calls: number): string | null {
  return finish === 'stop' && calls > 0 ? 'tool_calls' : (finish ?? null)
}

function usageOf(prompt: number, choices: readonly { token_ids: readonly number[] }[]) {
  return chunkUsage(
    choices.reduce((sum, { token_ids: ids }) => sum + ids.length, 0),
    prompt,
  )
}

function chunkUsage(completion: number, prompt: number) {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

/** The literal that tells the two kinds of bodies apart; a body that is not JSON fails where it is read. */
function isStream(body: string): boolean {
  try {
    return (JSON.parse(body) as { stream?: unknown } | null)?.stream === true
  } catch {
    return false
  }
}
