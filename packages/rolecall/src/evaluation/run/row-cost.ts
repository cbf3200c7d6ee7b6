import { PromptError } from '@rolecall/core/internal/errors'
import { type RowCostCheck, rowCostCode } from './ask/ask-model.ts'
import type { Pair } from './plan-run.ts'
import { addTokens, costOf, costText, noTokens } from './record/cost.ts'
import type { RowAnswer } from './record/run-record.ts'

/** Checks `max_cost_per_row`, with what the row has spent before; undefined if the model has none. */
export function rowCostCheck({ model: { price, max_cost_per_row: most } }: Pair, spent = noTokens()): RowCostCheck | undefined {
  if (most === undefined || !price) return undefined
  return (tokens) => {
    const all = { ...spent }
    addTokens(all, tokens)
    const cost = costOf(all, price)
    return cost.amount < most ? undefined : `it has cost ${costText(cost)} before its last request, and max_cost_per_row is ${most}`
  }
}

/** The note on an answer that was given up because of its cost. */
export function costNoteOf({ notes }: RowAnswer) {
  return notes?.find(({ code }) => code === rowCostCode)
}

/** The error of a row that was given up. */
export function rowCostError({ name }: Pair, text: string): PromptError {
  return new PromptError(rowCostCode, {
    where: name.dataset,
    problem: `the row was given up: ${text}`,
    fix: 'raise max_cost_per_row, and retry the row: rolecall run -r --retry-errors',
  })
}
