import type { Prompt, Stop } from '@rolecall/core/internal/format'
import { control, type Source } from '@rolecall/core/internal/text'
import { ApiError } from '../api-error.ts'
import type { PromptModel } from '../served-model.ts'
import type { CompletionRequest } from './completion-request.ts'

export type CompletionPrompt = Prompt & { kind: 'completion' }

/** The prompts of a request, as text or token ids. */
export function promptsOf({ prompt }: CompletionRequest): (string | readonly number[])[] {
  if (typeof prompt === 'string') return [prompt]
  return typeof prompt[0] === 'number' ? [prompt as number[]] : (prompt as (string | number[])[])
}

/**
 * A prompt rendered by the client. Format and data are one text, so special tokens in it are recognised, as on every server. Clients with
 * untrusted data should send messages or token ids.
 */
export function rawPrompt(
  given: string | readonly number[],
  { index, stops, addSpecialTokens }: { index: number | undefined; stops: readonly Stop[]; addSpecialTokens: boolean },
  { model: { tokenizer, name } }: PromptModel,
): CompletionPrompt {
  const path = index === undefined ? 'prompt' : `prompt[${index}]`
  const source: Source = { by: 'message', path }
  if (typeof given === 'string') {
    return {
      kind: 'completion',
      pieces: [control(given, source)],
      bos: addSpecialTokens ? 'tokenizer' : 'none',
      stop: stops,
      answer: { start: 1, end: 1 },
      notes: [],
    }
  }
  const unknown = tokenizer && given.find((id) => tokenizer.tokenOf(id) === undefined)
  if (unknown !== undefined)
    throw new ApiError(400, { message: `${path}: ${name} has no token with id ${unknown}`, param: 'prompt', code: 'unknown_token' })
  return { kind: 'completion', pieces: [{ ids: given, source }], bos: 'none', stop: stops, answer: { start: 1, end: 1 }, notes: [] }
}

export function stopTokens(ids: readonly number[] | null | undefined): Stop[] {
  return (ids ?? []).map((id, index) => ({ id, source: { by: 'message', path: `stop_token_ids[${index}]` } }))
}
