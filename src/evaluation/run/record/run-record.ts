import type { Note } from '../../../base/errors/note.ts'
import type { PyValue } from '../../../base/python/index.ts'
import type { Direction, Metric } from '../../score/evaluate/metric.ts'
import type { Interval } from '../../score/statistics/interval.ts'
import type { PairedComparison } from '../../score/statistics/paired.ts'
import type { RowInference } from '../ask/ask-model.ts'
import type { CallSource } from '../ask/read-calls.ts'
import type { Outcome, OutcomeCounts } from './outcome.ts'
import type { ModelName, PairName } from './pair-name.ts'

/** What a model answered to a row: what is kept between runs. */
export type RowAnswer = {
  /** SHA-256 of what was sent; of the prompts of all labels together where there are several. */
  prompt_hash: string
  /** What was sent, on request. */
  prompts?: readonly string[] | undefined
  /** What the model answered, without its reasoning; a list where the row has several answers. */
  prediction: PyValue
  /** What it thought before that, of each answer where there are several; undefined where it did not. */
  reasoning?: PyValue | undefined
  /** The tool calls that were read from the answer, of each answer where there are several; undefined where none were looked for. */
  calls?: PyValue | undefined
  /** What they were read from: `text` is read again when the answer is scored again. */
  calls_by?: CallSource | undefined
  /** For perplexity and likelihood: what was compared, with the log-probability of each token, as far as they are kept. */
  scores?: readonly RecordedScore[] | undefined
  finish?: RowInference['finish'] | undefined
  tokens: RowInference['tokens']
  examples: RowInference['examples']
  milliseconds: number
  /** What was noticed while it was asked. */
  notes?: readonly Note[] | undefined
}

/** What was compared of a label or choice. `is_greedy`: each of its tokens was the likeliest one, where that was asked. */
export type RecordedScore = {
  label?: string
  value: number | null
  is_greedy?: boolean
  log_probabilities?: readonly (number | null)[]
}

/** One row of a run, as it is written: one line of JSON, `id` and `key` first. */
export type RowRecord = {
  /** The row's number among those asked, from 0. */
  id: number
  /**
   * 64 hexadecimal digits: the first half tells what was asked (the prompts before any example was left out), the second
   * the model and its settings. An answer is only used again where both are the same.
   */
  key: string
  /** Of the row's own content, so that runs with other prompts can be compared row by row. */
  row_hash: string
  /** Columns of the row, where the dataset's `keep_columns` or `by` names some. */
  columns?: Readonly<Record<string, PyValue>> | undefined
  gold?: PyValue | undefined
  /** 1 right, 0 wrong, or a value; a row without an answer has none. */
  score?: number | undefined
  /** What became of the answer, or of each of several, where that is not `answered`. */
  outcome?: Outcome | readonly Outcome[] | undefined
  /** What was compared and how it came out. */
  details?: Record<string, PyValue> | undefined
  /** Which of the rows for examples were shown, by their numbers in their file, from 0. */
  example_ids?: readonly number[] | undefined
  /** The answer was known from an earlier run. */
  cached?: true | undefined
  /** Why there is no answer, or no score. */
  error?: string | undefined
} & RowAnswer

/** A figure that stands beside the main one. */
export type ShownMetric = { metric: string; unit: string; direction: Direction; value: number }

/** Figures by the values of a column, in the order in which these first occur. */
export type MetricsByColumn = { column: string; figures: readonly ColumnMetric[] }

/** The figure of the rows that have one value in a column. */
export type ColumnMetric = {
  /** The value, as text; `(none)` for rows without it. */
  of: string
  rows: number
  failed: number
  answers: OutcomeCounts
  value?: number
  interval?: Interval
  beside?: readonly ShownMetric[]
}

