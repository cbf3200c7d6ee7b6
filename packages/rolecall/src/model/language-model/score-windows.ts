import type { Note } from '@rolecall/core/internal/errors'
import type { ScoredPrompt } from './language-model.ts'

/** A part of a text that is scored in one request, and the first of its tokens whose values count. */
export type ScoreWindow = { start: number; end: number; counted: number }

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

/** What is known of each token of a text. */
type Scores = Pick<ScoredPrompt, 'logProbabilities' | 'isLikeliest' | 'topTokens' | 'reused'>

/** The values of a text of `count` tokens from those of its windows; tokens that no window counts have none. */
export function joinWindows(count: number, windows: readonly ScoreWindow[], scores: readonly Scores[]): Scores {
  const join = <Value>(of: (score: Scores) => readonly Value[]) => {
    const values = new Array<Value | null>(count).fill(null)
    for (const [index, { start, end, counted }] of windows.entries())
      for (let at = counted; at < end; at++) values[at] = of(scores[index]!)[at - start]!
    return values
  }
  return {
    logProbabilities: join(({ logProbabilities }) => logProbabilities),
    ...(scores.every(({ isLikeliest }) => isLikeliest) ? { isLikeliest: join(({ isLikeliest }) => isLikeliest!) } : {}),
    ...(scores.every(({ topTokens }) => topTokens) ? { topTokens: join(({ topTokens }) => topTokens!) } : {}),
    reused: scores.reduce((sum, { reused }) => sum + reused, 0),
  }
}

export function windowNote(context: number): Note {
  const text = `a text that does not fit into ${context} tokens was scored in parts, each with the end of the previous one as context`
  return { code: 'scored-in-windows', text }
}
