import type { OutputType } from '../task/task-config.ts'

/** A metric of lm-evaluation-harness. */
export type KnownMetric = { aggregation: string; higherIsBetter: boolean }

export const knownMetrics: Readonly<Record<string, KnownMetric>> = {
  acc: { aggregation: 'mean', higherIsBetter: true },
  acc_norm: { aggregation: 'mean', higherIsBetter: true },
  acc_bytes: { aggregation: 'mean', higherIsBetter: true },
  acc_mutual_info: { aggregation: 'mean', higherIsBetter: true },
  exact_match: { aggregation: 'mean', higherIsBetter: true },
  brier_score: { aggregation: 'brier_score', higherIsBetter: false },
  f1: { aggregation: 'f1', higherIsBetter: true },
  mcc: { aggregation: 'matthews_corrcoef', higherIsBetter: true },
  perplexity: { aggregation: 'perplexity', higherIsBetter: false },
  word_perplexity: { aggregation: 'weighted_perplexity', higherIsBetter: false },
  byte_perplexity: { aggregation: 'weighted_perplexity', higherIsBetter: false },
  bits_per_byte: { aggregation: 'bits_per_byte', higherIsBetter: false },
  bleu: { aggregation: 'bleu', higherIsBetter: true },
  chrf: { aggregation: 'chrf', higherIsBetter: true },
  'chrf++': { aggregation: 'chrf++', higherIsBetter: true },
  ter: { aggregation: 'ter', higherIsBetter: false },
  bypass: { aggregation: 'bypass', higherIsBetter: true },
}

/** The default metrics of a task that names none. */
export const defaultMetrics: Readonly<Record<OutputType, readonly string[]>> = {
  multiple_choice: ['acc', 'acc_norm'],
  generate_until: ['exact_match'],
  loglikelihood: ['perplexity', 'acc'],
  loglikelihood_rolling: ['word_perplexity', 'byte_perplexity', 'bits_per_byte'],
}
