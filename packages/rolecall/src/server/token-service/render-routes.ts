import type { Prompt, Stop } from '@rolecall/core/internal/format'
import { continueChat, maskOf, modelSpans } from '@rolecall/core/internal/masks'
import type { PyValue } from '@rolecall/core/internal/python'
import { stopIds, type Tokenized, type Tokenizer, tokenize } from '@rolecall/core/internal/tokenizer'
import type { z } from 'zod'
import { chatGenerationOf } from '../../evaluation/run/ask/generation.ts'
import { stopWordsOf } from '../../evaluation/run/ask/generation-settings.ts'
import { samplingRows } from '../../model/language-model/sampling-settings.ts'
import { ApiError, badField } from '../api-error.ts'
import { buildChatPrompt, type ExactChat, exactChatOf } from '../chat/chat-prompt.ts'
import { withPlainParts } from '../chat/plain-parts.ts'
import { promptsOf, rawPrompt, stopTokens } from '../completions/raw-prompt.ts'
import { openaiOverflow, overflowCode } from '../context-overflow.ts'
import { newId } from '../new-id.ts'
import { refuseOversizedPrompt } from '../prompt-length.ts'
import { readBody } from '../read-body.ts'
import { type ConstraintRequest, constraintOf } from '../response-format.ts'
import { findModel, type PromptModel } from '../served-model.ts'
import { checkedIds, tokenizerOf } from './checked-ids.ts'
import { codePointOffsets } from './code-point-offsets.ts'
import { chatRenderRequest, completionRenderRequest } from './token-protocol.ts'

type CompletionPrompt = Prompt & { kind: 'completion' }

/** What a request for a reply says besides its prompt; both kinds of requests have these fields. */
type Asked = {
  request_id?: string | null | undefined
  stop?: string | readonly string[] | null | undefined
  stop_token_ids?: readonly number[] | null | undefined
  min_tokens?: number | null | undefined
  n?: number | null | undefined
  stream?: boolean | null | undefined
  stream_options?: object | null | undefined
  cache_salt?: string | null | undefined
  priority?: number | null | undefined
} & ConstraintRequest

/** POST /v1/chat/completions/render: the request of an engine for the reply to a chat. */
export function renderChatRoute(server: { models: readonly PromptModel[] }, body: string): Response {
  const { fields: request, exact } = readBody(body, chatRenderRequest)
  const served = findModel(server.models, request.model)
  const chat = exactChatOf(exact)
  const prompt =
    request.add_generation_prompt === false && !request.continue_final_message
      ? served.maker.render(chat, { want: 'complete' })
      : buildChatPrompt(served, request, chat).prompt
  if (prompt.kind === 'chat')
    throw badField('messages', `messages to ${served.name} are forwarded; only its server knows how they are rendered`, 'unsupported')
  const { max_completion_tokens: most, max_tokens: older } = request
  const logprobs = request.logprobs ? (request.top_logprobs ?? 0) : undefined
  const rendered = generateRequestOf(prompt, request, served, {
    id: 'chatcmpl',
    most: most ?? older ?? chatGenerationOf(served.config).maxTokens,
    logprobs,
    offsets: request.return_token_offsets === true,
  })
  const { tokenized, ...generate } = rendered
  if (request.previous)
    return Response.json({ ...generate, assistant_tokens_mask: null, ...continued(request.previous, chat, served), ...problemsOf(prompt) })
  const mask = request.return_assistant_tokens_mask ? assistantMask(chat, served, tokenized) : null
  return Response.json({ ...generate, assistant_tokens_mask: mask, ...problemsOf(prompt) })
}

type Previous = NonNullable<z.output<typeof chatRenderRequest>['previous']>

/** The ids of a chat whose last reply was sampled: those seen so far, and what follows; without a reply, the rendered ones. */
function continued(
  { token_ids: promptIds, completion_token_ids: replyIds }: Previous,
  { messages, tools }: ExactChat,
  served: PromptModel,
): object {
  const place = messages.findLastIndex(({ role }) => role === 'assistant')
  const reply = messages[place]
  if (reply === undefined) throw badField('previous', 'the messages have no reply that its ids could be', 'unsupported')
  const tokenizer = tokenizerOf(served)
  const chat = { messages: withPlainParts(messages.slice(0, place)), tools: tools as readonly PyValue[] | undefined, promptIds, replyIds }
  const next = withPlainParts(messages.slice(place + 1))
  const result = continueChat(chat, reply, next, { format: served.maker.format, tokenizer, rewrites: 'as-seen' })
  return result.isAppended ? { token_ids: result.ids, departures: result.departures } : { fork: result.why }
}

