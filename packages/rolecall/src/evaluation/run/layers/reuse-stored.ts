import { sharedRecord } from '../record/replaced-tokens.ts'
import { isFailure } from '../record/row-record.ts'
import type { RowRecord } from '../record/run-record.ts'
import type { AskedRow } from './asked-row.ts'
import { judgeAnswer } from './judge-answer.ts'
import type { AnsweredRow, Answering } from './layer.ts'
import { isRetried } from './retry-cut.ts'

/** Rows that an earlier part of the run has recorded are not sent again. */
export function reuseStored(asked: AskedRow, next: Answering<AnsweredRow>): AnsweredRow | Promise<AnsweredRow> {
  const { context, id, key, rowHash } = asked
  const stored = context.store?.find(id, key, context.isRepeatable, rowHash)
  if (!stored) return next(asked)
  if (isRetried(context, stored)) return next({ ...asked, cut: stored })
  if (context.options.retryErrors && isFailure(stored)) return next(asked)
  return fromStore(asked, stored.id === id ? stored : sharedRecord(stored))
}

function fromStore(asked: AskedRow, record: RowRecord): AnsweredRow | Promise<AnsweredRow> {
  const { columns } = asked
  if (isFailure(record)) return { record: columns ? { ...record, columns } : record, from: 'stored' }
  // The right answer, the evaluator or the row's index may have changed since.
  return judgeAnswer(asked, record, 'stored', record)
}
