import type { Token } from '../../prompt/tokenizer/tokenize.ts'
import type { SentPrompt } from './score-prompt.ts'

/** A prompt that is sent as token ids. */
export type SentIds = SentPrompt & { sent: { ids: readonly number[] }; tokens: readonly Token[] }

export function isSentAsIds(prompt: SentPrompt): prompt is SentIds {
  return 'ids' in prompt.sent && prompt.tokens !== undefined
}

/** A prompt without its first tokens, so that no more than `most` are left; `context` is the length for prompt and reply together. */
export function lastTokens(prompt: SentIds, most: number, context: number): SentIds {
  const dropped = prompt.sent.ids.length - Math.max(most, 1)
  if (dropped <= 0) return prompt
  const text = `the prompt and its reply do not fit into ${context} tokens: the first tokens of the prompt were not sent`
  return { ...slice(prompt, dropped), notes: [...prompt.notes, { code: 'prompt-cut', text }] }
}

/** A part of a prompt. */
export function slice(prompt: SentIds, start: number, end?: number): SentIds {
  return { ...prompt, sent: { ids: prompt.sent.ids.slice(start, end) }, tokens: prompt.tokens.slice(start, end) }
}
