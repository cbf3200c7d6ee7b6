import type { Inferred } from '../infer/inferencer.ts'
import type { PyValue } from '../python/index.ts'
import type { Interval } from '../score/statistics/interval.ts'
import type { PairedComparison } from '../score/statistics/paired.ts'

/** One row of a run, as it is written: one line of JSON. */
export type RowRecord = {
  /** The row's number among those asked, from 0. */
  id: number
  /** SHA-256 of what was sent; of the prompts of all labels together where there are several. */
  prompt_hash: string
  /** What was sent, on request. */
  prompts?: readonly string[]
  prediction: PyValue
  gold?: PyValue
  /** 1 right, 0 wrong, or a value. */
  score?: number
  /** What was compared and how it came out. */
  details?: Record<string, PyValue>
  /** For perplexity and likelihood: what was compared, with the log-probability of each token. */
  scores?: readonly { label?: string; value: number | null; log_probabilities: readonly (number | null)[] }[]
  finish?: Inferred['finish']
  tokens: Inferred['tokens']
  examples: Inferred['examples']
  milliseconds: number
  /** Why there is no answer. */
  error?: string
}

/** One model on one dataset. */
export type PairResult = {
  model: string
  dataset: string
  /** The name of the figure, e.g. accuracy. */
  metric: string
  unit: 'percent' | 'mean'
  /** Undefined when no row was asked. */
  value?: number
  /** Where the value would lie with 95 % confidence if other rows of the same kind were asked. */
  interval?: Interval
  /** All figures, where there is more than one. */
  figures?: Readonly<Record<string, number>>
  rows: number
  /** Rows that could not be asked; they count as wrong. */
  failed: number
  /** Rows of the file that could not be read. */
  skipped: number
  tokens: { prompt: number; reused: number; reply: number }
  /** Answers that ended at the most tokens. */
  cut: number
  /** Examples left out to keep within max_seq_len, over all rows. */
  examplesDropped: number
  seconds: number
  /** The dataset reproduces the reference's quirks. */
  compat?: string
  notes: readonly { code: string; text: string /** In how many rows. */; rows: number }[]
}

/** Two models on the same rows of a dataset; differences are the second's value minus the first's, in the dataset's unit. */
export type ModelComparison = PairedComparison & { dataset: string; unit: PairResult['unit']; first: string; second: string }

/** Several datasets as one figure. */
export type GroupResult = { model: string; group: string; value: number; interval?: Interval; datasets: readonly string[] }

/** A whole run. */
export type RunSummary = {
  name: string
  started: string
  seconds: number
  version: string
  results: readonly PairResult[]
  comparisons?: readonly ModelComparison[]
  groups?: readonly GroupResult[]
}
