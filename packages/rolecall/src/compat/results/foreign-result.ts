import type { Note } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import type { PairName } from '../../evaluation/run/record/pair-name.ts'
import type { PairSetup, RowMetric } from '../../evaluation/run/record/pair-setup.ts'
import type { RecordedScore, RowAnswer, TokenUsage } from '../../evaluation/run/record/run-record.ts'

/** The files of a result folder, or a single file; names are relative paths with `/`. */
export type ResultFiles = {
  readonly names: readonly string[]
  /** The first bytes as text, to recognise a file by content. */
  head(name: string): string
  /** The text of a small file. */
  text(name: string): string
  chunks(name: string): Iterable<string>
  /** The members of a ZIP archive. */
  archive(name: string): Promise<{ names: readonly string[]; text(member: string): string }>
}

/** A message; each image is an object replacement character in its text. */
export type ChatTurn = { role: string; content: string; images?: readonly string[] }

/** One row as another harness recorded it. */
export type ForeignRow = {
  id: number
  /** What identifies the row in other runs: `doc_hash`, `sample_hash`, `id`. */
  keys: Readonly<Record<string, string>>
  /** The question, if it is recorded apart from the prompt. */
  question?: string | undefined
  choices?: readonly string[] | undefined
  gold?: PyValue | undefined
  prompt?: string | readonly ChatTurn[] | undefined
  /** Several if the row was answered several times; empty if there is no reply. */
  replies: readonly string[]
  /** Set if only the extracted answer is recorded, not the reply. */
  isExtracted?: true
  reasoning?: readonly string[] | undefined
  /** The channel of the reasoning: inside the reply, or beside it. */
  reasoningIn?: 'text' | 'field' | undefined
  scores?: readonly RecordedScore[] | undefined
  finish?: RowAnswer['finish'] | undefined
  tokens?: TokenUsage | undefined
  milliseconds?: number | undefined
  error?: string | undefined
  metrics: Readonly<Record<string, RowMetric>>
}

/** A part of a file that is left out, and why. */
export type SkippedPart = { file: string; place: string; problem: string }

export type SkipPart = (skipped: SkippedPart) => void

/** One model on one dataset, as another harness recorded it. */
export type ForeignPair = PairName & {
  setup: PairSetup
  /** The rows; `skip` is called for each part of a file that cannot be read as one. */
  rows(skip: SkipPart): AsyncIterable<ForeignRow> | Iterable<ForeignRow>
  /** The metrics that the harness reported, to check its rows against. */
  reported: Readonly<Record<string, number>>
}

/** Datasets of which a harness reports an average, by metric. */
export type ForeignGroup = {
  name: string
  /** The model, if groups of several models are reported. */
  model?: string
  datasets: readonly string[]
  reported: Readonly<Record<string, number>>
}

/** One run of another harness: what it wrote at one time. */
export type ForeignResult = {
  harness: string
  version?: string | undefined
  /** The file or folder it was read from, relative to the given one. */
  source: string
  /** ISO 8601, or any text that sorts by time; empty if unknown. */
  started: string
  pairs: readonly ForeignPair[]
  groups?: readonly ForeignGroup[]
  /** What could not be read, and what was assumed. */
  notes: readonly Note[]
}

/** Reads the results of one harness; an empty list if the files are not from it. */
export type ResultReader = { harness: string; read(files: ResultFiles): ForeignResult[] | Promise<ForeignResult[]> }
