import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import type { Row } from '../../prompt/conversation/row.ts'
import type { Prompt } from '../../prompt/format/format.ts'
import type { Found, RuleText } from './rule.ts'

/** A prompt of a row, as a model is sent it. */
export type AskedPrompt = {
  model: string
  prompt: Prompt
  mode: 'gen' | 'ppl'
  /** For perplexity: the label that it is the prompt of. */
  label?: string
  /** Examples that were dropped to stay within `max_seq_len`. */
  examplesDropped: number
  /** Where the model has a limit and its tokens can be counted. */
  length?: { tokens: number; limit: number }
}

export type AskedRow = { number: number; row: Row; examples: readonly Row[]; prompts: readonly AskedPrompt[] }

/** A dataset that is examined, with some of its rows and their prompts. */
export type DatasetSubject = { dataset: DatasetConfig; rows: readonly AskedRow[] }

/** One thing that a rule found in a dataset; `path` is the place in its config, such as `reader_cfg.input_columns`. */
export type FoundInDataset = Omit<Found, 'at'> & { path: string }

/** A rule about datasets: their templates, columns and rows. */
export type DatasetRule = RuleText & {
  /** A dataset in which it finds something, and one in which it does not. */
  example: { bad: object; good: object; model?: object }
  check(subject: DatasetSubject): readonly FoundInDataset[]
}
