import { comparePaired, type McNemar, mcnemarTest } from '../../../src/score/statistics/paired.ts'
import type { ScoreColumn } from '../../../src/server/viewer/wire.ts'

export const filters = ['all', 'right', 'wrong', 'error', 'changed', 'better', 'worse'] as const
export type Filter = (typeof filters)[number]
export type Order = 'number' | 'lowest' | 'highest'

type Choice = { filter: Filter; order: Order; found?: ReadonlySet<number> | undefined; other?: ReadonlyMap<number, number> | undefined }

/** The places of the rows that are shown, in their order. */
export function chooseRows({ ids, scores, failed }: ScoreColumn, { filter, order, found, other }: Choice): number[] {
  const isFailed = new Set(failed)
  const places: number[] = []
  for (let place = 0; place < ids.length; place++) {
    if (found && !found.has(place)) continue
    const score = scores[place]
    const before = other?.get(ids[place]!)
    const keep = {
      all: true,
      right: typeof score === 'number' && score >= 1,
      wrong: typeof score === 'number' && score < 1,
      error: isFailed.has(ids[place]!),
      changed: before !== undefined && typeof score === 'number' && before !== score,
      better: before !== undefined && typeof score === 'number' && score > before,
      worse: before !== undefined && typeof score === 'number' && score < before,
    }[filter]
    if (keep) places.push(place)
  }
  if (order === 'number') return places
  const sign = order === 'lowest' ? 1 : -1
  const scoreAt = (place: number) => scores[place] ?? Number.NEGATIVE_INFINITY
  return places.sort((one, next) => sign * (scoreAt(one) - scoreAt(next)) || one - next)
}

/** Scores by row number, of rows that have one. */
export function scoresById({ ids, scores }: ScoreColumn): Map<number, number> {
  const byId = new Map<number, number>()
  for (const [place, id] of ids.entries()) {
    const score = scores[place]
    if (typeof score === 'number') byId.set(id, score)
  }
  return byId
}

export type Compared = {
  rows: number
  better: number
  worse: number
  difference: number
  interval?: { low: number; high: number }
  mcnemar?: McNemar
}

/** More rows than that are not sampled again and again in the page. */
const mostForBootstrap = 20_000

/** The rows that both have: how many went each way, and whether that is more than chance. */
export function compareScores(column: ScoreColumn, other: ReadonlyMap<number, number>): Compared | undefined {
  const first: number[] = []
  const second: number[] = []
  for (const [place, id] of column.ids.entries()) {
    const [before, now] = [other.get(id), column.scores[place]]
    if (before === undefined || typeof now !== 'number') continue
    first.push(before)
    second.push(now)
  }
  if (first.length === 0) return undefined
  const better = second.filter((now, row) => now > first[row]!).length
  const worse = second.filter((now, row) => now < first[row]!).length
  const difference = second.reduce((sum, now, row) => sum + now - first[row]!, 0) / first.length
  const base = { rows: first.length, better, worse, difference }
  if (first.length <= mostForBootstrap) {
    const { interval, mcnemar } = comparePaired(first, second)
    return { ...base, interval, mcnemar }
  }
  const isVerdict = (score: number) => score === 0 || score === 1
  return first.every(isVerdict) && second.every(isVerdict) ? { ...base, mcnemar: mcnemarTest(first, second) } : base
}
