import { PromptError } from '@rolecall/core/internal/errors'
import { stopsRun } from '../../../model/language-model/stops-run.ts'
import { addTokens, isAny, noTokens } from '../record/cost.ts'
import { noAnswer, recordOf } from '../record/row-record.ts'
import type { TokenUsage } from '../record/run-record.ts'
import { costNoteOf, rowCostError } from '../row-cost.ts'
import type { AskedRow, UnaskedRow } from './asked-row.ts'
import type { AnsweredRow, Answering, RowReply } from './layer.ts'

/** An error of a row becomes its reply; one that would hit every row stops the run, and nothing is recorded. */
export async function catchFailures(asked: AskedRow, next: Answering<RowReply>): Promise<RowReply> {
  const { pair, environment, options, deferred } = asked.context
  const started = environment.now()
  const paid = noTokens()
  let reply: RowReply
  try {
    reply = await next({ ...asked, onTokens: (tokens) => addTokens(paid, tokens) })
  } catch (error) {
    // A partial answer is discarded: resuming the run sends the row again.
    if (options.signal?.aborted) return discarded(asked, paid)
    if (!(error instanceof PromptError) || stopsRun(error)) {
      discarded(asked, paid)
      throw error
    }
    return { ...noAnswer(environment.now() - started), tokens: paid, error }
  }
  deferred.settle()
  if (!reply) return discarded(asked, paid)
  const tooMuch = costNoteOf(reply)
  return tooMuch ? { ...reply, error: rowCostError(pair, tooMuch.text) } : reply
}

/** No record has what such a row has spent on its first replies: limits count it all the same. */
function discarded({ context: { pair, options, store }, id }: AskedRow, paid: TokenUsage): undefined {
  if (!isAny(paid)) return
  store?.lost?.(id, { tokens: paid, partial: true })
  options.budget?.partial(pair, paid)
}

/** Records a row without an answer, unless an earlier part of the run has done so. */
export function recordFailure(row: UnaskedRow, key: string, error: PromptError, answer = noAnswer(0)): AnsweredRow {
  const { context, id, rowHash, columns, gold } = row
  const { options, store, deferred } = context
  if (options.throwErrors) throw error
  const before = options.retryErrors ? undefined : store?.find(id, key, false, rowHash)
  if (before) return { record: before, from: 'stored' }
  const known = { id, key, rowHash, columns, gold, exampleIds: undefined, cached: undefined }
  const record = recordOf(known, { ...answer, prediction: null }, { error: error.message, outcome: 'failed' })
  if (error.code === 'request-failed') deferred.add(() => store?.add(record))
  else store?.add(record)
  return { record, from: 'model' }
}