/** POST /v1/completions/render: one request for each prompt. */
export function renderCompletionsRoute(server: { models: readonly PromptModel[] }, body: string): Response {
  const { fields: request } = readBody(body, completionRenderRequest)
  const served = findModel(server.models, request.model)
  const logprobs = typeof request.logprobs === 'number' ? request.logprobs : request.logprobs ? 0 : undefined
  const eos = served.model.tokenizer?.eos
  const all = promptsOf(request).map((given, index) => {
    const stops: Stop[] = stopTokens(eos === undefined ? [] : [eos])
    const prompt = rawPrompt(given, { index, stops, addSpecialTokens: request.add_special_tokens ?? true }, served)
    const offsets = request.return_token_offsets === true && typeof given === 'string'
    const { tokenized: _, ...generate } = generateRequestOf(prompt, request, served, {
      id: 'cmpl',
      most: request.max_tokens ?? 16,
      logprobs,
      offsets,
    })
    return { ...generate, assistant_tokens_mask: null }
  })
  return Response.json(all)
}

type Rendering = { id: string; most: number | undefined; logprobs: number | undefined; offsets: boolean }

function generateRequestOf(prompt: CompletionPrompt, request: Asked, served: PromptModel, { id, most, logprobs, offsets }: Rendering) {
  refuseOversizedPrompt(prompt, served)
  const tokenizer = tokenizerOf(served)
  const { markers, tokens } = served.maker.format
  const tokenized = tokenize(prompt, tokenizer, { markers, tokens })
  const { context } = served.model
  const room = context === undefined ? undefined : context - tokenized.ids.length
  if (room !== undefined && room <= 0)
    throw new ApiError(400, {
      message: `${served.name}: ${openaiOverflow(context ?? 0, String(tokenized.ids.length))}`,
      code: overflowCode,
    })
  return {
    request_id: request.request_id ? `${id}-${request.request_id}` : newId(id),
    token_ids: tokenized.ids,
    token_offsets: offsets ? offsetsOf(prompt, tokenized) : null,
    features: null,
    content_parts: null,
    sampling_params: {
      ...samplingOf(request, served),
      stop: [...stopsOf(request.stop), ...stopWordsOf(served.config)],
      stop_token_ids: [...new Set([...(request.stop_token_ids ?? []), ...stopIds(prompt.stop, tokenizer)])],
      bad_words: [],
      max_tokens: least(most, room),
      ...(logprobs === undefined ? {} : { logprobs }),
      output_kind: request.stream ? 1 : 2,
      skip_clone: true,
      skip_reading_prefix_cache: false,
    },
    model: served.name,
    stream: request.stream ?? false,
    stream_options: request.stream_options ?? null,
    cache_salt: request.cache_salt ?? null,
    priority: request.priority ?? 0,
    kv_transfer_params: null,
    ec_transfer_params: null,
    tokenized,
  }
}

/** Of the request, else of the model's config; defaults are left out. */
function samplingOf(request: Asked, { config }: PromptModel): Record<string, unknown> {
  const given = request as Record<string, unknown>
  const { sampling } = chatGenerationOf(config)
  const set = samplingRows.flatMap(({ name, field }) => {
    const value = given[name] ?? sampling[field]
    return value === undefined || value === null ? [] : [[name, value] as const]
  })
  const { min_tokens: least, n } = request
  return {
    ...Object.fromEntries(set),
    ...(least ? { min_tokens: least } : {}),
    ...(n === undefined || n === null || n === 1 ? {} : { n }),
    ...structuredOf(request),
  }
}

function structuredOf(request: Asked): object {
  const constraint = constraintOf(request)
  switch (constraint?.kind) {
    case 'json-object':
      return { structured_outputs: { json_object: true } }
    case 'json-schema':
      return { structured_outputs: { json: constraint.schema } }
    case 'pattern':
      return { structured_outputs: { regex: constraint.pattern } }
    case 'choice':
      return { structured_outputs: { choice: constraint.choices } }
    default:
      return {}
  }
}

/** The ranges of tokens as Python counts characters. */
function offsetsOf(prompt: CompletionPrompt, { tokens }: Tokenized): [number, number][] | null {
  if (prompt.pieces.some((piece) => !('text' in piece))) return null
  const text = prompt.pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
  const offsets = codePointOffsets(text)
  return tokens.map(({ span: [start, end] }) => [offsets[start] ?? 0, offsets[end] ?? 0])
}

/** Null, as in vLLM, for a template that does not say what its model wrote. */
function assistantMask(chat: ExactChat, { maker: { format } }: PromptModel, { tokens, ids }: Tokenized): (0 | 1)[] | null {
  if (!/\{%-?\s*generation\b/.test(format.template ?? '')) return null
  const spans = modelSpans({ messages: withPlainParts(chat.messages), tools: chat.tools as never }, format)
  const mask = maskOf(tokens, spans)
  return ids.map((_, index) => mask[index] ?? 0)
}

/** What was changed, lost or guessed: engines ignore the field. */
function problemsOf({ notes }: Prompt): object {
  return notes.length === 0 ? {} : { problems: notes.map(({ where, text }) => (where === undefined ? text : `${where}: ${text}`)) }
}

function stopsOf(stop: Asked['stop']): readonly string[] {
  return typeof stop === 'string' ? [stop] : (stop ?? [])
}

function least(most: number | undefined, room: number | undefined): number | null {
  if (most === undefined) return room ?? null
  return room === undefined ? most : Math.min(most, room)
}
