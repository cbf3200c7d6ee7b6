import { type OutcomeCounts, outcomeNames } from './outcome.ts'
import { modelText } from './pair-name.ts'
import type { PairResult } from './run-record.ts'

const outcomes = Object.entries(outcomeNames) as [keyof OutcomeCounts, string][]

/** What became of answers, pair by pair: a heading, then a line for each. `–` stands for none. */
export function answersTable(results: readonly PairResult[]): string[][] {
  return [
    ['answers', ...outcomes.map(([, name]) => name), 'reasoning set apart'],
    ...results.map(({ answers, reasoned = 0, rows, ...name }) => [
      `${modelText(name)} · ${name.dataset}`,
      ...outcomes.map(([key]) => count(answers[key])),
      reasoned === 0 ? '–' : `${reasoned} of ${rows} rows`,
    ]),
  ]
}

/** Whether that says more than that every answer was read. */
export function hasUnread({ answers, reasoned = 0 }: PairResult): boolean {
  return reasoned > 0 || outcomes.some(([key]) => key !== 'answered' && answers[key] > 0)
}

function count(number: number): string {
  return number === 0 ? '–' : String(number)
}
