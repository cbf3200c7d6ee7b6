import type { Row } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import type { Format } from '@rolecall/core/internal/format'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import type { Interpreter } from '../../model/agent/interpreter.ts'
import type { BatchJournal } from '../../model/batch/batch-journal.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import type { SharedPace } from '../../model/openai/http/pace.ts'
import type { Wait } from '../../model/openai/http/wait.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import type { Chunks } from '../dataset/chunks.ts'
import type { Embedder } from '../dataset/retrieve/embedder.ts'
import type { EmbeddingSource } from '../dataset/retrieve/embedding-source.ts'
import type { OnProgress } from '../dataset/retrieve/retriever.ts'
import type { OnTokens } from './ask/ask-model.ts'
import type { FirstRows } from './ask/check-columns.ts'
import type { Budget } from './budget.ts'
import type { Pair } from './plan-run.ts'
import type { PreparedPairs } from './prepared-pairs.ts'
import type { ModelName } from './record/pair-name.ts'
import type { ReplacedTokens } from './record/replaced-tokens.ts'
import type { Computed, RowAnswer, RowRecord, TokenUsage } from './record/run-record.ts'
import type { LogProbabilitiesToKeep } from './record/trim-scores.ts'

/** The open rows of a dataset: the rows, their number if known, and the examples of each. */
export type OpenRows = {
  rows: Chunks<Row>
  total?: number
  examplesFor: (row: Row, number: number) => readonly Row[] | Promise<readonly Row[]>
  /** The index of an example in its file. */
  exampleNumber?: (example: Row) => number | undefined
  /** How many of the rows sent so far are in the pool of examples. */
  overlap?: () => number
  /** Notes about the examples so far, with the number of rows they concern. */
  notes?: () => readonly (Note & { rows: number })[]
  /** Unreadable rows so far. */
  skipped: () => { count: number; notes: readonly Note[] }
}

export type { Wait }

export type OpenModelOptions = {
  /** How many rows are sent concurrently; the model decides by default. */
  workers?: number
  /** Many rows follow. */
  isBatch?: true
  /** Called when a request has to wait. */
  onWait?: (wait: Wait) => void
  /** Shares the rate limit of an endpoint with other processes. */
  sharedPace?: (endpoint: string) => SharedPace
  /** Where a model in batches keeps what it has submitted. */
  batchJournal?: ((model: string) => BatchJournal) | undefined
}

/** The dependencies of a run: models, files, a clock, a hash. */
export type RunEnvironment = {
  openModel(config: ModelConfig, format: Format, options?: OpenModelOptions): Promise<LanguageModel>
  openRows(dataset: DatasetConfig, options?: { onProgress?: OnProgress }): Promise<OpenRows>
  /** A dataset's first rows, which are checked before anything is sent. */
  firstRows?(dataset: DatasetConfig): Promise<FirstRows>
  /** A dataset's test rows, without examples: they are examined before anything is sent. */
  testRows?(dataset: DatasetConfig): Chunks<Row>
  /** Opens a sandbox for code that tests answers; it can read these files under their names. */
  openInterpreter?(files?: readonly string[]): Promise<Interpreter>
  /** Turns texts that an evaluator compares into vectors. */
  embedder?(source: EmbeddingSource): Embedder
  /** Distinguishes models with equal configs, e.g. by a file's size and date. */
  identify?(config: ModelConfig): string
  /** The server of a model, if it does not run here: models on different servers run concurrently. */
  serverOf?(config: ModelConfig): string | undefined
  /** A model's tokenizer, if it can be loaded without opening the model. */
  tokenizerOf?(config: ModelConfig): Tokenizer | undefined
  /** The context length of a model before it is opened; undefined if unknown. */
  contextOf?(config: ModelConfig): number | undefined
  now(): number
  /** SHA-256, in hexadecimal. */
  hash(text: string): string
}

