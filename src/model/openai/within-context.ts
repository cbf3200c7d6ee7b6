import type { Token } from '../../prompt/tokenizer/tokenize.ts'
import type { ScoredPrompt } from '../language-model/language-model.ts'
import type { SentPrompt } from './score-prompt.ts'

/** A prompt that is sent as token ids. */
export type SentIds = SentPrompt & { sent: { ids: readonly number[] }; tokens: readonly Token[] }

export function isSentAsIds(prompt: SentPrompt): prompt is SentIds {
  return 'ids' in prompt.sent && prompt.tokens !== undefined
}

/** A part of a text that is scored in one request, and the first of its tokens whose values count. */
export type ScoreWindow = { start: number; end: number; counted: number }

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

/**
 * The requests that score the tokens of a text from `first` on with at most `most` tokens in each, as in lm-evaluation-harness: every window
 * begins with a token of the previous one as context, and the last reaches back as far as fits. One window if its context fits.
 *
 * @example scoreWindows(10, 1, 4).map(({ start, end, counted }) => [start, end, counted]) // => [[0, 4, 1], [3, 7, 4], [6, 10, 7]]
 */
export function scoreWindows(count: number, first: number, most: number): ScoreWindow[] {
  if (count - Math.max(first, 1) < most) return [{ start: Math.max(count - most, 0), end: count, counted: first }]
  const windows: ScoreWindow[] = []
  const size = Math.max(most, 2)
  for (let scored = Math.max(first, 1); scored < count; ) {
    const end = Math.min(scored - 1 + size, count)
    windows.push({ start: end === count ? Math.max(count - size, 0) : scored - 1, end, counted: scored })
    scored = end
  }
  return windows
}

/** The values of a text from those of its windows; tokens that no window counts have none. */
export function joinWindows(
  prompt: SentIds,
  windows: readonly ScoreWindow[],
  scores: readonly ScoredPrompt[],
  context: number,
): ScoredPrompt {
  const join = <Value>(of: (score: ScoredPrompt) => readonly Value[]) => {
    const values = new Array<Value | null>(prompt.tokens.length).fill(null)
    for (const [index, { start, end, counted }] of windows.entries())
      for (let at = counted; at < end; at++) values[at] = of(scores[index]!)[at - start]!
    return values
  }
  const text = `a text of more than ${context} tokens was scored in several requests, each with the end of the previous one as context`
  return {
    tokens: prompt.tokens,
    logProbabilities: join(({ logProbabilities }) => logProbabilities),
    isLikeliest: scores.every(({ isLikeliest }) => isLikeliest) ? join(({ isLikeliest }) => isLikeliest!) : undefined,
    reused: scores.reduce((sum, { reused }) => sum + reused, 0),
    notes: [...prompt.notes, { code: 'scored-in-windows', text }],
  }
}
