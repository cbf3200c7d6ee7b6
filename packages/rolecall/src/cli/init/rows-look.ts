import type { ColumnMap } from '../../evaluation/dataset/map-columns.ts'
import type { FileColumns, UsedColumn } from './file-columns.ts'
import type { DraftEvaluation } from './judge-gold.ts'

/** The recognised kind of a file of rows, and the prompt and evaluation for it. */
export type RowsLook = {
  /** A description. */
  is: string
  rowFormat?: string
  map?: ColumnMap
  /** The input columns. */
  inputs: readonly string[]
  /** The column with the gold answer. */
  gold?: string
  /** The column with the tools. */
  tools?: string
  /** The system prompt. */
  system?: string
  /** The user's prompt; absent if the rows are chats. */
  prompt?: string
  /** The gold answer is a single text, usable as the model's turn. */
  isSaid: boolean
  evaluation?: DraftEvaluation
  uses: readonly UsedColumn[]
}

/** What is asked, by the names that templates use. */
export type Asked = {
  contexts: readonly string[]
  questions: readonly string[]
  isChinese: boolean
  prompt: string | undefined
  system?: string
  tools?: string
}

/** The user's prompt with what else it asks for. */
export function promptOf({ contexts, questions, prompt }: Asked, ...more: readonly string[]): string {
  return [prompt ?? [...contexts, ...questions].map((name) => `{${name}}`).join('\n\n'), ...more].join('\n')
}

export function mapOf({ map }: FileColumns): { map?: ColumnMap } {
  return Object.keys(map).length === 0 ? {} : { map }
}
