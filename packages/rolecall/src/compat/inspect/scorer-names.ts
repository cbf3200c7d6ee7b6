/** Inspect's scorers that score here as there. */
export const scorerNames = ['includes', 'match', 'pattern', 'answer', 'exact', 'f1', 'choice', 'math'] as const

export type ScorerName = (typeof scorerNames)[number]
