import type { RunStatus } from './viewer-data.ts'

/** Whether a run has asked all its rows. Without a readable summary, the results of its pairs say so. */
export function hasEnded({ isLive, summary, pairs }: Pick<RunStatus, 'isLive' | 'summary' | 'pairs'>): boolean {
  return !isLive && (summary ? !summary.unfinished : pairs.every(({ result }) => result !== undefined))
}
