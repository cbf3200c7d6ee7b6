import type { PyValue } from '../../python/index.ts'

/** What the verdicts of a judge come to, as OpenCompass's `get_final_results` names it. A is right, B is wrong. */
export function judgeResults(judged: readonly string[], references: readonly PyValue[], responses: readonly PyValue[]) {
  const details = judged.map((letter, index) => ({
    pred: responses[index] ?? null,
    ref: references[index] ?? null,
    origin_grade_response: letter,
    grade_letter: letter,
    correct: letter === 'A',
  }))
  const count = (wanted: string) => judged.filter((letter) => letter === wanted).length
  const [right, wrong, all] = [count('A'), count('B'), judged.length]
  const [share, given] = [right / all, right + wrong === 0 ? 0 : right / (right + wrong)]
  return {
    accuracy: 100 * share,
    accuracy_given_attempted: 100 * given,
    f1: given + share > 0 ? (2 * given * share) / (given + share) : 0,
    attempted_ratio: (100 * (right + wrong)) / all,
    correct_count: right,
    incorrect_count: wrong,
    not_attempted_count: all - right - wrong,
    details,
  }
}
