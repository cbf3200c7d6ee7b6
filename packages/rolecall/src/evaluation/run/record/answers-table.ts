import { type OutcomeCounts, outcomeNames } from './outcome.ts'
import { modelText } from './pair-name.ts'
import type { PairResult } from './run-record.ts'

const outcomes = Object.entries(outcomeNames) as [keyof OutcomeCounts, string][]

type Counted = Pick<PairResult, 'answers' | 'answerRows' | 'reasoned' | 'rows'>

/** The outcomes of answers per pair: a heading, then a line for each. `–` means zero; `5 in 3 rows`: rows have several answers. */
export function answersTable(results: readonly PairResult[]): string[][] {
  return namedAnswersTable(results.map((result) => [`${modelText(result)} · ${result.dataset}`, result]))
}

/** The same with other names for the lines. */
export function namedAnswersTable(lines: readonly (readonly [name: string, result: Counted])[]): string[][] {
  // Most datasets have gold answers in every row.
  const shown = outcomes.filter(([key]) => key !== 'noGold' || lines.some(([, { answers }]) => answers.noGold))
  return [
    ['answers', ...shown.map(([, name]) => name), 'reasoning removed'],
    ...lines.map(([name, { answers, answerRows, reasoned = 0, rows }]) => [
      name,
      ...shown.map(([key]) => count(answers[key] ?? 0, answerRows?.[key])),
      reasoned === 0 ? '–' : `${reasoned} of ${rows} rows`,
    ]),
  ]
}

/** Whether some answers were not read. */
export function hasUnread({ answers, reasoned = 0 }: Pick<PairResult, 'answers' | 'reasoned'>): boolean {
  return reasoned > 0 || outcomes.some(([key]) => key !== 'answered' && (answers[key] ?? 0) > 0)
}

function count(answers: number, rows: number | undefined): string {
  if (answers === 0) return '–'
  return rows === undefined ? String(answers) : `${answers} in ${rows} ${rows === 1 ? 'row' : 'rows'}`
}
