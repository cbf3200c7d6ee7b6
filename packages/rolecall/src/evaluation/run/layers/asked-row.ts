import type { Row } from '@rolecall/core/internal/conversation'
import { compactJson, type PyValue } from '@rolecall/core/internal/python'
import { answerProblem } from '../answer-problem.ts'
import type { OnTokens } from '../ask/ask-model.ts'
import type { HashedRequests } from '../ask-row.ts'
import { columnsOf } from '../kept-columns.ts'
import type { PairContext } from '../pair-context.ts'
import type { RowAnswer, RowRecord } from '../record/run-record.ts'
import { withDraw } from '../request-key.ts'
import type { AnswerCheck, RowRetry } from '../run-types.ts'
import { goldOf } from '../score-answer.ts'

/** A row of a pair, before its requests are written. */
export type UnaskedRow = {
  context: PairContext
  row: Row
  id: number
  examples: readonly Row[]
  rowHash: string
  gold: PyValue | undefined
  columns: RowRecord['columns']
}

/** A row with its requests, on its way through the layers. */
export type AskedRow = UnaskedRow & {
  requests: HashedRequests
  /** The seed, if answers are sampled. */
  draw: number | undefined
  key: string
  /** The part of the key that does not depend on the model's settings. */
  question: string
  /** An earlier answer that was cut at the limit of tokens: only its retry is sent. */
  cut: RowAnswer | undefined
  /** This is the second attempt. */
  retry: Omit<RowRetry, 'of'> | undefined
  /** Receives the tokens of each reply as it arrives. */
  onTokens: OnTokens | undefined
}

export function unaskedRow(context: PairContext, row: Row, id: number, examples: readonly Row[]): UnaskedRow {
  return {
    context,
    row,
    id,
    examples,
    rowHash: context.environment.hash(compactJson(row)).slice(0, 32),
    gold: goldOf(context.pair, row),
    columns: columnsOf(row, context.columns),
  }
}

/** Field by field, with those that layers set: a copy then keeps the object's shape, and this is a hot path. */
export function askedRow({ context, row, id, examples, rowHash, gold, columns }: UnaskedRow, requests: HashedRequests): AskedRow {
  const draw = context.draws?.(id)
  const key = requests.asked + withDraw(context.settings, draw)
  const question = withDraw(requests.asked, draw)
  const unset = undefined
  return { context, row, id, examples, rowHash, gold, columns, requests, draw, key, question, cut: unset, retry: unset, onTokens: unset }
}

/** Why an answer from a cache or a worker cannot belong to the row. */
export function checkOf({ context, requests }: AskedRow): AnswerCheck {
  return (answer) => answerProblem(context.plan, requests, answer, context.environment.hash)
}
