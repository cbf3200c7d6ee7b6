import { type Note, PromptError } from '@rolecall/core/internal/errors'
import { stopsRun } from '../../../model/language-model/stops-run.ts'
import type { OpenedPair } from '../ask-row.ts'
import type { PairContext } from '../pair-context.ts'
import { addTokens } from '../record/cost.ts'
import type { RowAnswer, TokenUsage } from '../record/run-record.ts'
import { costNoteOf, rowCostCheck } from '../row-cost.ts'
import type { AskedRow } from './asked-row.ts'
import type { AnsweredRow, Answering, RowReply } from './layer.ts'

/** Asks again with a larger limit of tokens if the answer was cut: the one below, or that of an earlier run. */
export async function retryCut(asked: AskedRow, next: Answering<RowReply>): Promise<RowReply> {
  const first = asked.cut ?? (await next(asked))
  const limit = first && retryLimit(asked.context, first)
  return !first || limit === undefined || costNoteOf(first) ? first : retried(asked, first, limit, next)
}

/** A retry that fails or is aborted leaves the first answer as it is. */
async function retried(asked: AskedRow, first: RowAnswer, limit: number, next: Answering<RowReply>): Promise<RowAnswer> {
  const { pair, plan, options } = asked.context
  const reached = rowCostCheck(pair)?.(first.tokens) ?? (options.budget?.isSpent() ? 'a limit of the run is reached' : undefined)
  if (reached !== undefined) return noted(first, `it was not retried with ${limit} tokens: ${reached}`)
  const tokens = { ...first.tokens }
  const onTokens = (more: TokenUsage) => {
    addTokens(tokens, more)
    asked.onTokens?.(more)
  }
  try {
    const second = await next({ ...asked, retry: { maxTokens: limit, spent: first.tokens }, onTokens })
    if (!second) return { ...first, tokens }
    const joined = joinAttempts(first, second, plan.generation.maxTokens, limit)
    const tooMuch = costNoteOf(second)
    return tooMuch ? noted({ ...first, tokens: joined.tokens }, `the retry with ${limit} tokens was given up: ${tooMuch.text}`) : joined
  } catch (error) {
    if (!(error instanceof PromptError) || stopsRun(error)) throw error
    return noted({ ...first, tokens }, `the retry with ${limit} tokens failed: ${error.message}`)
  }
}

/** Counts only the retry of an answer from before: the first attempt was counted when it was made. */
export function countRetry(asked: AskedRow, next: Answering<AnsweredRow>): AnsweredRow | Promise<AnsweredRow> {
  return asked.cut ? countSince(asked.cut.tokens, next(asked)) : next(asked)
}

async function countSince(before: TokenUsage, next: AnsweredRow | Promise<AnsweredRow>): Promise<AnsweredRow> {
  const answered = await next
  return answered.record ? { ...answered, tokens: tokensSince(answered.record.tokens, before) } : answered
}

/** Whether an answer from before is only the first attempt. */
export function isRetried(context: PairContext, answer: RowAnswer): boolean {
  return !context.options.offline && retryLimit(context, answer) !== undefined
}

/** The limit of tokens that a cut answer is retried with; undefined if it is complete, or was retried with as many. */
function retryLimit({ plan, options: { retryCut: times } }: PairContext, answer: RowAnswer): number | undefined {
  if (times === undefined || answer.finish !== 'length') return undefined
  const limit = largerLimit(plan.generation.maxTokens, times)
  return limit > (answer.cut_before?.retried_with ?? plan.generation.maxTokens) ? limit : undefined
}

export function largerLimit(maxTokens: number, times: number): number {
  return Math.ceil(maxTokens * times)
}

/** The same requests with another limit of tokens, if there is one. */
export function withLimit(opened: OpenedPair, maxTokens: number | undefined): OpenedPair {
  if (maxTokens === undefined) return opened
  const { plan, model } = opened
  return { model, plan: { ...plan, generation: { ...plan.generation, maxTokens } } }
}

/** The second answer, with the tokens of both and what the first said. */
function joinAttempts(first: RowAnswer, second: RowAnswer, firstLimit: number, limit: number): RowAnswer {
  const tokens = { ...first.tokens }
  addTokens(tokens, second.tokens)
  return {
    ...second,
    tokens,
    notes: [
      ...(second.notes ?? []),
      { code: 'retry-cut', text: `the first answer hit the limit of ${firstLimit} tokens; this is the answer with a limit of ${limit}` },
    ],
    milliseconds: first.milliseconds + second.milliseconds,
    cut_before: first.cut_before
      ? { ...first.cut_before, retried_with: limit }
      : { prediction: first.prediction, max_out_len: firstLimit, retried_with: limit },
  }
}

/** Replaces the note of an earlier retry. */
function noted(answer: RowAnswer, text: string): RowAnswer {
  const note: Note = { code: 'retry-cut', text }
  return { ...answer, notes: [...(answer.notes ?? []).filter(({ code }) => code !== note.code), note] }
}

/** The key of a row's second attempt: its answer is another one, and must not be taken for the first. */
export function retryKey(key: string, maxTokens: number, hash: (text: string) => string): string {
  return key.slice(0, 32) + hash(`${key} ${maxTokens}`).slice(0, 32)
}

/** The tokens of the second attempt, from those of both. */
function tokensSince({ unreported, ...all }: TokenUsage, before: TokenUsage): TokenUsage {
  const since = { prompt: all.prompt - before.prompt, reused: all.reused - before.reused, reply: all.reply - before.reply }
  return unreported === undefined ? since : { ...since, unreported: unreported - (before.unreported ?? 0) }
}
