import type { RunLimits } from './budget.ts'
import { costText } from './record/cost.ts'
import type { ReachedLimit } from './record/run-record.ts'

/** A limit and what was spent, as text. */
export function reachedText({ limit, value, spent: { tokens, cost, seconds } }: ReachedLimit): string {
  const number = (count: number) => count.toLocaleString('en')
  switch (limit) {
    case 'max-cost':
      return `--max-cost ${value} is reached: ${costText(cost ?? { amount: 0, currency: '' })} spent, and the next row would exceed it`
    case 'max-tokens-total':
      return `--max-tokens-total ${value} is reached: ${number(tokens)} tokens used, and the next row would exceed it`
    case 'max-time':
      return `--max-time is reached: ${Math.round(seconds)} s of ${value} s`
  }
}

/** Limits as the flags that set them. */
export function limitsText({ maxCost, maxTokensTotal, maxTime }: RunLimits): string {
  const flags = {
    '--max-cost': maxCost,
    '--max-tokens-total': maxTokensTotal,
    '--max-time': maxTime === undefined ? undefined : `${maxTime}s`,
  }
  const given = Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${value}`]))
  return given.join(' ') || 'none'
}
