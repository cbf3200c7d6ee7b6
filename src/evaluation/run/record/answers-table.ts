import { type OutcomeCounts, outcomeNames } from './outcome.ts'
import { modelText } from './pair-name.ts'
import type { PairResult } from './run-record.ts'

const outcomes = Object.entries(outcomeNames) as [keyof OutcomeCounts, string][]

export const answersHeading = ['answers', ...outcomes.map(([, name]) => name), 'reasoning removed']

/** The outcomes of answers per pair: a heading, then a line for each. `–` means zero. */
export function answersTable(results: readonly PairResult[]): string[][] {
  return [answersHeading, ...results.map((result) => [`${modelText(result)} · ${result.dataset}`, ...answerCounts(result)])]
}

/** The counts of one line, in the order of the heading. */
export function answerCounts({ answers, reasoned = 0, rows }: Pick<PairResult, 'answers' | 'reasoned' | 'rows'>): string[] {
  return [...outcomes.map(([key]) => count(answers[key] ?? 0)), reasoned === 0 ? '–' : `${reasoned} of ${rows} rows`]
}

/** Whether some answers were not read. */
export function hasUnread({ answers, reasoned = 0 }: Pick<PairResult, 'answers' | 'reasoned'>): boolean {
  return reasoned > 0 || outcomes.some(([key]) => key !== 'answered' && (answers[key] ?? 0) > 0)
}

function count(number: number): string {
  return number === 0 ? '–' : String(number)
}
