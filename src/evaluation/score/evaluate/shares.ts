import type { PyValue } from '../../../base/python/index.ts'
import type { Figures } from './evaluator.ts'

/** What evaluators of right and wrong have in common: a share of the rows, in per cent. */
export function shareOf<Name extends string>(metric: Name) {
  return { metric, kind: 'verdict', unit: 'percent', needsReference: true } as const
}

/** What evaluators have in common that give a part of the mark: the mean of the rows, in per cent. */
export function meanOf<Name extends string>(metric: Name) {
  return { metric, kind: 'graded', unit: 'percent', needsReference: true } as const
}

/** A verdict with what the figures over all rows need to know. */
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

/** Of those that have this name as their group the share that is right; nothing where there are none. */
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