/** The recorded rows of a pair. */
export type RowStore = {
  /** The record with this key: the row's own, or with `anyRow` that of any row with the same requests. `rowHash`: of the row that is asked for. */
  find(id: number, key: string, anyRow: boolean, rowHash: string): RowRecord | undefined
  /** A snapshot of which rows have a record, and whether they failed; undefined if none has. */
  known?(): ((id: number) => 'answered' | 'failed' | undefined) | undefined
  /** Records a row; it survives a crash of this process a few milliseconds later. */
  add(record: RowRecord): void
  /** Keeps what a row has spent on replies that its record will not have. */
  lost?(id: number, tokens: ReplacedTokens): void
  /** What a program computed over all rows before. */
  computed?(): Computed | undefined
  /** All rows are done. */
  end?(): void
}

/** Answers of earlier runs by the first half of a row's key; the second half selects the cache. */
export type AnswerCache = {
  /** `check` says why an answer cannot be reused: the cache may contain what another program wrote. */
  find(question: string, check: AnswerCheck): RowAnswer | undefined
  add(question: string, answer: RowAnswer): void
}

/** Why an answer cannot belong to a row; undefined if it can. */
export type AnswerCheck = (answer: RowAnswer) => string | undefined

/** A row for a remote worker, with everything its requests are made of. */
export type RowTask = { row: Row; id: number; examples: readonly Row[]; key: string; retry?: RowRetry }

/** The second attempt of a row whose answer was cut: the key of the first, the limit of tokens, and what the row has taken so far. */
export type RowRetry = { of: string; maxTokens: number; spent: TokenUsage }

/**
 * Other processes that query the models, e.g. workers on a queue. This process still renders, keys, scores and records the rows.
 */
export type RemoteWorkers = {
  /**
   * Sends a row; throws what the model would throw here, after `onTokens` was given what it had spent. Answers that fail the check are
   * dropped. Undefined if aborted.
   */
  ask(pair: Pair, task: RowTask, check: AnswerCheck, onTokens?: OnTokens): Promise<RowAnswer | undefined>
  /** How many rows of a model may be in flight; listeners of `onRoom` are called when that may have grown. */
  room(model: ModelName): number
  onRoom(look: () => void): void
  /** Announces a pair before its first row, with the number of rows if known. */
  begin(pair: Pair, total: number | undefined): void
  /** All rows of a pair have been read. */
  read(pair: Pair): void
}

/** Which rows are sent, how many concurrently, and where answers are recorded. */
export type RunOptions = {
  /** The maximum number of rows of each dataset; below 1, the share of its rows. */
  limit?: number
  /** Record the prompts. */
  keepPrompts?: boolean
  /** Which log-probabilities are recorded; all by default. */
  logProbabilities?: LogProbabilitiesToKeep
  /** How many rows are sent concurrently; by default as many as the model serves. */
  workers?: number
  /** Only every `count`-th row, starting with the `index`-th (from 0). */
  shard?: { index: number; count: number }
  /** Where recorded answers are looked up and new ones added. */
  storeFor?: (pair: Pair) => RowStore
  /**
   * The address that a resumed run's keys contain for the model of a pair, if its server stands elsewhere now: where it stands is not what
   * was asked, and answers that were paid for are kept.
   */
  keyServerOf?: (pair: Pair) => unknown
  /** Answers of earlier runs, for a model and its settings. */
  cacheFor?: (settings: string) => AnswerCache
  /** Retry rows that failed before. */
  retryErrors?: boolean
  /** Ask rows whose answer was cut once more, with this many times their limit of tokens. */
  retryCut?: number
  /** Throw the error of a row instead of recording it. */
  throwErrors?: boolean
  /** What is known about the pairs, if they are prepared. */
  prepared?: PreparedPairs
  /** Send nothing: rows that are not in the store are skipped. */
  offline?: boolean
  /** Admits rows before they are sent. */
  budget?: Budget
  /** Starts no more rows; those in flight are finished. */
  stop?: AbortSignal
  /** Abandons rows in flight. */
  signal?: AbortSignal
  onWait?: (wait: Wait) => void
  sharedPace?: OpenModelOptions['sharedPace']
  batchJournal?: OpenModelOptions['batchJournal']
  /** Remote workers that query the models, all models concurrently. */
  remote?: RemoteWorkers
}
