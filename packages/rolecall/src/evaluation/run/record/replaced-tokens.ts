import { isAny, judgeTokensOf } from './cost.ts'
import { isFailure } from './row-record.ts'
import type { RowRecord, TokenUsage } from './run-record.ts'

/** Tokens of a model and of a judge. `partial`: of the first replies to a row that was stopped before its last. */
export type ReplacedTokens = { tokens?: TokenUsage; judge_tokens?: TokenUsage; partial?: true }

/** The tokens of a record that the one in its place does not include; undefined if there are none. */
export function replacedTokens(before: RowRecord, after: RowRecord): ReplacedTokens | undefined {
  const isOtherAnswer = before.key !== after.key || isFailure(before)
  const tokens = isOtherAnswer && !before.cached && isAny(before.tokens) ? before.tokens : undefined
  const judge = before.details?.judge_key === after.details?.judge_key ? undefined : judgeTokensOf(before)
  if (!tokens && !judge) return undefined
  return { ...(tokens ? { tokens } : {}), ...(judge ? { judge_tokens: judge } : {}) }
}

/** The record of another row with the same request, whose answer this row shares: it was paid for once. */
export function sharedRecord(record: RowRecord): RowRecord {
  const { judge_tokens: _, ...details } = record.details ?? {}
  return { ...record, cached: true, ...(record.details ? { details } : {}) }
}
