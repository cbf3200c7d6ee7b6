import { isServerType } from '@rolecall/core/internal/format'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { generationOf } from '../../evaluation/run/ask/generation.ts'
import { estimateError } from '../../evaluation/run/estimate-tokens.ts'
import type { Pair } from '../../evaluation/run/plan-run.ts'
import { costOf, costText, type Price } from '../../evaluation/run/record/cost.ts'
import { modelText } from '../../evaluation/run/record/pair-name.ts'
import type { Cost } from '../../evaluation/run/record/run-record.ts'
import { concurrencyOf } from '../../model/openai/openai-settings.ts'
import type { EarlierAnswers } from '../../node/runs/earlier-answers.ts'
import type { ScreenBlock } from '../screen/blocks.ts'
import type { DryRun } from './dry-run.ts'
import { clock } from './progress.ts'

/** What a model, or the judge of its answers, is expected to take. */
export type CostEstimate = {
  of: 'model' | 'judge'
  promptTokens: number
  /** The relative error of the prompt tokens; 0 if the tokenizer is known. */
  promptError: number
  generatedTokens: number
  mostGenerated: number
  /** Where the expected number of generated tokens comes from. */
  basis: 'earlier run' | 'max_out_len'
  /** Absent if the price is unknown. */
  cost?: { expected: Cost; most: Cost }
  /** At the rate of an earlier run, or at the rate limit of the config; absent if both are unknown. */
  seconds?: number
}

/** The estimates of a pair: of its model, and of its judge if it has one. */
export function estimatesOf(plan: DryRun, pair: Pair, earlier: EarlierAnswers | undefined): CostEstimate[] {
  const measured = earlier && !earlier.tokens.unreported && earlier.tokens.prompt > 0 ? earlier : undefined
  // Rows that failed took no tokens; rows from the cache count with those of their answers, but their judgements are cached, too.
  const answered = measured ? measured.rows - measured.failed : 0
  const perRow = (rows: number, sum: number | undefined) => (sum === undefined || rows <= 0 ? undefined : (sum / rows) * plan.rows)
  const seconds = secondsOf(plan, pair, earlier)
  const prompt = (plan.tokens ?? plan.estimatedTokens ?? 0) * (plan.samples ?? 1)
  const error = plan.tokens === undefined ? estimateError : 0
  const { mostGenerated: most = 0, mostRetried = 0 } = plan
  const model = estimate('model', pair.model.price, {
    prompt: { tokens: prompt, most: (mostRetried > 0 ? 2 : 1) * prompt * (1 + error), error },
    reply: { measured: perRow(answered, measured?.tokens.reply), usual: most - mostRetried, most },
  })
  const { judge } = pair
  if (!judge || !plan.judge) return [withTime(model, seconds)]
  const { prompts, estimatedTokens } = plan.judge
  const mostJudged = prompts * generationOf(judge.config, { infer_cfg: {} }).maxTokens
  const judged = estimate('judge', judge.config.price, {
    prompt: {
      tokens: estimatedTokens + model.generatedTokens,
      most: (estimatedTokens + most) * (1 + estimateError),
      error: estimateError,
    },
    reply: { measured: perRow(answered - (measured?.cached ?? 0), measured?.judgeTokens?.reply), usual: mostJudged, most: mostJudged },
  })
  return [withTime(model, seconds), withTime(judged, atRateLimit(judge.config, prompts))]
}

function withTime(estimated: CostEstimate, seconds: number | undefined): CostEstimate {
  return seconds === undefined ? estimated : { ...estimated, seconds }
}

type Given = {
  prompt: { tokens: number; most: number; error: number }
  /** The tokens of replies: if they are as long as those of an earlier run, if each is as long as it may be, and with second attempts. */
  reply: { measured: number | undefined; usual: number; most: number }
}

function estimate(of: CostEstimate['of'], price: Price | undefined, { prompt, reply }: Given): CostEstimate {
  const generated = Math.min(Math.round(reply.measured ?? reply.usual), reply.most)
  const costFor = (priced: Price, tokens: number, replied: number) => costOf({ prompt: tokens, reused: 0, reply: replied }, priced)
  return {
    of,
    promptTokens: prompt.tokens,
    promptError: prompt.error,
    generatedTokens: generated,
    mostGenerated: reply.most,
    basis: reply.measured === undefined ? 'max_out_len' : 'earlier run',
    ...(price ? { cost: { expected: costFor(price, prompt.tokens, generated), most: costFor(price, prompt.most, reply.most) } } : {}),
  }
}

/**
 * At the rate of the earlier run, and not above the rate limit. Of a run that was interrupted, resumed or scored again, the rows tell the
 * least: each takes its time, and so many are in flight.
 */
