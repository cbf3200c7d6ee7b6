import { plain } from '@rolecall/core/internal/text'
import { tokenize } from '@rolecall/core/internal/tokenizer'
import { samplingRows } from '../../model/language-model/sampling-settings.ts'
import type { ApiError } from '../api-error.ts'
import type { AnsweredChat } from '../chat/answer-chat.ts'
import { overflowCode } from '../context-overflow.ts'
import type { ServedModel } from '../served-model.ts'
import type { OutputItem } from './response-memory.ts'
import type { ResponsesRequest } from './responses-request.ts'

/** Known before anything is generated. */
export type ResponseBase = { id: string; created_at: number; model: string }

export type ResponseState =
  | { status: 'in_progress' }
  | { status: 'failed'; error: ApiError; output: readonly OutputItem[] }
  | { status: 'completed' | 'incomplete'; done: AnsweredChat; output: readonly OutputItem[]; thoughts: string }

/** A response object of the API: the request's settings and the state. */
export function describeResponse(base: ResponseBase, request: ResponsesRequest, served: ServedModel, state: ResponseState) {
  const isDone = 'done' in state
  return {
    ...base,
    object: 'response' as const,
    status: state.status,
    background: false,
    error: state.status === 'failed' ? failureOf(state.error) : null,
    incomplete_details: state.status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    output: 'output' in state ? state.output : [],
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    reasoning: { effort: request.reasoning?.effort ?? null, summary: request.reasoning?.summary ?? null },
    store: request.store ?? true,
    ...samplingOf(request),
    text: { format: request.text?.format ?? { type: 'text' } },
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    truncation: 'disabled',
    usage: isDone ? usageOf(state.done, state.thoughts, served) : null,
    metadata: request.metadata ?? {},
    ...(isDone && state.done.problems ? { problems: state.done.problems } : {}),
  }
}

/** The settings of OpenAI's API whether they are set or not, and the others that are. */
function samplingOf(request: ResponsesRequest): Record<string, number | null> {
  return Object.fromEntries(
    samplingRows.flatMap(({ name, wire: { responses } }) => {
      const value = request[name] ?? null
      return responses === undefined && value === null ? [] : [[responses ?? name, value]]
    }),
  )
}

/** Responses have one error code for the server and one for the client. */
function failureOf({ status, message, code }: ApiError) {
  // Codex compacts its conversation at this code.
  if (code === overflowCode) return { code, message }
  return { code: status >= 500 ? 'server_error' : 'invalid_prompt', message }
}

function usageOf({ tokens: { prompt, reused, reply } }: AnsweredChat, thoughts: string, served: ServedModel) {
  const reasoning = thoughts === '' ? 0 : countText(thoughts, served)
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: reused },
    output_tokens: reply,
    // Omitted without a tokenizer.
    ...(reasoning === undefined ? {} : { output_tokens_details: { reasoning_tokens: Math.min(reasoning, reply) } }),
    total_tokens: prompt + reply,
  }
}

function countText(text: string, { model: { tokenizer }, maker: { format } }: ServedModel): number | undefined {
  const pieces = [plain(text, { by: 'model', path: 'reasoning' })]
  const prompt = { kind: 'completion', pieces, bos: 'none', stop: [], notes: [] } as const
  return tokenizer && tokenize(prompt, tokenizer, { markers: format.markers }).ids.length
}
