import type { WhyCause } from './cause-ledger.ts'
import type { WhyReport } from './explain.ts'

/** How a row differs between two runs. */
export type WhyChange = 'better' | 'worse' | 'other reply' | 'one side only'

/** A row of a cause: its numbers in both runs, as far as they have it. */
export type CauseRow = { first?: number; second?: number; change: WhyChange }

/** The rows of a cause that a change of score made better and worse. */
export function betterAndWorse(
  { gained, lost }: WhyCause,
  { direction }: Pick<WhyReport, 'direction'>,
): { better: number[]; worse: number[] } {
  return direction === 'lower' ? { better: lost, worse: gained } : { better: gained, worse: lost }
}

/** The rows of a cause by number, each once. */
export function rowsOfCause(cause: WhyCause, report: Pick<WhyReport, 'join' | 'direction'>): CauseRow[] {
  const { onlyFirst, renumbered } = report.join
  const { better, worse } = betterAndWorse(cause, report)
  const alone = new Set(onlyFirst)
  const found = new Map<number, CauseRow>()
  const lists: [WhyChange, readonly number[]][] = [
    ['better', better],
    ['worse', worse],
    ['one side only', cause.unmatched],
    ['other reply', cause.changed],
  ]
  for (const [change, ids] of lists)
    for (const id of ids)
      if (!found.has(id)) found.set(id, { first: id, ...(alone.has(id) ? {} : { second: renumbered[id] ?? id }), change })
  const rest = cause.onlySecond.map((second): CauseRow => ({ second, change: 'one side only' }))
  return [...found.values(), ...rest].sort((one, other) => (one.first ?? one.second!) - (other.first ?? other.second!))
}
