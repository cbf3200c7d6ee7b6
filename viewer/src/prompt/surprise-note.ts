import type { RowRecord } from '../../../src/evaluation/run/record/run-record.ts'
import { promptWords } from '../words/prompt.ts'

/** What is said below a prompt that a run has scored token by token: what the colours mean, or why there are none. */
export function surpriseNote(scores: RowRecord['scores'], chosen: number, isShown: boolean): string {
  if (!scores) return promptWords().noLogProbabilities
  if (isShown) return promptWords().darkerMean
  return scores[chosen]?.log_probabilities ? promptWords().otherTokens : promptWords().onlyLabels
}