/** One model on one dataset. */
export type PairResult = PairName & {
  /** The name of the figure, e.g. accuracy. */
  metric: string
  /** What the scores of rows are: right or wrong, graded, or a quantity. */
  kind: Metric['kind']
  /** `percent`, or what is measured, e.g. bits per character. */
  unit: string
  /** Whether higher or lower figures are better. */
  direction: Direction
  /** The least and the greatest figure there can be; null where a side has no bound. */
  range?: readonly [least: number | null, greatest: number | null]
  /** Set where a judge compares the answers of other models with these, which have no value of their own. */
  baseline?: true | undefined
  /** Set where the value is no mean of the rows' scores, as BLEU or a correlation is none. */
  isMeanOfRows?: false
  /** Over the rows that have an answer; undefined when there is none. */
  value?: number
  /** What the value would be if every failed row counted as wrong; only where rows failed and the unit is per cent. */
  valueIfFailedAreWrong?: number
  /** Where the value would lie with 95 % confidence if other rows of the same kind were asked. */
  interval?: Interval
  /** All figures, where there is more than one. */
  figures?: Readonly<Record<string, number>>
  /** Those of them that are shown beside the main one, with what they mean. */
  beside?: readonly ShownMetric[]
  /** The figure for each value of some columns, where the dataset's `by` names them. */
  by?: readonly MetricsByColumn[]
  rows: number
  /** Rows without an answer, or with one that could not be scored or decided: the value is over the others. */
  failed: number
  /** What became of the answers: of each, where rows have several. */
  answers: OutcomeCounts
  /** Why tool calls are wrong: the most frequent reasons. */
  wrongCalls?: readonly { reason: string; rows: number }[]
  /** Rows in which reasoning was set apart from the answer. */
  reasoned?: number
  /** How many of these have no answer at all, where others have one that could not be scored. */
  unanswered?: number
  /** Rows whose answer was known from an earlier run. */
  cached?: number
  /** Rows of the file that could not be read. */
  skipped: number
  tokens: TokenUsage
  /** Tokens of the model that judged the answers, as far as this run asked it. */
  judgeTokens?: TokenUsage
  /** What this run's tokens cost, where prices are given; one for each currency. */
  costs?: readonly Cost[]
  /** The model, or the judge, that has no price. */
  unpriced?: readonly string[]
  /** Answers that ended at the most tokens. */
  cut: number
  /** Examples dropped to stay within max_seq_len, over all rows. */
  examplesDropped: number
  seconds: number
  /** The dataset reproduces the reference's quirks. */
  compat?: string
  notes: readonly { code: string; text: string /** In how many rows. */; rows: number }[]
}

/** Two models on the same rows of a dataset; differences are the second's value minus the first's, in the dataset's unit. */
export type ModelComparison = PairedComparison & {
  dataset: string
  unit: PairResult['unit']
  /** Whether higher or lower figures are better: a difference below 0 is a gain where it is `lower`. */
  direction: Direction
  first: string
  /** The format that the first was given in place of its own. */
  firstFormat?: string | undefined
  second: string
  secondFormat?: string | undefined
}

/** Several datasets as one figure. */
export type GroupResult = ModelName & {
  group: string
  unit: PairResult['unit']
  direction?: Direction
  value: number
  interval?: Interval
  /** What its datasets count by: each the same, by their rows that have a score, or as its `weights` say. */
  weightedBy?: 'datasets' | 'rows' | 'weights'
  /** Figures of lm-evaluation-harness by its names, with standard errors, where the group asks for some. */
  figures?: Readonly<Record<string, number | string>>
  /** Rows of all its datasets that have a score. */
  scored?: number
  datasets: readonly string[]
}

/** Tokens of prompts, how many of those the server had cached, and tokens of replies. */
export type TokenUsage = { prompt: number; reused: number; reply: number }

export type Cost = { amount: number; currency: string }

/** Sums over all pairs of a run. */
export type RunTotals = {
  rows: number
  tokens: TokenUsage
  /** Tokens of the judge models. */
  judgeTokens?: TokenUsage
  /** The cost of what this run sent, without cached answers: one sum per currency. */
  costs?: readonly Cost[]
  /** Models without a `price`, if others have one. */
  unpriced?: readonly string[]
}

/** A whole run. */
export type RunSummary = {
  name: string
  started: string
  seconds: number
  version: string
  /** Set where rows are still to be asked: the run was interrupted. */
  unfinished?: true
  /** `2/4`: the second of four parts of the rows. */
  shard?: string
  results: readonly PairResult[]
  /** Tokens of all pairs, and what they cost. */
  totals?: RunTotals
  comparisons?: readonly ModelComparison[]
  groups?: readonly GroupResult[]
  /** Why groups have no figure. */
  groupNotes?: readonly string[]
}
