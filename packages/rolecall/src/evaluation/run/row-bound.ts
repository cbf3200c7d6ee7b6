import type { Row } from '@rolecall/core/internal/conversation'
import type { Prompt } from '@rolecall/core/internal/format'
import { generationOf } from './ask/generation.ts'
import { mayReply, type RequestPlan } from './ask/inferencer.ts'
import { estimateError, estimateTokens } from './estimate-tokens.ts'
import { judgePrompts, judgePromptText } from './judge-prompts.ts'
import { largerLimit } from './layers/retry-cut.ts'
import type { Pair } from './plan-run.ts'
import { type Amount, costOf, type Price } from './record/cost.ts'
import { goldOf } from './score-answer.ts'

/**
 * What a row takes at most, judge included, if every reply is as long as it may be and, with `retryCut`, is asked again; prompts are
 * estimated from their texts. `replied`: what each of its replies is expected to take instead.
 */
export function rowBound(pair: Pair, plan: RequestPlan, row: Row, bodies: readonly string[], retryCut?: number, replied?: Amount): Amount {
  const limits = replyLimits(plan, retryCut)
  const most = Math.max(0, ...limits)
  const requests = bodies.length * plan.samples
  const prompts = Math.max(1, limits.length) * plan.samples * sum(bodies)
  const asLong = amountOf(0, requests * limits.reduce((all, limit) => all + limit, 0), pair.model.price)
  const asked = amountOf(prompts, 0, pair.model.price)
  // Replies to another dataset may be longer than these may be.
  const expected = replied && { tokens: plan.samples * replied.tokens, cost: plan.samples * replied.cost }
  const replies = expected && expected.tokens < asLong.tokens ? expected : asLong
  const answers = { tokens: asked.tokens + replies.tokens, cost: asked.cost + replies.cost }
  if (!pair.judge) return answers
  const questions = emptyJudgePrompts(pair, row, plan.samples).map(judgePromptText)
  const { maxTokens } = generationOf(pair.judge.config, { infer_cfg: {} })
  const judged = amountOf(sum(questions) + questions.length * most, questions.length * maxTokens, pair.judge.config.price)
  return { tokens: answers.tokens + judged.tokens, cost: answers.cost + judged.cost }
}

/** The longest reply of each attempt at a row; none if nothing is generated. */
export function replyLimits({ inferencer, generation: { maxTokens } }: RequestPlan, retryCut: number | undefined): number[] {
  if (!mayReply(inferencer)) return []
  return retryCut === undefined ? [maxTokens] : [maxTokens, largerLimit(maxTokens, retryCut)]
}

/** The prompts of a judge about empty answers to a row. */
export function emptyJudgePrompts(pair: Pair, row: Row, samples: number): Prompt[] {
  const prediction = samples > 1 ? Array.from({ length: samples }, () => '') : ''
  const opponent = pair.evaluator.asks?.against === undefined ? {} : { opponent: '' }
  return judgePrompts(pair.judge!, { row, prediction, reference: goldOf(pair, row), ...opponent })
}

function sum(texts: readonly string[]): number {
  return texts.reduce((tokens, text) => tokens + estimateTokens(text), 0) * (1 + estimateError)
}

function amountOf(prompt: number, reply: number, price: Price | undefined): Amount {
  return { tokens: prompt + reply, cost: price ? costOf({ prompt, reused: 0, reply }, price).amount : 0 }
}
