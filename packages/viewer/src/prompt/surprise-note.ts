import type { RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'
import { promptTexts } from '../texts/prompt.ts'

/** The note below a prompt scored by a run: what the colours mean, or why there are none. */
export function surpriseNote(scores: RowRecord['scores'], chosen: number, isShown: boolean): string {
  if (!scores) return promptTexts().noLogProbabilities
  if (isShown) return promptTexts().darkerMean
  return scores[chosen]?.log_probabilities ? promptTexts().otherTokens : promptTexts().onlyLabels
}
