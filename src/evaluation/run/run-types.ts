import type { Note } from '../../base/errors/note.ts'
import type { Interpreter } from '../../model/agent/interpreter.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import type { SharedPace } from '../../model/openai/http/pace.ts'
import type { Wait } from '../../model/openai/http/wait.ts'
import type { Row } from '../../prompt/conversation/row.ts'
import type { Format } from '../../prompt/format/format.ts'
import type { Tokenizer } from '../../prompt/tokenizer/tokenizer.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import type { Chunks } from '../dataset/chunks.ts'
import type { OnProgress } from '../dataset/retrieve/retriever.ts'
import type { FirstRows } from './ask/check-columns.ts'
import type { Pair } from './plan-run.ts'
import type { ModelName } from './record/pair-name.ts'
import type { RowAnswer, RowRecord } from './record/run-record.ts'
import type { LogProbabilitiesToKeep } from './record/trim-scores.ts'

/** A dataset's rows, opened: those to ask, how many there are if that is known, and what is shown to each as examples. */
export type OpenRows = {
  rows: Chunks<Row>
  total?: number
  examplesFor: (row: Row, number: number) => readonly Row[] | Promise<readonly Row[]>
  /** The number of a row that is an example, in its file. */
  exampleNumber?: (example: Row) => number | undefined
  /** How many of the rows asked so far are among those that examples are chosen from. */
  overlap?: () => number
  /** What is to be told of the examples that were shown so far, and of how many rows. */
  notes?: () => readonly (Note & { rows: number })[]
  /** Rows that could not be read so far. */
  skipped: () => { count: number; notes: readonly Note[] }
}

export type { Wait }

export type OpenModelOptions = {
  /** How many rows are asked at once, where that is not left to the model. */
  workers?: number
  /** Is told when a request has to wait. */
  onWait?: (wait: Wait) => void
  /** Keeps the rate limit of an endpoint together with other processes. */
  sharedPace?: (endpoint: string) => SharedPace
}

/** What a run needs from outside: models, files, a clock, a hash. */
export type RunEnvironment = {
  openModel(config: ModelConfig, format: Format, options?: OpenModelOptions): Promise<LanguageModel>
  openRows(dataset: DatasetConfig, options?: { onProgress?: OnProgress }): Promise<OpenRows>
  /** A dataset's first rows, to be looked at before anything is asked. */
  firstRows?(dataset: DatasetConfig): Promise<FirstRows>
  /** Runs code that tests answers, kept away from the machine. */
  openInterpreter?(): Promise<Interpreter>
  /** What tells models apart whose config is the same, e.g. a file's size and date. */
  identify?(config: ModelConfig): string
  /** A model's tokenizer, where it can be had without opening the model. */
  tokenizerOf?(config: ModelConfig): Tokenizer | undefined
  now(): number
  /** SHA-256, in hexadecimal. */
  hash(text: string): string
}

/** The rows of a pair that have been answered. */
export type RowStore = {
  /** The answer to this very question: the row's own, or with `anyRow` that of any row that asked the same. */
  find(id: number, key: string, anyRow: boolean): RowRecord | undefined
  /** Whether a row had an answer when this was called; undefined where none has. */
  known?(): ((id: number) => boolean) | undefined
  /** Keeps a row; a few milliseconds later it is safe from a crash of this process. */
  add(record: RowRecord): void
  /** All rows are done. */
  end?(): void
}

/** Answers of earlier runs, by the first half of a row's key; the second half chose the cache. */
export type AnswerCache = {
  find(question: string): RowAnswer | undefined
  add(question: string, answer: RowAnswer): void
}

/** A row that is to be asked elsewhere, with all that its question is made of. */
export type RowTask = { row: Row; id: number; examples: readonly Row[]; key: string }

/**
 * Other processes that ask models in place of this one, e.g. workers on a queue. Rows are still rendered, keyed, scored and recorded
 * here.
 */
export type RemoteWorkers = {
  /** Asks a row; what a model refuses is thrown as it would be here. Undefined where it was broken off. */
  ask(pair: Pair, task: RowTask): Promise<RowAnswer | undefined>
  /** How many rows of a model may be under way; `onRoom` gets what is to be called when there may be room for more. */
  room(model: ModelName): number
  onRoom(look: () => void): void
  /** How many rows of a pair there are, as far as that is known, told before the first one. */
  begin(pair: Pair, total: number | undefined): void
  /** No more rows of a pair come. */
  read(pair: Pair): void
}

/** Which rows are asked, how many at once, and where answers are kept. */
export type RunOptions = {
  /** The most rows of each dataset. */
  limit?: number
  /** Keep what was sent in the records. */
  keepPrompts?: boolean
  /** How much of what a model thinks of each token is kept in the records; all by default. */
  logProbabilities?: LogProbabilitiesToKeep
  /** How many rows are asked at once; by default as many as the model serves. */
  workers?: number
  /** Only each `count`-th row, from the `index`-th on (from 0). */
  shard?: { index: number; count: number }
  /** What was answered before is taken from here; answers are added. */
  storeFor?: (pair: Pair) => RowStore
  /** Answers of earlier runs, for a model and its settings. */
  cacheFor?: (settings: string) => AnswerCache
  /** Ask rows again that failed before. */
  retryErrors?: boolean
  /** Ask nothing: rows that are not in the store are left out. */
  offline?: boolean
  /** No more rows are started; those that are under way are finished. */
  stop?: AbortSignal
  /** What is under way is given up. */
  signal?: AbortSignal
  onWait?: (wait: Wait) => void
  sharedPace?: OpenModelOptions['sharedPace']
  /** Who asks, where that is not this process: all models are then asked side by side. */
  remote?: RemoteWorkers
}