function secondsOf({ rows, prompts, samples = 1 }: DryRun, { model }: Pair, earlier: EarlierAnswers | undefined): number | undefined {
  const { rows: all = 0, cached = 0, seconds, busy } = earlier ?? {}
  const sent = all - cached
  const atOnce = isServerType(model.type) ? concurrencyOf(model) : undefined
  const known = [
    sent > all / 2 && seconds !== undefined ? (seconds / sent) * rows : undefined,
    sent > 0 && busy !== undefined && atOnce !== undefined ? (busy / sent / Math.max(1, Math.min(atOnce, rows))) * rows : undefined,
    atRateLimit(model, prompts * samples),
  ].filter((one) => one !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}

function atRateLimit({ requests_per_minute: perMinute, query_per_second: perSecond }: ModelConfig, requests: number): number | undefined {
  const rate = perMinute ?? (typeof perSecond === 'number' ? 60 * perSecond : undefined)
  return typeof rate === 'number' ? (60 * requests) / rate : undefined
}

/** The estimates as a table, with sums; models without a price have an unknown cost. Nothing if all models run here, and neither cost nor time is known. */
export function estimateBlocks(plans: readonly (DryRun & { estimates: readonly CostEstimate[] })[]): ScreenBlock[] {
  if (!plans.some(({ estimates }) => estimates.some(({ cost, promptError, seconds }) => cost || promptError > 0 || seconds !== undefined)))
    return []
  const number = (value: number) => Math.round(value).toLocaleString('en')
  const all = plans.flatMap(({ estimates }) => estimates)
  const [hasCost, hasTime] = [all.some(({ cost }) => cost), all.some(({ seconds }) => seconds !== undefined)]
  const rows = plans.flatMap((plan) =>
    plan.estimates.map((one) => ({
      cells: [
        one.of === 'judge' ? `judge of ${modelText(plan)}` : modelText(plan),
        plan.dataset,
        one.promptError === 0 ? number(one.promptTokens) : `≈ ${number(one.promptTokens)}`,
        `${number(one.generatedTokens)}${one.basis === 'earlier run' ? '' : ' (max)'}`,
        ...(hasCost ? [one.cost ? costText(one.cost.expected) : 'unknown', one.cost ? costText(one.cost.most) : 'unknown'] : []),
        ...(hasTime ? [one.seconds === undefined ? '?' : clock(one.seconds)] : []),
      ].map((text) => ({ text })),
    })),
  )
  const grid: ScreenBlock = {
    kind: 'grid',
    columns: [
      { title: 'estimate', mayShorten: true },
      { title: 'dataset', mayShorten: true },
      ...['prompt tokens', 'generated', ...(hasCost ? ['cost', 'cost ≤'] : []), ...(hasTime ? ['time'] : [])].map((title) => ({
        title,
        isNumber: true,
      })),
    ],
    rows,
  }
  return [{ kind: 'group', blocks: [grid, ...estimateNotes(plans)] }]
}

function estimateNotes(plans: readonly { estimates: readonly CostEstimate[] }[]): ScreenBlock[] {
  const all = plans.flatMap(({ estimates }) => estimates)
  const sums = new Map<string, { expected: number; most: number }>()
  for (const { cost } of all) {
    if (!cost) continue
    const { expected, most } = sums.get(cost.expected.currency) ?? { expected: 0, most: 0 }
    sums.set(cost.expected.currency, { expected: expected + cost.expected.amount, most: most + cost.most.amount })
  }
  const isPartial = all.some(({ cost }) => !cost)
  const total = [...sums].map(
    ([currency, { expected, most }]) =>
      `total: ${costText({ amount: expected, currency })}, at most ${costText({ amount: most, currency })}${isPartial ? ', without what has no price' : ''}`,
  )
  const estimated = all.some(({ promptError }) => promptError > 0)
  const unknown = [
    ...(all.some(({ cost }) => cost) ? [] : ['cost (no price)']),
    ...(all.some(({ seconds }) => seconds !== undefined) ? [] : ['time (no earlier run)']),
  ]
  const unmeasured = all.some(({ basis, mostGenerated }) => basis === 'max_out_len' && mostGenerated > 0)
  return [
    ...total,
    ...(estimated ? [`≈ from characters, ±${100 * estimateError} %: tokenizer_path names the tokenizer`] : []),
    ...(unknown.length > 0 ? [`unknown: ${unknown.join(', ')}`] : []),
    ...(unmeasured ? ['(max): every answer as long as max_out_len, since no earlier run has them'] : []),
  ].map((text) => ({ kind: 'prose', text, tone: 'quiet' }))
}
