import type { Pair } from '../../evaluation/run/plan-run.ts'
import { type Amount, costOf, judgeTokensOf } from '../../evaluation/run/record/cost.ts'
import type { ReachedLimit, RowRecord } from '../../evaluation/run/record/run-record.ts'

/** The rows of a pair: how many have an answer, how many there are if that is known, and what the paid ones took. */
export type PairProgress = { pair: Pair; done: number; total: number | undefined; paid: PaidRows }

/** What rows took that were answered by a model, in this part of the run or an earlier one. */
export class PaidRows {
  rows = 0
  prompt = 0
  reply = 0
  cost = 0
  judgeTokens = 0
  judgeCost = 0

  add({ model, judge }: Pair, record: RowRecord): void {
    if (record.cached) return
    const { tokens } = record
    this.rows++
    this.prompt += tokens.prompt
    this.reply += tokens.reply
    this.cost += model.price ? costOf(tokens, model.price).amount : 0
    const judged = judgeTokensOf(record)
    if (!judged) return
    this.judgeTokens += judged.prompt + judged.reply
    this.judgeCost += judge?.config.price ? costOf(judged, judge.config.price).amount : 0
  }
}

/** Replies of a model that has not answered yet may be this much longer than those of the others. */
const longerReplies = 2

/**
 * A limit that suffices for all rows, with a fifth to spare: the rows left take what the answered rows of their model and dataset took; those
 * of a model that has not answered yet, what the rows of the others took, at its own price. Undefined if the number of rows is not known, or
 * no row says what they take: then only a dry run can say it.
 */
export function sufficientLimit({ limit, spent }: ReachedLimit, pairs: readonly PairProgress[]): number | undefined {
  if (limit === 'max-time') return undefined
  const key = limit === 'max-cost' ? 'cost' : 'tokens'
  const before = limit === 'max-cost' ? (spent.cost?.amount ?? 0) : spent.tokens
  const done = pairs.reduce((sum, one) => sum + one.done, 0)
  // A run that stops again before its first row was sent: the rows it kept took what was spent.
  const isAtOnce = pairs.every(({ paid }) => paid.rows === 0)
  let left = 0
  for (const one of pairs) {
    const total = one.total ?? pairs.find(({ pair, total: known }) => known !== undefined && pair.dataset === one.pair.dataset)?.total
    const perRow = isAtOnce && one.done > 0 ? before / done : rowOf(one, pairs)?.[key]
    if (total === undefined) return undefined
    if (total <= one.done) continue
    if (perRow === undefined) return undefined
    left += (total - one.done) * perRow
  }
  return roundedUp(1.2 * (before + left))
}

/** What a row of a pair is expected to take. */
function rowOf({ pair, paid }: PairProgress, pairs: readonly PairProgress[]): Amount | undefined {
  if (paid.rows > 0)
    return { tokens: (paid.prompt + paid.reply + paid.judgeTokens) / paid.rows, cost: (paid.cost + paid.judgeCost) / paid.rows }
  const others = pairs.filter((one) => one.paid.rows > 0)
  const alike = others.filter((one) => one.pair.dataset === pair.dataset)
  const used = alike.length > 0 ? alike : others.filter((one) => one.pair.model === pair.model)
  const rows = used.reduce((sum, one) => sum + one.paid.rows, 0)
  if (rows === 0) return undefined
  const mean = (key: 'prompt' | 'reply' | 'judgeTokens' | 'judgeCost') => used.reduce((sum, { paid: one }) => sum + one[key], 0) / rows
  const tokens = { prompt: mean('prompt'), reused: 0, reply: longerReplies * mean('reply') }
  const judged = mean('judgeTokens')
  return {
    tokens: tokens.prompt + tokens.reply + judged,
    cost: (pair.model.price ? costOf(tokens, pair.model.price).amount : 0) + mean('judgeCost'),
  }
}

/** The next number with two significant digits. */
function roundedUp(value: number): number {
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1)
  return Number((Math.ceil(Number((value / unit).toPrecision(12))) * unit).toPrecision(2))
}
