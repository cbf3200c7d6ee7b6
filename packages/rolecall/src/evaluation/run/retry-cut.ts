import type { OpenedPair } from './ask-row.ts'
import { addTokens } from './record/cost.ts'
import type { RowAnswer, TokenUsage } from './record/run-record.ts'

/** The limit of tokens that a cut answer is retried with; undefined if it is complete, or was retried with as many. */
export function retryLimit({ plan }: Pick<OpenedPair, 'plan'>, answer: RowAnswer, times: number | undefined): number | undefined {
  if (times === undefined || answer.finish !== 'length') return undefined
  const limit = largerLimit(plan.generation.maxTokens, times)
  return limit > (answer.cut_before?.retried_with ?? plan.generation.maxTokens) ? limit : undefined
}

export function largerLimit(maxTokens: number, times: number): number {
  return Math.ceil(maxTokens * times)
}

/** The same requests with another limit of tokens. */
export function withLimit({ plan, model }: OpenedPair, maxTokens: number): OpenedPair {
  return { model, plan: { ...plan, generation: { ...plan.generation, maxTokens } } }
}

/** The second answer, with the tokens of both and what the first said. */
export function joinAttempts(first: RowAnswer, second: RowAnswer, firstLimit: number, limit: number): RowAnswer {
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

/** The key of a row's second attempt: its answer is another one, and must not be taken for the first. */
export function retryKey(key: string, maxTokens: number, hash: (text: string) => string): string {
  return key.slice(0, 32) + hash(`${key} ${maxTokens}`).slice(0, 32)
}

/** The tokens of the second attempt, from those of both. */
export function tokensSince({ unreported, ...all }: TokenUsage, before: TokenUsage): TokenUsage {
  const since = { prompt: all.prompt - before.prompt, reused: all.reused - before.reused, reply: all.reply - before.reply }
  return unreported === undefined ? since : { ...since, unreported: unreported - (before.unreported ?? 0) }
}
