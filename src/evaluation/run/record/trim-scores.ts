import type { RowAnswer } from './run-record.ts'

/** How much of what a model thinks of each token is written down: every token's log-probability, only what comes of them for each label, or nothing. */
export const logProbabilitiesToKeep = ['all', 'labels', 'none'] as const

export type LogProbabilitiesToKeep = (typeof logProbabilitiesToKeep)[number]

type Scores = NonNullable<RowAnswer['scores']>

/** What is kept of a row's scores. The likelihoods of `CLPInferencer`'s choices stay in any case: they are its answer. */
export function trimScores(scores: Scores | undefined, keep: LogProbabilitiesToKeep, areAnswer: boolean): Scores | undefined {
  if (!scores || keep === 'all') return scores
  if (keep === 'none' && !areAnswer) return undefined
  return scores.map(({ log_probabilities: _, ...score }) => score)
}

/** Whether a row that was scored token by token has less than every token's log-probability. */
export function lacksTokens({ scores }: Pick<RowAnswer, 'scores'>): boolean {
  return !scores || scores.some(({ log_probabilities: tokens }) => tokens === undefined)
}
