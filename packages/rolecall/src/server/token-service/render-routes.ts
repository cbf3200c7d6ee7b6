import type { Note } from '@rolecall/core/internal/errors'
import { type Prompt, promptText, type Stop } from '@rolecall/core/internal/format'
import { maskOf, modelSpans } from '@rolecall/core/internal/masks'
import type { PyValue } from '@rolecall/core/internal/python'
import { stopIds, type Tokenized, type Tokenizer, tokenize } from '@rolecall/core/internal/tokenizer'
import { chatGenerationOf } from '../../evaluation/run/ask/generation.ts'
import { stopWordsOf } from '../../evaluation/run/ask/generation-settings.ts'
import { samplingRows } from '../../model/language-model/sampling-settings.ts'
import { ApiError, badField } from '../api-error.ts'
import { buildChatPrompt, chatToRender, exactChatOf, renderForChat } from '../chat/chat-prompt.ts'
import { promptsOf, rawPrompt, stopTokens } from '../completions/raw-prompt.ts'
import { openaiOverflow, overflowCode } from '../context-overflow.ts'
import { newId } from '../new-id.ts'
import { refuseOversizedPrompt } from '../prompt-length.ts'
import { readBody } from '../read-body.ts'
import { type ConstraintRequest, constraintOf } from '../response-format.ts'
import { findModel, type PromptModel } from '../served-model.ts'
import { tokenizerOf } from './checked-ids.ts'
import { codePointOffsets } from './code-point-offsets.ts'
import { goOn } from './go-on.ts'
import { chatRenderRequest, completionRenderRequest } from './token-protocol.ts'

type Given = ReturnType<typeof chatToRender>

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
  const given = chatToRender(served, request, chat)
  const rendered = renderForChat(served, request, chat, given)
  const isComplete = request.add_generation_prompt === false && !request.continue_final_message
  const prompt = isComplete ? rendered.prompt : buildChatPrompt(served, request, chat, rendered).prompt
  if (prompt.kind === 'chat')
    throw badField('messages', `messages to ${served.name} are forwarded; only its server knows how they are rendered`, 'unsupported')
  const going = request.previous ? goOn(request.previous, request, given, served) : undefined
  const { max_completion_tokens: most, max_tokens: older } = request
  const { tokenized, ...generate } = generateRequestOf(prompt, request, served, {
    id: 'chatcmpl',
    most: most ?? older ?? chatGenerationOf(served.config).maxTokens,
    logprobs: request.logprobs ? (request.top_logprobs ?? 0) : undefined,
    offsets: request.return_token_offsets === true,
    kept: going?.ids,
  })
  const mask = request.return_assistant_tokens_mask && tokenized ? assistantMask(given, promptText(prompt), tokenized) : null
  return Response.json({ ...generate, assistant_tokens_mask: mask, ...going?.told, ...problemsOf(prompt.notes) })
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

type Rendering = {
  id: string
  most: number | undefined
  logprobs: number | undefined
  offsets: boolean
  /** Ids that go on from a reply, in place of those of the prompt. */
  kept?: readonly number[] | undefined
}

function generateRequestOf(
  prompt: CompletionPrompt,
  request: Asked,
  served: PromptModel,
  { id, most, logprobs, offsets, kept }: Rendering,
) {
  if (kept === undefined) refuseOversizedPrompt(prompt, served)
  const tokenizer = tokenizerOf(served)
  const { markers, tokens } = served.maker.format
  const tokenized = kept === undefined ? tokenize(prompt, tokenizer, { markers, tokens }) : undefined
  const ids = kept ?? tokenized?.ids ?? []
  const stops = stopsForEngine(prompt.stop, tokenizer)
  const { context } = served.model
  const room = context === undefined ? undefined : context - ids.length
  if (room !== undefined && room <= 0)
    throw new ApiError(400, {
      message: `${served.name}: ${openaiOverflow(context ?? 0, String(ids.length))}`,
      code: overflowCode,
    })
  return {
    request_id: request.request_id ? `${id}-${request.request_id}` : newId(id),
    token_ids: ids,
    token_offsets: offsets && tokenized ? offsetsOf(prompt, tokenized) : null,
    features: null,
    content_parts: null,
    sampling_params: {
      ...samplingOf(request, served),
      stop: [...new Set([...stopsOf(request.stop), ...stopWordsOf(served.config), ...stops.texts])],
      stop_token_ids: [...new Set([...(request.stop_token_ids ?? []), ...stops.ids])],
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

/** Engines compare texts with replies without special tokens: a text that is one goes among the ids. */
function stopsForEngine(stops: readonly Stop[], tokenizer: Tokenizer): { texts: string[]; ids: number[] } {
  const texts = stops.flatMap((stop) => ('text' in stop ? [stop.text] : []))
  const special = new Map(tokenizer.addedTokens.map(({ content, id }) => [content, id]))
  return {
    texts: texts.filter((text) => !special.has(text)),
    ids: [...stopIds(stops, tokenizer), ...texts.flatMap((text) => special.get(text) ?? [])],
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

/**
 * Null, as in vLLM, for a template that does not say what its model wrote, and where the render that says it has another text than the
 * prompt (a prompt may end earlier or later).
 */
function assistantMask({ maker: { format }, messages, tools }: Given, text: string, { tokens, ids }: Tokenized): (0 | 1)[] | null {
  if (!/\{%-?\s*generation\b/.test(format.template ?? '')) return null
  const written = modelSpans({ messages, tools: tools as readonly PyValue[] | undefined }, format)
  if (!text.startsWith(written.text) && !written.text.startsWith(text)) return null
  const mask = maskOf(tokens, written.spans)
  return ids.map((_, index) => mask[index] ?? 0)
}

/** What was changed, lost or guessed: engines ignore the field. */
function problemsOf(notes: readonly Note[]): object {
  return notes.length === 0 ? {} : { problems: notes.map(({ where, text }) => (where === undefined ? text : `${where}: ${text}`)) }
}

function stopsOf(stop: Asked['stop']): readonly string[] {
  return typeof stop === 'string' ? [stop] : (stop ?? [])
}

function least(most: number | undefined, room: number | undefined): number | null {
  if (most === undefined) return room ?? null
  return room === undefined ? most : Math.min(most, room)
}
