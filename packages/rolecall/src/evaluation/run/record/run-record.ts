import type { PyValue } from '@rolecall/core/internal/python'
import type { Axes, AxisName } from '../../config/axes.ts'
import type { VerdictCounts } from '../../score/evaluate/judge-word.ts'
import type { Direction, Metric } from '../../score/evaluate/metric.ts'
import type { Interval } from '../../score/statistics/interval.ts'
import type { PairedComparison } from '../../score/statistics/paired.ts'
import type { RowInference } from '../ask/ask-model.ts'
import type { CallSource } from '../ask/read-calls.ts'
import type { Outcome, OutcomeCounts } from './outcome.ts'
import type { ModelName, PairName } from './pair-name.ts'

/** A model's answer to a row: the part that is cached between runs. */
export type RowAnswer = {
  /** SHA-256 of the sent prompts; of all labels' prompts together if there are several. */
  prompt_hash: string
  /** The sent prompts, on request. */
  prompts?: readonly string[] | undefined
  /** The model's answer without its reasoning; a list if the row has several answers. */
  prediction: PyValue
  /** The reasoning before the answer, a list if there are several answers; undefined if there is none. */
  reasoning?: PyValue | undefined
  /** The tool calls parsed from the answer, a list if there are several answers; undefined if calls are not parsed. */
  calls?: PyValue | undefined
  /** The source of the calls: those from `text` are parsed again when the answer is rescored. */
  calls_by?: CallSource | undefined
  /** For perplexity and likelihood: the compared values, with the log-probability of each token as far as it is kept. */
  scores?: readonly RecordedScore[] | undefined
  /** Why the reply ended: at a stop, at the token limit, or aborted. */
  finish?: RowInference['finish'] | undefined
  /** With `--retry-cut`: the answer that was cut, its limit of tokens, and the limit of the second attempt, whose answer counts. */
  cut_before?: { prediction: PyValue; max_out_len: number; retried_with: number } | undefined
  /** Tokens of the prompts and replies. */
  tokens: RowInference['tokens']
  /** Few-shot examples in the prompt, and those dropped to fit the context. */
  examples: RowInference['examples']
  /** How long the answer took. */
  milliseconds: number
  /** Notes about the requests. */
  notes?: readonly RecordedNote[] | undefined
}

/** A note as it is recorded: a record of another version may have other codes. */
export type RecordedNote = {
  /** For programs, kebab-case, e.g. `fallback-role`. */
  code: string
  /** For people, one sentence. */
  text: string
  /** The path in the config. */
  where?: string
}

/** The compared value of a label or choice. `is_greedy`: each of its tokens was the most likely one, if requested. */
export type RecordedScore = {
  label?: string
  value: number | null
  is_greedy?: boolean
  log_probabilities?: readonly (number | null)[]
}

/** One recorded row of a run: one line of JSON, `id` and `key` first. */
export type RowRecord = {
  /** The row's index in the dataset's selected rows, from 0. */
  id: number
  /**
   * 64 hexadecimal digits: the first half identifies the question (the prompts before any example was dropped), the second
   * the model and its settings. An answer is reused only if both are equal.
   */
  key: string
  /** Hash of the row's content, so that runs with different prompts can be compared row by row. */
  row_hash: string
  /** Columns of the row, if the dataset's `keep_columns` or `by` names any. */
  columns?: Readonly<Record<string, PyValue>> | undefined
  /** The gold answer of the row. */
  gold?: PyValue | undefined
  /** 1 right, 0 wrong, or a value; undefined without an answer. */
  score?: number | undefined
  /** The outcome of the answer, or of each of several, if it is not `answered`. */
  outcome?: Outcome | readonly Outcome[] | undefined
  /** What was compared, and the result. */
  details?: Record<string, PyValue> | undefined
  /** The examples shown, by their indices in their file, from 0. */
  example_ids?: readonly number[] | undefined
  /** The answer comes from an earlier run. */
  cached?: true | undefined
  /** Why there is no answer, or no score. */
  error?: string | undefined
} & RowAnswer

/** A secondary metric. */
export type ShownMetric = { metric: string; unit: string; direction: Direction; value: number }

/** Metrics by the values of a column, in order of first occurrence. */
export type MetricsByColumn = { column: string; figures: readonly ColumnMetric[] }

