import type { Prompt } from '@rolecall/core/internal/format'
import { promptText } from '@rolecall/core/internal/format'
import type { PyValue } from '@rolecall/core/internal/python'
import { control, plain, type Source } from '@rolecall/core/internal/text'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { decodeTokens, tokenize } from '@rolecall/core/internal/tokenizer'
import type { z } from 'zod'
import { ApiError, badField } from '../api-error.ts'
import { buildChatPrompt, exactChatOf } from '../chat/chat-prompt.ts'
import { tokenText } from '../completions/log-probabilities.ts'
import { refuseOversizedPrompt } from '../prompt-length.ts'
import { checkBody, checkFields, readBody } from '../read-body.ts'
import { findModel, type PromptModel } from '../served-model.ts'
import { detokenizeRequest, templateRequest, tokenizeRequest } from './tokenize-request.ts'

type CompletionPrompt = Prompt & { kind: 'completion' }

/** POST /tokenize: the token ids of a text or a chat, in the shape of the server whose fields the request uses. */
export function tokenizeRoute(server: { models: readonly PromptModel[] }, body: string): Response {
  const { fields: request, exact } = readBody(body, tokenizeRequest)
  const served = findModel(server.models, request.model)
  const tokenizer = tokenizerOf(served)
  if (request.content !== undefined) {
    const ids = idsOf(
      textPrompt(request.content, 'content', request.add_special ?? false, request.parse_special ?? true),
      served,
      tokenizer,
    )
    return Response.json({ tokens: request.with_pieces ? ids.map((id) => ({ id, piece: pieceOf(id, tokenizer) })) : ids })
  }
  const prompt =
    request.prompt === undefined
      ? chatOf(served, checkFields(request, templateRequest), exact)
      : textPrompt(request.prompt, 'prompt', request.add_special_tokens ?? true, true)
  const tokens = idsOf(prompt, served, tokenizer)
  const strings = request.return_token_strs ? { token_strs: tokens.map((id) => tokenText(id, tokenizer)) } : {}
  return Response.json({ count: tokens.length, max_model_len: served.model.context ?? null, tokens, ...strings })
}

/** POST /detokenize: the text of token ids, as `content` (llama.cpp) and `prompt` (vLLM). */
export function detokenizeRoute(server: { models: readonly PromptModel[] }, body: string): Response {
  const { model, tokens } = checkBody(body, detokenizeRequest)
  const served = findModel(server.models, model)
  const tokenizer = tokenizerOf(served)
  const unknown = tokens.find((id) => tokenizer.tokenOf(id) === undefined)
  if (unknown !== undefined)
    throw new ApiError(400, { message: `tokens: ${served.name} has no token with id ${unknown}`, param: 'tokens', code: 'unknown_token' })
  const text = decodeTokens(tokens, tokenizer)
  return Response.json({ content: text, prompt: text })
}

/** POST /apply-template: the text of a chat in the model's format. */
export function applyTemplateRoute(server: { models: readonly PromptModel[] }, body: string): Response {
  const { fields, exact } = readBody(body, templateRequest)
  return Response.json({ prompt: promptText(chatOf(findModel(server.models, fields.model), fields, exact)) })
}

function chatOf(served: PromptModel, request: z.output<typeof templateRequest>, exact: PyValue): CompletionPrompt {
  const chat = exactChatOf(exact)
  const prompt =
    request.add_generation_prompt === false && !request.continue_final_message
      ? served.maker.render(chat, { want: 'complete' })
      : buildChatPrompt(served, request, chat).prompt
  if (prompt.kind === 'completion') return prompt
  throw badField('messages', `messages to ${served.name} are forwarded; only its server knows how they are rendered`, 'unsupported')
}

function textPrompt(text: string, path: string, addsBos: boolean, isControl: boolean): CompletionPrompt {
  const source: Source = { by: 'message', path }
  const pieces = text === '' ? [] : [isControl ? control(text, source) : plain(text, source)]
  return { kind: 'completion', pieces, bos: addsBos ? 'tokenizer' : 'none', stop: [], notes: [] }
}

function idsOf(prompt: CompletionPrompt, served: PromptModel, tokenizer: Tokenizer): number[] {
  refuseOversizedPrompt(prompt, served)
  const { markers, tokens } = served.maker.format
  return tokenize(prompt, tokenizer, { markers, tokens }).ids
}

function tokenizerOf({ model: { tokenizer }, name }: PromptModel): Tokenizer {
  if (tokenizer) return tokenizer
  throw badField('model', `the tokenizer of ${name} is not available here`, 'unsupported')
}

/** A token's text, or its bytes if they are not whole characters. */
function pieceOf(id: number, tokenizer: Tokenizer): string | number[] {
  const bytes = tokenizer.bytesOf(id)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return [...bytes]
  }
}
