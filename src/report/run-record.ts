import type { Inferred } from '../infer/inferencer.ts'
import type { PyValue } from '../python/index.ts'

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

/** A whole run. */
export type RunSummary = { name: string; started: string; seconds: number; version: string; results: readonly PairResult[] }