/** The metric of the rows with one value in a column. */
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

/** What a program left, and the hash of that program. */
export type Computed = { key: string; said: string }

/** One model on one dataset. */
export type PairResult = PairName & {
  /** Where it stands on the axes of the run, if its config says so: data, prompt, shots, model, format, temperature. */
  axes?: Axes | undefined
  /** What a program computed over all rows. */
  computed?: Computed
  /** The name of the metric, e.g. accuracy. */
  metric: string
  /** The kind of row scores: right or wrong, graded, or a quantity. */
  kind: Metric['kind']
  /** `percent`, or the unit, e.g. bits per character. */
  unit: string
  /** Whether higher or lower values are better. */
  direction: Direction
  /** The lowest and highest possible value; null if a side has no bound. */
  range?: readonly [least: number | null, greatest: number | null]
  /** Set if the answers are a baseline for a judge, and have no value. */
  baseline?: true | undefined
  /** Set if the value is not the mean of the rows' scores, e.g. for BLEU or a correlation. */
  isMeanOfRows?: false
  /** Over the rows with an answer; undefined if there are none. */
  value?: number
  /** The value if every failed row counted as wrong; only set if rows failed and the unit is percent. */
  valueIfFailedAreWrong?: number
  /** The 95 % confidence interval of the value over other rows of the same kind. */
  interval?: Interval
  /** All metrics, if there are several. */
  figures?: Readonly<Record<string, number>>
  /** The secondary metrics to display, with their meaning. */
  beside?: readonly ShownMetric[]
  /** The metric for each value of some columns, if the dataset's `by` names them. */
  by?: readonly MetricsByColumn[]
  /** The column that groups rows which are not independent, if the dataset's `cluster` names one. */
  cluster?: string
  rows: number
  /** Rows without an answer, or with one that could not be scored or decided; the value excludes them. */
  failed: number
  /** The outcomes of all answers, including each of several per row. */
  answers: OutcomeCounts
  /** The rows with at least one answer of each outcome, if rows have several answers. */
  answerRows?: OutcomeCounts
  /** The verdicts of the judge model: one for each of its replies, and for each answer that a rule settled without it. */
  verdicts?: VerdictCounts
  /** Why tool calls are wrong: the most frequent reasons. */
  wrongCalls?: readonly { reason: string; rows: number }[]
  /** Rows in which reasoning was separated from the answer. */
  reasoned?: number
  /** How many of the failed rows have no answer at all, if others have one that could not be scored. */
  unanswered?: number
  /** Rows whose answer comes from an earlier run. */
  cached?: number
  /** Unreadable rows of the file. */
  skipped: number
  tokens: TokenUsage
  /** Tokens of the judge model, as far as this run queried it. */
  judgeTokens?: TokenUsage
  /** The cost of this run's tokens, if prices are given; one per currency. */
  costs?: readonly Cost[]
  /** The model or the judge whose cost is unknown: it has no price, or its server does not report tokens. */
  unpriced?: readonly string[]
  /** Answers that ended at the token limit. */
  cut: number
  /** The metric of the answers that did not, if some did: rows that are not cut, their value, and its interval. */
  complete?: { rows: number; value?: number; interval?: Interval }
  /** Examples dropped to stay within max_seq_len, over all rows. */
  examplesDropped: number
  seconds: number
  /** The dataset reproduces the reference's quirks. */
  compat?: string
  notes: readonly PairNote[]
}

/**
 * A note and the number of rows it concerns; with `ofDataset`, of all rows of the dataset, even if the run sends only some. With
 * `ofPair`, it was counted over all rows, and no row has it.
 */
export type PairNote = { code: string; text: string; rows: number; ofDataset?: true; ofPair?: true }

/** Two models on the same rows of a dataset; differences are the second's value minus the first's, in the dataset's unit. */
export type ModelComparison = PairedComparison & {
  dataset: string
  unit: PairResult['unit']
  /** Whether higher or lower values are better: a difference below 0 is a gain if it is `lower`. */
  direction: Direction
  first: string
  /** The format that replaced the first model's own. */
  firstFormat?: string | undefined
  second: string
  secondFormat?: string | undefined
  /** The p value adjusted for the number of comparisons, by Holm's method, and their number. */
  adjusted?: { p: number; tests: number }
  /** The only axis on which the two differ, and where they stand, if their config says so. */
  axis?: AxisName
  at?: readonly [first: Axes, second: Axes]
}

