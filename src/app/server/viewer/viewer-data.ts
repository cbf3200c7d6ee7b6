import type { Note } from '../../../base/errors/note.ts'
import type { DatasetConfig, ModelConfig } from '../../../evaluation/config/config-schema.ts'
import type { UnusedKey } from '../../../evaluation/config/unread-keys.ts'
import type { RunComparison } from '../../../evaluation/run/record/compare-runs.ts'
import type { MainFigure } from '../../../evaluation/run/record/main-figure.ts'
import type { Outcome } from '../../../evaluation/run/record/outcome.ts'
import type { PairName } from '../../../evaluation/run/record/pair-name.ts'
import type { PairResult, RunSummary } from '../../../evaluation/run/record/run-record.ts'

// What the page gets from the server, or finds as files in an exported site. Types only: the page imports this file.

/** Where a model's tokenizer comes from; undefined where there is none here. */
export type TokenizerSite =
  | { kind: 'embedded' }
  | { kind: 'hugging-face'; name: string; url: string; config?: string }
  | { kind: 'sentencepiece'; name: string; url: string }
  /** The vocabulary of a GGUF file, as entries of its metadata. */
  | { kind: 'gguf'; name: string; url: string }

export type ModelSite = { name: string; config: ModelConfig; tokenizer?: TokenizerSite }

export type DatasetSite = {
  name: string
  /** Without its rows, which are read when they are looked at. */
  config: DatasetConfig
  /** In an exported site: how many rows it has. */
  exported?: number
}

/** A config, to look at its prompts. */
export type ConfigSite = {
  name: string
  models: readonly ModelSite[]
  datasets: readonly DatasetSite[]
  warnings: readonly Note[]
  /** Places of keys that mean nothing here. */
  unused: readonly UnusedKey[]
  /** The shipped example, since there is no config. */
  isExample?: true
}

/** All there is to look at. */
export type Site = {
  version: string
  configs: readonly ConfigSite[]
  runs: readonly RunSite[]
  /** Saved conversations, by their names. */
  conversations: readonly string[]
  /** How many rows lie in one file: 1 from a server, more in an exported site. */
  rowsPerFile: number
  /** When it was exported: files instead of a server. */
  exported?: string
  /** All of it lies in one HTML file. */
  isOneFile?: true
}

/** How many rows one part of a list has. */
export const listPart = 200

/** A part of a dataset's rows, in short. */
export type RowList = {
  /** How many rows there are. */
  total: number
  /** The first characters of each. */
  previews: readonly string[]
}

/** Rows as they are written in JSON (the page reads them as Python would), with the rows that they are shown as examples. */
export type RowFile = {
  /** All rows that are an example of any of these. */
  texts: readonly string[]
  rows: readonly {
    row: string
    /** Places in `texts`. */
    examples: readonly number[]
    /** Which of the examples is this very row. */
    own?: number
  }[]
  notes: readonly Note[]
}

/** A run: what was asked of whom. */
export type RunSite = {
  name: string
  started: string
  folder: string
  /** Its config, among those of the site. */
  config: number
  /** `datasetIndex` is -1 where the config no longer has the dataset. */
  pairs: readonly (PairName & { modelIndex: number; datasetIndex: number })[]
}

/** A run in one line of the list of runs. */
export type RunLine = {
  /** `gone`: its folder is not there any more; `damaged`: a file of it cannot be read. */
  state: 'live' | 'done' | 'unfinished' | 'gone' | 'damaged'
  /** Why it cannot be read. */
  error?: WireError['error']
  /** Rows that have an answer, of all pairs. */
  rows: number
  /** Rows there are; absent where they cannot be counted. */
  all?: number
  /** The figure of each pair, or the mean of its scores so far. */
  figures: readonly { label?: MainFigure; value?: number }[]
}

/** What differs between two runs, or two models. */
export type ComparedSides = {
  pairs: readonly ComparedPair[]
  /** Pairs that only one side has, as "model on dataset". */
  onlyInFirst: readonly string[]
  onlyInSecond: readonly string[]
}

export type ComparedPair = {
  /** The numbers of the pair in its run. */
  first: number
  second: number
  comparison: Omit<RunComparison, 'better' | 'worse' | 'otherwise'>
  /** The rows that both have, in the order of the first side's numbers. */
  rows: {
    ids: readonly number[]
    /** Where they are among the records of the first side, and of the second. */
    places: readonly [first: readonly number[], second: readonly number[]]
    /** A letter for each row: `b`etter, `w`orse, `o`therwise (the same score, and something else differs), `=` the same. */
    changes: string
    /** A bit for each thing that differs: prompt, answer, gold, reading, score. */
    differs: readonly number[]
  }
}

/** How far a run is. */
export type RunState = { isLive: boolean; summary?: RunSummary; pairs: readonly PairState[] }

export type PairState = {
  rows: number
  /** What its rows are scored by; runs of before say so only when they are done. */
  figure?: MainFigure
  /** The mean score so far, in the figure's unit, while there is no result; undefined where the figure is no such mean. */
  mean?: number
  result?: PairResult
}

/** Scores of all rows from a place on, in the order of their numbers. */
export type ScoreColumn = {
  from: number
  ids: readonly number[]
  scores: readonly (number | null)[]
  failed: readonly number[]
  /** The numbers of rows by what became of their answer, or of one of several, where that is not `answered`. */
  outcomes: Readonly<Partial<Record<Outcome, readonly number[]>>>
}

/** What else is known of each row of a pair, in the order of its scores: what a table is sorted and filtered by. */
export type RowColumns = {
  promptTokens: readonly number[]
  replyTokens: readonly number[]
  /** How long the answer took; null where it was known from an earlier run. */
  milliseconds: readonly (number | null)[]
  /** Places of the rows whose reply hit the token limit. */
  cut: readonly number[]
  /** What was noticed, and the places of the rows in which it was. */
  notes: readonly { code: string; text: string; places: readonly number[] }[]
  /** Columns of the rows that have few values. */
  columns: readonly ValueColumn[]
}

/** Of the rows of a dataset, for each of its pairs in a run: how long prompts and answers are in tokens, and how long answers took. */
export type RunLengths = {
  promptTokens: Distribution
  /** Without rows for which nothing was generated. */
  replyTokens: Distribution
  milliseconds: Distribution
  /** Rows whose answer was known from an earlier run: they have no time. */
  known: readonly { pair: number; rows: number }[]
}

/** How values are spread: counts in bars of equal width. */
export type Distribution = {
  /** Where the first bar begins, how wide each is, and how many there are. */
  from: number
  step: number
  bars: number
  /** The last bar has all values that are higher, too. */
  isOpen: boolean
  /** `nearlyAll`: 95 % of the values are at most that. */
  pairs: readonly { pair: number; counts: readonly number[]; rows: number; median: number; nearlyAll: number; most: number }[]
}

/** A column with few values: which of them each row has; -1 for none. */
export type ValueColumn = { name: string; values: readonly string[]; of: readonly number[] }

/** A row of a run in short. */
export type RecordLine = {
  id: number
  prediction: string
  gold?: string
  score?: number
  outcome?: Outcome | readonly Outcome[]
  error?: string
  finish?: string
  asked?: string
  tokens: number
  /** Undefined where the answer was known from an earlier run. */
  milliseconds?: number
}

/** A part of a run's rows, in short. */
export type RecordList = { total: number; lines: readonly RecordLine[] }

/** A user's mistake, as the server tells it. */
export type WireError = { error: { where: string; problem: string; fix: string } }
