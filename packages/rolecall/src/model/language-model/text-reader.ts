import type { TokenMask } from '@rolecall/core/internal/constrain'
import type { LikelyToken } from './language-model.ts'
import type { Sampling, TokenOccurrences } from './sampling.ts'

/** How the next token of a reply is chosen. */
export type TokenChoice = {
  sampling: Sampling
  /** How often each token occurs in the reply so far. */
  counts: TokenOccurrences
  /** Random numbers in [0, 1). */
  random: () => number
  /** Tokens that must not come next. */
  banned: ReadonlySet<number>
  /** The only allowed tokens, if the reply is constrained. */
  mask?: TokenMask | undefined
  /** How many of the likeliest tokens to return as well. */
  topTokens: number
}

export type ChosenToken = LikelyToken & { top?: readonly LikelyToken[] }

/** A text in progress. */
export type Writing = {
  /** Tokens that were cached from an earlier text. */
  reused: number
  /** Chooses the next token, and returns its probability before penalties. */
  choose(choice: TokenChoice): Promise<ChosenToken>
  /** Appends a token. */
  append(id: number): Promise<void>
}

export type ScoredText = {
  logProbabilities: readonly (number | null)[]
  /** Whether each token was the likeliest at its position. */
  isLikeliest: readonly (boolean | null)[]
  topTokens?: readonly (readonly LikelyToken[] | null)[]
  reused: number
}

export type ScoreTextOptions = {
  /** Where it is false the result may be null. */
  needed: (index: number, text: number) => boolean
  /** Number of most likely tokens to return at each position. */
  topTokens: number
  signal?: AbortSignal
}

/** What a local model does with ids: the embedded one, a GGUF file. One text at a time. */
export type TextReader = {
  /** Maximum tokens of a text. */
  context: number
  /** Reads the beginning of a text of at least one token, to continue it. */
  write(ids: readonly number[]): Promise<Writing>
  /** The log-probabilities of several texts; the common prefix is read once. */
  score(texts: readonly (readonly number[])[], options: ScoreTextOptions): Promise<ScoredText[]>
  close?(): Promise<void>
}
