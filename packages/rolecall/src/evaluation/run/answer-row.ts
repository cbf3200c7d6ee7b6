import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { type HashedRequests, hashRequests } from './ask-row.ts'
import { askHere } from './layers/ask-here.ts'
import { askWorkers } from './layers/ask-workers.ts'
import { askedRow, type UnaskedRow, unaskedRow } from './layers/asked-row.ts'
import { catchFailures, recordFailure } from './layers/catch-failures.ts'
import { judgeReply } from './layers/judge-answer.ts'
import { type AnsweredRow, layered, type RowReply } from './layers/layer.ts'
import { openFirst } from './layers/open-first.ts'
import { countRetry, retryCut } from './layers/retry-cut.ts'
import { cacheReply, reuseCached } from './layers/reuse-cached.ts'
import { reuseStored } from './layers/reuse-stored.ts'
import { stayOffline } from './layers/stay-offline.ts'
import { withinBudget } from './layers/within-budget.ts'
import type { PairContext } from './pair-context.ts'

/** Asks the model: here, or through workers on other machines. */
const ask = layered<RowReply>([openFirst, catchFailures, retryCut, cacheReply, askWorkers], askHere)

/** The story of a row. Each layer answers it or passes it on; reused answers are judged like new ones, by the current config. */
const answer = layered<AnsweredRow>([reuseStored, reuseCached, stayOffline, withinBudget, countRetry], (asked) => judgeReply(asked, ask))

/** Answers a row from the store, the cache, or the model; new answers are stored before this returns. */
export function answerRow(context: PairContext, row: Row, id: number, examples: readonly Row[]): AnsweredRow | Promise<AnsweredRow> {
  const unasked = unaskedRow(context, row, id, examples)
  let requests: HashedRequests
  try {
    requests = hashRequests(context.plan, { row, examples }, context.environment.hash)
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return recordFailure(unasked, keyOfError(unasked, error), error)
  }
  return answer(askedRow(unasked, requests))
}

/** The key of a row that has no requests, since they cannot be written. */
function keyOfError({ context, rowHash }: UnaskedRow, { message }: PromptError): string {
  return context.environment.hash(`${rowHash} ${message}`).slice(0, 32) + context.settings
}
