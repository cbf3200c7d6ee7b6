import type { PairContext } from '../pair-context.ts'
import { noTokens } from '../record/cost.ts'
import type { RowAnswer } from '../record/run-record.ts'
import { trimScores } from '../record/trim-scores.ts'
import { costNoteOf } from '../row-cost.ts'
import { type AskedRow, checkOf } from './asked-row.ts'
import { judgeAnswer } from './judge-answer.ts'
import type { AnsweredRow, Answering, RowReply } from './layer.ts'
import { isRetried } from './retry-cut.ts'

/** Questions that an earlier run has asked the same model are not sent again. */
export function reuseCached(asked: AskedRow, next: Answering<AnsweredRow>): AnsweredRow | Promise<AnsweredRow> {
  const { context, question } = asked
  const cached = context.isRepeatable ? context.cache?.find(question, checkOf(asked)) : undefined
  if (!cached) return next(asked)
  if (!isRetried(context, cached)) return judgeAnswer(asked, trimmed(context, cached), 'cached')
  // An earlier run has paid for it.
  return next(asked.cut ? asked : { ...asked, cut: { ...cached, tokens: noTokens(), milliseconds: 0 } })
}

/** Keeps first answers for later runs; one that was given up because of its cost is none. */
export function cacheReply(asked: AskedRow, next: Answering<RowReply>): RowReply | Promise<RowReply> {
  const { cache, isRepeatable } = asked.context
  return cache && isRepeatable && !asked.retry ? cacheNext(asked, next, cache) : next(asked)
}

async function cacheNext(asked: AskedRow, next: Answering<RowReply>, cache: NonNullable<PairContext['cache']>): Promise<RowReply> {
  const reply = await next(asked)
  if (reply && !costNoteOf(reply)) cache.add(asked.question, reply)
  return reply
}

/** What this run records of an answer. */
function trimmed({ options, pair }: PairContext, answer: RowAnswer): RowAnswer {
  const { logProbabilities: keep = 'all' } = options
  if (keep === 'all' || !answer.scores) return answer
  return { ...answer, scores: trimScores(answer.scores, keep, pair.inferencer.scoresChoices === true) }
}
