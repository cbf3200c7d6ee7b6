import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { tokenText } from '../completions/log-probabilities.ts'
import { exactField } from '../exact-fields.ts'
import { readBody } from '../read-body.ts'
import { findModel, type PromptModel } from '../served-model.ts'
import { checkedIds, tokenizerOf } from './checked-ids.ts'
import { plainText, readChunk, readerOf, readWhole, withReasoning } from './read-generated.ts'
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
  return Response.json({
    chunk: {
      id: chunk.request_id,
      object: 'chat.completion.chunk',
      created: chunk.created ?? 0,
      model: served.name,
      choices: (choice === undefined ? [] : [choice]).map(({ index, logprobs, finish_reason: finish }) => ({
        index,
        delta: { ...role, ...withReasoning(read.delta) },
        logprobs: namedTokens(logprobs, reading.tokenizer),
        finish_reason: finishOf(finish, read.calls),
        ...(read.problems.length === 0 ? {} : { problems: read.problems }),
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
