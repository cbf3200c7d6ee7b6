import type { PyValue } from '@rolecall/core/internal/python'
import type { Figures } from './evaluator.ts'

/** Common properties of right-or-wrong evaluators: a fraction of the rows, in percent. */
export function shareOf<Name extends string>(metric: Name) {
  return { metric, kind: 'verdict', unit: 'percent', needsReference: true } as const
}

/** Common properties of graded evaluators: the mean of the rows, in percent. */
export function meanOf<Name extends string>(metric: Name) {
  return { metric, kind: 'graded', unit: 'percent', needsReference: true } as const
}

/** A verdict with the kept values for metrics over all rows. */
export function kept<Kept>(correct: boolean, detail: Record<string, PyValue>, keep: Kept) {
  return { score: Number(correct), detail: { ...detail, correct }, keep }
}

export function percent(part: number, whole: number): number {
  return (100 * part) / whole
}

export function count<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let sum = 0
  for (const item of items) if (holds(item)) sum++
  return sum
}

export function mean(values: readonly number[]): number {
  return sumOf(values) / values.length
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** The fraction of right ones in this group; omitted if it is empty. */
export function groupShares(
  rows: readonly { correct: boolean; groups: readonly string[] }[],
  names: readonly string[],
  prefix: string,
): Figures {
  const figures: Figures = {}
  for (const name of names) {
    const members = rows.filter(({ groups }) => groups.includes(name))
    if (members.length > 0)
      figures[`${prefix}${name}`] = percent(
        count(members, ({ correct }) => correct),
        members.length,
      )
  }
  return figures
}
