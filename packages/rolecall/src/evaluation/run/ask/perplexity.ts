import type { Token } from '@rolecall/core/internal/tokenizer'
import type { ScoredPrompt } from '../../../model/language-model/language-model.ts'

/**
 * The perplexity that OpenCompass compares: the negative log-likelihood of all tokens except the first, divided by the number
 * of tokens (including the first). With `from`, the mean over the tokens from that one on.
 *
 * @example
 * perplexity([null, -1, -2]) // => 1
 * @example
 * perplexity([null, -1, -2], 2) // => 2
 */
export function perplexity(logProbabilities: readonly (number | null)[], from = 0): number {
  const counted = logProbabilities.slice(from)
  // An empty text has no perplexity; as in the reference it loses every comparison.
  return counted.length === 0 ? Number.NaN : -sum(counted) / counted.length
}

/** The log-likelihood of the tokens that touch the given pieces. */
export function likelihoodOf({ tokens, logProbabilities }: ScoredPrompt, isAnswer: (piece: number) => boolean): number {
  return sum(logProbabilities.filter((_, index) => touches(tokens[index]!, isAnswer)))
}

/** Whether each token that touches the given pieces was the most likely one; undefined if unknown for some. */
export function isGreediest({ tokens, isLikeliest }: ScoredPrompt, isAnswer: (piece: number) => boolean): boolean | undefined {
  const own = isLikeliest?.filter((_, index) => touches(tokens[index]!, isAnswer))
  if (own?.includes(false)) return false
  return own === undefined || own.includes(null) ? undefined : true
}

/** Whether a token has characters of a piece of some kind. */
export function touches({ pieces }: Token, isOfKind: (piece: number) => boolean): boolean {
  if (!pieces) return false
  for (let piece = pieces[0]; piece <= pieces[1]; piece++) if (isOfKind(piece)) return true
  return false
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0)
}

/** The label with the best value; the first of equal ones, NaN last. */
export function bestOf<Scored extends { value: number }>(scored: readonly Scored[], best: 'lowest' | 'highest'): Scored {
  return scored.reduce((first, other) => {
    const isBetter = best === 'lowest' ? other.value < first.value : other.value > first.value
    return isBetter || (Number.isNaN(first.value) && !Number.isNaN(other.value)) ? other : first
  })
}