/** The best place on one axis, over all places on the others, and its difference from the second best on the same rows. */
export type AxisBest = {
  axis: AxisName
  best: string
  value: number
  second: string
  secondValue: number
  unit: string
  /** The second best minus the best would be its negative; the p value is adjusted for the other places on the axis. */
  compared: PairedComparison & { adjusted?: { p: number; tests: number } }
  /** Over how many places on the other axes scores are averaged. */
  over: number
}

/** A step along one axis that helps one model and not another, by more than chance. */
export type Interaction = {
  axis: AxisName
  data: string
  from: string
  to: string
  unit: string
  /** The model that gains more, and the other, with the gain of each. */
  more: { model: string; difference: number }
  less: { model: string; difference: number }
  /** The difference of the two gains, on the same rows. */
  compared: PairedComparison & { adjusted?: { p: number; tests: number } }
}

/** Several datasets as one metric. */
export type GroupResult = ModelName & {
  group: string
  unit: PairResult['unit']
  direction?: Direction
  value: number
  interval?: Interval
  /** How its datasets are weighted: equally, by their scored rows, or by its `weights`. */
  weightedBy?: 'datasets' | 'rows' | 'weights'
  /** Metrics of lm-evaluation-harness by its names, with standard errors, if the group requests some. */
  figures?: Readonly<Record<string, number | string>>
  /** Scored rows of all its datasets. */
  scored?: number
  datasets: readonly string[]
}

/** Prompt tokens, how many of those the server had cached, and reply tokens. */
export type TokenUsage = {
  prompt: number
  reused: number
  reply: number
  /** Replies whose tokens the server did not report: they are not in these sums. Absent if it reported all. */
  unreported?: number
}

export type Cost = { amount: number; currency: string }

/** Sums over all pairs of a run. */
export type RunTotals = {
  rows: number
  tokens: TokenUsage
  /** Tokens of the judge models. */
  judgeTokens?: TokenUsage
  /** The cost of what this run sent, without cached answers: one sum per currency. */
  costs?: readonly Cost[]
  /** Those whose cost is unknown, if others have one. */
  unpriced?: readonly string[]
}

/** What a run has spent. */
export type Spent = {
  tokens: number
  /** If everything has a price, in one currency. */
  cost?: Cost
  /** Otherwise: by currency, and the models and judges without a price. */
  costs?: Cost[]
  unpriced?: string[]
  seconds: number
}

/** A limit that is used up: as the flag is called, its value, and what was spent, rows in flight included. */
export type ReachedLimit = { limit: 'max-cost' | 'max-tokens-total' | 'max-time'; value: number; spent: Spent }

/** A whole run. */
export type RunSummary = {
  /** The name of the run, by its config. */
  name: string
  /** When the run began, in ISO 8601. */
  started: string
  /** How long the run took. */
  seconds: number
  /** The version of Rolecall. */
  version: string
  /** Set if rows remain to be sent: the run was interrupted, or a limit is reached. */
  unfinished?: true
  /** The limit that ended the run. */
  reached?: ReachedLimit
  /** If rows remain: what all rows have cost so far, including those of pairs without a result. */
  spent?: Spent
  /** `2/4`: the second of four shards. */
  shard?: string
  /** One entry for each model and dataset. */
  results: readonly PairResult[]
  /** Tokens of the pairs that have a result, and their cost. */
  totals?: RunTotals
  /** Models compared on the same rows. */
  comparisons?: readonly ModelComparison[]
  /** Prompts, and numbers of examples, compared on the same rows by the same model. */
  promptComparisons?: readonly ModelComparison[]
  /** The best place on each axis. */
  best?: readonly AxisBest[]
  /** Where what helps one model does not help another. */
  interactions?: readonly Interaction[]
  /** Models compared on the same rows of all datasets of a group; `dataset` is the name of the group. */
  groupComparisons?: readonly ModelComparison[]
  /** Several datasets as one metric. */
  groups?: readonly GroupResult[]
  /** Why groups have no value. */
  groupNotes?: readonly string[]
  /** The datasets and groups that the tables show, in this order (`summarizer.dataset_abbrs`); all if absent. */
  shown?: readonly string[]
}
