import type { RunLimits } from '../../evaluation/run/budget.ts'
import { costText } from '../../evaluation/run/record/cost.ts'
import type { Spent } from '../../evaluation/run/record/run-record.ts'
import type { CostEstimate } from './estimate-cost.ts'
import { clock } from './progress.ts'

/** The estimates of a model on a dataset, and the server on which its rows take turns with those of other models. */
export type Expected = { estimates: readonly CostEstimate[]; server: string | undefined }

/** Limits that a run is expected to reach before its last row; `spent` by earlier parts of a resumed run. */
export function limitNotes({ maxCost, maxTokensTotal, maxTime }: RunLimits, all: readonly Expected[], spent: Spent): string[] {
  const estimates = all.flatMap((one) => one.estimates)
  const sum = (of: (estimate: CostEstimate) => number) => estimates.reduce((total, one) => total + of(one), 0)
  const cost = sum((one) => one.cost?.expected.amount ?? 0)
  const tokens = sum(({ promptTokens, generatedTokens }) => promptTokens + generatedTokens)
  const seconds = longestOf(all)
  const { currency = 'USD' } = estimates.find((one) => one.cost)?.cost?.expected ?? {}
  const before = spent.cost?.amount ?? 0
  const number = (value: number) => Math.round(value).toLocaleString('en')
  const money = (amount: number) => costText({ amount, currency })
  const asLong = estimates.some(({ basis, mostGenerated }) => basis === 'max_out_len' && mostGenerated > 0)
  const more = `${asLong ? ' if every answer takes max_out_len' : ''}: the run is expected to stop at the limit`
  const notes: string[] = []
  if (maxCost !== undefined && before + cost > maxCost)
    notes.push(
      `--max-cost ${maxCost} is below the expected cost, ${money(before + cost)}${before > 0 ? ` (${money(before)} spent)` : ''}${more}`,
    )
  if (maxTokensTotal !== undefined && spent.tokens + tokens > maxTokensTotal)
    notes.push(
      `--max-tokens-total ${maxTokensTotal} is below the expected ${number(spent.tokens + tokens)} tokens${spent.tokens > 0 ? ` (${number(spent.tokens)} spent)` : ''}${more}`,
    )
  if (maxTime !== undefined && seconds > maxTime)
    notes.push(`--max-time is below the expected time, ${durationText(seconds)}: the run is expected to stop at the limit`)
  return notes
}

function durationText(seconds: number): string {
  return seconds < 60 ? `${Number(seconds.toPrecision(2))} s` : clock(seconds)
}

/** The time of the slowest server; those without an estimate count as 0. */
function longestOf(all: readonly Expected[]): number {
  const lanes = new Map<string | undefined, number>()
  for (const { estimates, server } of all) {
    const seconds = Math.max(0, ...estimates.map((one) => one.seconds ?? 0))
    lanes.set(server, (lanes.get(server) ?? 0) + seconds)
  }
  return Math.max(0, ...lanes.values())
}
