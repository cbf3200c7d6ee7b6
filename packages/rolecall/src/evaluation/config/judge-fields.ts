/** The fields of a judge's template for the answer, or for the first and second answer of a comparison. */
export const shownAnswers = { one: ['prediction'], first: ['answer_a', 'prediction'], second: ['answer_b', 'prediction2'] } as const

/** The names of the right answer in OpenCompass's judge templates. */
export const goldFields = ['obj_gold', 'reference'] as const

/** The fields that a judge's template may use in addition to the row's columns. */
export function judgeFieldNames(evaluator: unknown): readonly string[] {
  const isPairwise = typeof evaluator === 'object' && evaluator !== null && ('against' in evaluator || 'against_column' in evaluator)
  return isPairwise ? [...shownAnswers.first, ...shownAnswers.second] : shownAnswers.one
}
