import type { RowRecord } from '../../../src/record/run-record.ts'

/** What is said below a prompt that a run has scored token by token: what the colours mean, or why there are none. */
export function surpriseNote(scores: RowRecord['scores'], chosen: number, isShown: boolean): string {
  if (!scores) return 'The run kept no log-probabilities (--log-probabilities none).'
  if (isShown) return 'The darker a token, the less the model expected it; the mean of these is what is compared.'
  return scores[chosen]?.log_probabilities
    ? 'The tokenizer that is here cuts the prompt into other tokens than the run had.'
    : 'The run kept the values of the labels, and not the log-probability of each token (--log-probabilities labels).'
}
