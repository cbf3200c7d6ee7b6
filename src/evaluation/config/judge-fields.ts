/** The fields of a judge's template for the answer; if it compares two, for the first and the second. */
export const shownAnswers = { one: ['prediction'], first: ['answer_a', 'prediction'], second: ['answer_b', 'prediction2'] } as const

/** What OpenCompass's judge templates call the right answer. */
export const goldFields = ['obj_gold', 'reference'] as const

/** The fields that a judge's template may show beside the columns of the row. */
export function judgeFieldNames(evaluator: unknown): readonly string[] {
  const isPairwise = typeof evaluator === 'object' && evaluator !== null && ('against' in evaluator || 'against_column' in evaluator)
  return isPairwise ? [...shownAnswers.first, ...shownAnswers.second] : shownAnswers.one
}
