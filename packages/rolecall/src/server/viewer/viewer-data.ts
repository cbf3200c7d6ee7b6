import type { Note } from '@rolecall/core/internal/errors'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { UnusedKey } from '../../evaluation/config/unread-keys.ts'
import type { RowAnnotation } from '../../evaluation/run/record/annotation.ts'
import type { RunComparison } from '../../evaluation/run/record/compare-rows.ts'
import type { MainMetric } from '../../evaluation/run/record/main-metric.ts'
import type { Outcome } from '../../evaluation/run/record/outcome.ts'
import type { PairName } from '../../evaluation/run/record/pair-name.ts'
import type { Review } from '../../evaluation/run/record/review.ts'
import type { PairResult, RunSummary } from '../../evaluation/run/record/run-record.ts'
import type { WhyReport } from '../../workbench/why/explain.ts'

// The data of the page, from the server or from the files of an exported site. The page imports this file.

/** The source of a model's tokenizer. */
export type TokenizerSite =
  | { kind: 'embedded' }
  | { kind: 'hugging-face'; name: string; url: string; config?: string }
  | { kind: 'sentencepiece'; name: string; url: string }
  /** The vocabulary of a GGUF file, as metadata entries. */
  | { kind: 'gguf'; name: string; url: string }

export type ModelSite = { name: string; config: ModelConfig; tokenizer?: TokenizerSite }

export type DatasetSite = {
  name: string
  /** Without its rows, which are loaded on demand. */
  config: DatasetConfig
  /** The number of rows in an exported site. */
  exported?: number
}

/** A config whose prompts can be viewed. */
export type ConfigSite = {
  name: string
  models: readonly ModelSite[]
  datasets: readonly DatasetSite[]
  warnings: readonly Note[]
  /** Keys that have no effect. */
  unused: readonly UnusedKey[]
  /** The shipped example, used without a config. */
  isExample?: true
}

/** An overview of all data. */
export type Site = {
  version: string
  configs: readonly ConfigSite[]
  runs: readonly RunSite[]
  /** Runs that cannot be opened, and why. */
  unreadable?: readonly (WireError['error'] & { folder: string })[]
  /** The names of saved conversations. */
  conversations: readonly string[]
  /** Rows per file: 1 from a server, more in an exported site. */
  rowsPerFile: number
  /** The time of the export, if there is no server. */
  exported?: string
  /** What the page sends with changes; absent if the site is read-only. */
  token?: string
  /** Runs in progress can be controlled, with a token that the site does not contain. */
  hasControl?: true
  /** The site is a single HTML file. */
  isOneFile?: true
  /** The site has only some rows of one model on one dataset: how many of those found by the filter, and the address to start with. */
  shared?: { rows: number; found: number; start: Readonly<Record<string, string>> }
}

/** Rows per page of a list. */
export const listPageSize = 200

/** A page of a dataset's rows, in short. */
export type RowList = {
  total: number
  /** The first characters of each. */
  previews: readonly string[]
}

/** Rows as JSON, which the page parses as Python does, with their examples. */
export type RowPage = {
  /** All examples of these rows. */
  texts: readonly string[]
  rows: readonly {
    row: string
    /** Indices in `texts`. */
    examples: readonly number[]
    /** The example that is the row itself. */
    own?: number
    /** The data is not what was run: the row, or its examples, are not shown. */
    withheld?: 'row' | 'examples'
  }[]
  notes: readonly Note[]
}

/** A run and its pairs of model and dataset. */
export type RunSite = {
  name: string
  /** ISO 8601; runs of others may have any text. */
  started: string
  folder: string
  /** Where it lies, from the folder in which the viewer was started; a run of another harness: the files it was read from. */
  place: string
  /** The other harness that ran it, with its version if that is recorded: `lm-eval 0.4.13`. */
  harness?: string
  /** The number of its config on the site. */
  config: number
  /** The options of the command that replace settings of the config, by name; absent if there are none. */
  options?: Readonly<Record<string, string | number>>
  /** The repositories that the run used from a hub, each with its commit; absent if there are none. */
  hub?: readonly string[]
  /** `datasetIndex` is -1 if the config no longer has the dataset. */
  pairs: readonly (PairName & { modelIndex: number; datasetIndex: number })[]
}

/** A line in the list of runs. */
export type RunLine = {
  /** `gone`: its folder was deleted; `damaged`: one of its files cannot be read. */
  state: 'live' | 'done' | 'unfinished' | 'gone' | 'damaged'
  /** Why it cannot be read. */
  error?: WireError['error']
  /** What is wrong with its files. */
  damage?: readonly Damage[]
  /** Answered rows of all pairs. */
  rows: number
  /** All rows; absent if they cannot be counted. */
  all?: number
  /** Rows without a score; absent if there are none. */
  failed?: number
  /** The score of each pair, or the mean so far. */
  figures: readonly { label?: MainMetric; value?: number }[]
}

/** The differences between two runs or two models. */
export type ComparedSides = {
  pairs: readonly PairDiff[]
  /** Pairs that only one side has, as "model on dataset". */
  onlyInFirst: readonly string[]
  onlyInSecond: readonly string[]
}

