import { PromptError } from '@rolecall/core/internal/errors'

/** How many rows `limit` allows: a number, or below 1 a share of all rows, rounded up as in lm-evaluation-harness. */
export function rowLimit(limit: number | undefined, total: number | undefined, dataset: string): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY
  if (limit >= 1) return limit
  if (total !== undefined) return Math.ceil(total * limit)
  throw new PromptError('unknown-total', {
    where: `${dataset} › limit`,
    problem: `${limit} is a share of the rows, and their number is unknown`,
    fix: 'give a number of rows',
  })
}
