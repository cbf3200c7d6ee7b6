import type { Row } from '@rolecall/core/internal/conversation'
import type { Prompt } from '@rolecall/core/internal/format'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import type { Examined } from '../../evaluation/run/examine/examine-pair.ts'
import type { RuleMatch, RuleText } from './rule.ts'

/** A prompt of a row, as sent to a model. */
export type LintedPrompt = {
  model: string
  prompt: Prompt
  mode: 'gen' | 'ppl'
  /** For perplexity: the label of this prompt. */
  label?: string
  /** Examples that were dropped to stay within `max_seq_len`. */
  examplesDropped: number
  /** Set if the model has a limit and its tokens can be counted. */
  length?: { tokens: number; limit: number }
}

export type LintedRow = { number: number; row: Row; examples: readonly Row[]; prompts: readonly LintedPrompt[] }

/** A dataset to lint, with some of its rows and their prompts, and what all its rows showed, if they were read. */
export type DatasetSubject = { dataset: DatasetConfig; rows: readonly LintedRow[]; examined?: Examined | undefined }

/** A match of a rule in a dataset; `path` is the location in its config, such as `reader_cfg.input_columns`. */
export type DatasetMatch = Omit<RuleMatch, 'at'> & { path: string }

/** A rule about datasets: their templates, columns and rows. */
export type DatasetRule = RuleText & {
  /** A dataset with a finding, and one without. */
  example: { bad: object; good: object; model?: object }
  check(subject: DatasetSubject): readonly DatasetMatch[]
}
