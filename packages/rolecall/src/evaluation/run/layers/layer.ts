import type { PromptError } from '@rolecall/core/internal/errors'
import type { RowAnswer, RowRecord } from '../record/run-record.ts'
import type { SpentNow } from '../run-event.ts'
import type { AskedRow } from './asked-row.ts'

/** A row with its answer, and what its summary needs; no record if it may not be sent. */
export type AnsweredRow = { record?: RowRecord; keep?: unknown; from: 'model' | 'stored' | 'cached' | 'nowhere' } & SpentNow

/** The model's answer to a row, not yet judged; with the error, if there is one in its place. Undefined if the run was aborted. */
export type RowReply = (RowAnswer & { error?: PromptError }) | undefined

/** A layer with everything below it. */
export type Answering<Answer> = (asked: AskedRow) => Answer | Promise<Answer>

/** Answers a row, or passes it on: changed on its way down, or with another answer on the way back. */
export type Layer<Answer> = (asked: AskedRow, next: Answering<Answer>) => Answer | Promise<Answer>

/** Layers around the last step, outermost first. */
export function layered<Answer>(layers: readonly Layer<Answer>[], last: Answering<Answer>): Answering<Answer> {
  return layers.reduceRight<Answering<Answer>>((next, layer) => (asked) => layer(asked, next), last)
}
