import type { WhyReport } from './explain.ts'

/** Whether scores are shares, which are shown as points of a hundred. */
export function isShare({ first, second }: Pick<WhyReport, 'first' | 'second'>): boolean {
  return [first.score, second.score].every((score) => score === undefined || (score >= 0 && score <= 1))
}
