import { PromptError } from '@rolecall/core/internal/errors'
import type { RunLimits } from './budget.ts'
import type { Pair } from './plan-run.ts'

const flags = { maxCost: '--max-cost', maxTokensTotal: '--max-tokens-total', maxTime: '--max-time' } as const

/** Refuses limits that are no amounts, contradict each other, or cannot be kept because prices are unknown. */
export function checkLimits(limits: RunLimits, pairs: readonly Pair[]): void {
  for (const name of Object.keys(flags) as (keyof typeof flags)[]) {
    const value = limits[name]
    if (value === undefined || (Number.isFinite(value) && value > 0)) continue
    throw new PromptError('wrong-value', {
      where: flags[name],
      problem: `${value} is not an amount above 0`,
      fix: 'give an amount above 0, or no limit',
    })
  }
  checkRowLimits(limits, pairs)
  if (limits.maxCost === undefined) return
  const priced = pairs.flatMap(({ name, model, judge }) => [
    { where: name.model, price: model.price },
    ...(judge ? [{ where: `the judge of ${name.dataset}`, price: judge.config.price }] : []),
  ])
  for (const { where, price } of priced) if (!price) throw noPrice(where, flags.maxCost)
  const currencies = [...new Set(priced.map(({ price }) => price!.currency ?? 'USD'))]
  if (currencies.length < 2) return
  throw new PromptError('contradiction', {
    where: flags.maxCost,
    problem: `the prices are in ${currencies.join(' and ')}, which one limit cannot bound`,
    fix: 'give all prices in one currency',
  })
}

function checkRowLimits({ maxCost = Number.POSITIVE_INFINITY }: RunLimits, pairs: readonly Pair[]): void {
  for (const { name, model } of pairs) {
    const { max_cost_per_row: perRow, price } = model
    if (perRow === undefined) continue
    if (!price) throw noPrice(name.model, 'max_cost_per_row')
    if (perRow <= maxCost) continue
    throw new PromptError('contradiction', {
      where: `${name.model} › max_cost_per_row`,
      problem: `one row may cost ${perRow}, and the whole run ${maxCost} (${flags.maxCost})`,
      fix: 'lower max_cost_per_row, or raise the limit of the run',
    })
  }
}

function noPrice(where: string, limit: string): PromptError {
  return new PromptError('missing', {
    where: `${where} › price`,
    problem: `${limit} needs the price of its tokens, which is unknown`,
    fix: 'set price (input and output, per million tokens; 0 if it is free), or give a file of prices (--prices FILE)',
  })
}