export type PairDiff = {
  /** The number of the pair in each run. */
  first: number
  second: number
  comparison: Omit<RunComparison, 'better' | 'worse' | 'otherwise'>
  /** The common rows, in the order of the first side. */
  rows: {
    ids: readonly number[]
    /** Their places in the records of each side. */
    places: readonly [first: readonly number[], second: readonly number[]]
    /** A letter per row: `b`etter, `w`orse, `o`therwise different with the same score, `=` equal, `x` excluded. */
    changes: string
    /** Bits per row for differences in prompt, answer, gold, reading and score. */
    differs: readonly number[]
  }
}

/** Why the scores of two pairs differ, the metrics that each has, and the number of the row at each place of its records. */
export type WhyView = {
  report: WhyReport
  metrics: readonly [first: readonly string[], second: readonly string[]]
  ids: readonly [first: readonly number[], second: readonly number[]]
}

/** The progress of a run. If rows are damaged, results are those of the rows that are left. */
export type RunStatus = {
  isLive: boolean
  /** How far it is, if it is live. */
  progress?: LiveProgress
  summary?: RunSummary
  pairs: readonly PairStatus[]
  damage?: readonly Damage[]
}

/** A run in progress: answered rows of all pairs, errors so far, and as far as known all rows, the rate and the time left. */
export type LiveProgress = { rows: number; failed: number; all?: number; perSecond?: number; secondsLeft?: number }

/** What is wrong with the files of a run: rows of a pair that are missing or unreadable, or a file that is not valid JSON. */
export type Damage =
  | { kind: 'rows'; pair: number; missing: number; unreadable: number /** The rows of the complete run, if known. */; of?: number }
  | { kind: 'file'; file: string }

export type PairStatus = {
  rows: number
  /** Changes when rows are added or replaced; absent without rows, and in exported sites. */
  stamp?: string
  /** The metric; in older runs only known at the end. */
  figure?: MainMetric
  /** The mean score so far, if the metric is a mean and there is no result yet. */
  mean?: number
  /** Rows that failed so far, if there is no result yet. */
  failed?: number
  result?: PairResult
}

/** An annotated row; `isOutdated` if its answer was replaced since, so that the verdict does not count. */
export type PageAnnotation = RowAnnotation & { row: number; at: string; isOutdated?: true }

/** The annotations of a pair, in the order of its rows; unreadable lines of their file; why it cannot be written, if it cannot. */
export type PairAnnotations = { rows: readonly PageAnnotation[]; review: Review; unreadable?: number; problem?: string }

/** Scores of all rows, by row number. */
export type ScoreColumn = {
  /** As in `PairStatus`. */
  stamp?: string
  ids: readonly number[]
  scores: readonly (number | null)[]
  failed: readonly number[]
  /** Row numbers by outcome of at least one answer; rows with only `answered` are in none of these lists. */
  outcomes: Readonly<Partial<Record<Outcome, readonly number[]>>>
}

/** Further columns of a pair's rows, in the order of its scores, for sorting and filtering. */
export type RowColumns = {
  promptTokens: readonly number[]
  replyTokens: readonly number[]
  /** Latency; null for cached answers. */
  milliseconds: readonly (number | null)[]
  /** Places of the rows whose reply hit the token limit. */
  cut: readonly number[]
  /** Places of the rows answered in an earlier run. */
  cached: readonly number[]
  /** Notes by code, and the places of their rows; `failed` for errors. A code may have many texts, of which the first are listed. */
  notes: readonly { code: string; places: readonly number[]; texts: readonly { text: string; places: readonly number[] }[] }[]
  /** Why tool calls are wrong, most frequent first. */
  reasons: readonly { reason: string; places: readonly number[] }[]
  /** Columns with few distinct values. */
  columns: readonly ValueColumn[]
}

/** Distributions of prompt length, reply length and latency on a dataset, per pair. */
export type RunLengths = {
  promptTokens: Distribution
  /** Without rows without generation. */
  replyTokens: Distribution
  milliseconds: Distribution
  /** Rows with cached answers, which have no latency. */
  known: readonly { pair: number; rows: number }[]
}

/** A histogram. */
export type Distribution = {
  /** The start of the first bar, the width of bars, and their number. */
  from: number
  step: number
  bars: number
  /** The last bar includes all higher values. */
  isOpen: boolean
  /** `nearlyAll`: the 95th percentile. */
  pairs: readonly { pair: number; counts: readonly number[]; rows: number; median: number; nearlyAll: number; most: number }[]
}

/** A column with few distinct values; `of` has the index of each row's value, or -1. */
export type ValueColumn = { name: string; values: readonly string[]; of: readonly number[] }

/** A row of a run, in short. */
export type RecordLine = {
  id: number
  prediction: string
  /** What was extracted from the answer, if the run recorded it. */
  reading?: string
  gold?: string
  score?: number
  outcome?: Outcome | readonly Outcome[]
  error?: string
  finish?: string
  asked?: string
  tokens: number
  /** Undefined for cached answers. */
  milliseconds?: number
}

/** A page of a run's rows, in short. */
export type RecordList = { total: number; lines: readonly RecordLine[] }

/** A user's mistake. */
export type WireError = { error: { where: string; problem: string; fix: string } }
