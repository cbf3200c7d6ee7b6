/**
 * What a judge's reply to one question comes to: a verdict on an answer, a comparison of two (`win`: it prefers the answer of the
 * evaluated model), a grade, nothing that could be read, or no question at all, because a rule had accepted the answer.
 */
export type JudgeWord = (typeof judgeWords)[number]

/** In the order of tables. */
export const judgeWords = ['right', 'wrong', 'win', 'tie', 'loss', 'graded', 'unreadable', 'not_asked'] as const

/** The number of a judge's verdicts of each kind; kinds without any are absent. */
export type VerdictCounts = Partial<Record<JudgeWord, number>>
