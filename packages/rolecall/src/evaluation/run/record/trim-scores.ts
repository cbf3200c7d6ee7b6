import type { RowAnswer } from './run-record.ts'

/** Which log-probabilities are recorded: every token's, only the aggregate of each label, or none. */
export const logProbabilitiesToKeep = ['all', 'labels', 'none'] as const

export type LogProbabilitiesToKeep = (typeof logProbabilitiesToKeep)[number]

type Scores = NonNullable<RowAnswer['scores']>

/** The recorded part of a row's scores. The likelihoods of `CLPInferencer`'s choices always stay: they are its answer. */
export function trimScores(scores: Scores | undefined, keep: LogProbabilitiesToKeep, areAnswer: boolean): Scores | undefined {
  if (!scores || keep === 'all') return scores
  if (keep === 'none' && !areAnswer) return undefined
  return scores.map(({ log_probabilities: _, ...score }) => score)
}

/** Whether a row that was scored token by token lacks some log-probabilities. */
export function lacksTokens({ scores }: Pick<RowAnswer, 'scores'>): boolean {
  return !scores || scores.some(({ log_probabilities: tokens }) => tokens === undefined)
}
