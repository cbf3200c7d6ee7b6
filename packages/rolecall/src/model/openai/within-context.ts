import type { NoteCode } from '@rolecall/core/internal/errors'
import type { Token } from '@rolecall/core/internal/tokenizer'
import type { SentPrompt } from './score-prompt.ts'

/** A prompt that is sent as token ids. */
export type SentIds = SentPrompt & { sent: { ids: readonly number[] }; tokens: readonly Token[] }

export function isSentAsIds(prompt: SentPrompt): prompt is SentIds {
  return 'ids' in prompt.sent && prompt.tokens !== undefined
}

/**
 * The end of a prompt that does not fit with a reply of `reply` tokens into `context` tokens. A prompt is sent whole if the reply alone would
 * not fit: lm-evaluation-harness then sends nothing, or its end only from some token on.
 */
export function lastTokens(prompt: SentIds, reply: number, context: number): SentIds {
  const note = (code: NoteCode, text: string): SentIds => ({ ...prompt, notes: [...prompt.notes, { code, text }] })
  if (reply >= context)
    return note('not-cut', `the prompt was sent whole, as a reply of up to ${reply} tokens alone does not fit into ${context} tokens`)
  const dropped = prompt.sent.ids.length - (context - reply)
  if (dropped <= 0) return prompt
  const what = reply > 0 ? 'the prompt and its reply do' : 'the prompt does'
  return slice(note('cut-to-window', `${what} not fit into ${context} tokens: only its end is sent`), dropped)
}

/** A part of a prompt. */
export function slice(prompt: SentIds, start: number, end?: number): SentIds {
  return { ...prompt, sent: { ids: prompt.sent.ids.slice(start, end) }, tokens: prompt.tokens.slice(start, end) }
}
