import type { MainFigure } from '../../../src/record/main-figure.ts'
import { type Outcome, unreadOutcomes } from '../../../src/record/outcome.ts'
import { gain, isRight } from '../../../src/score/evaluate/metric.ts'
import { comparePaired, type McNemar, mcnemarTest } from '../../../src/score/statistics/paired.ts'
import type { ScoreColumn } from '../../../src/server/viewer/wire.ts'

const plainFilters = ['all', 'right', 'wrong', 'error', 'changed', 'better', 'worse'] as const
const unread = unreadOutcomes.filter((outcome) => outcome !== 'failed')
export type Filter = (typeof plainFilters)[number] | (typeof unread)[number]
export type Order = 'number' | 'lowest' | 'highest'

/** What a pair's scores mean; undefined where nobody says: then nothing is right, wrong, better or worse. */
export type Scored = Pick<MainFigure, 'kind' | 'direction'> | undefined

type Choice = {
  filter: Filter
  order: Order
  scored: Scored
  found?: ReadonlySet<number> | undefined
  other?: ReadonlyMap<number, number> | undefined
}

/** Which filters say something: right and wrong where answers are, better and worse beside another run, and what became of answers. */
export function filtersFor(column: ScoreColumn | undefined, scored: Scored, hasOther: boolean): Filter[] {
  const plain = plainFilters.filter((filter) => {
    if (filter === 'right' || filter === 'wrong') return scored?.kind === 'verdict'
    if (filter === 'changed') return hasOther
    if (filter === 'better' || filter === 'worse') return hasOther && scored !== undefined
    return true
  })
  return [...plain, ...unread.filter((outcome) => (column?.outcomes[outcome]?.length ?? 0) > 0)]
}

/** The places of the rows that are shown, in their order. */
export function chooseRows(column: ScoreColumn, { filter, order, scored, found, other }: Choice): number[] {
  const { ids, scores } = column
  const passes = filterOf(column, filter, scored, other)
  const places: number[] = []
  for (let place = 0; place < ids.length; place++) {
    if ((!found || found.has(place)) && passes(ids[place]!, scores[place] ?? undefined)) places.push(place)
  }
  if (order === 'number') return places
  const sign = order === 'lowest' ? 1 : -1
  const scoreAt = (place: number) => scores[place] ?? Number.NEGATIVE_INFINITY
  return places.sort((one, next) => sign * (scoreAt(one) - scoreAt(next)) || one - next)
}

function filterOf(
  { failed, outcomes }: ScoreColumn,
  filter: Filter,
  scored: Scored,
  other: ReadonlyMap<number, number> | undefined,
): (id: number, score: number | undefined) => boolean {
  const among = (ids: readonly number[]) => {
    const set = new Set(ids)
    return (id: number) => set.has(id)
  }
  /** How much better a row is than in the other run; undefined where one of them has no score. */
  const change = (id: number, score: number | undefined) => {
    const before = other?.get(id)
    return before === undefined || score === undefined ? undefined : gain(before, score, scored?.direction)
  }
  const verdict = (score: number | undefined) => (score === undefined || !scored ? undefined : isRight(score, scored.kind))
  switch (filter) {
    case 'all':
      return () => true
    case 'right':
      return (_, score) => verdict(score) === true
    case 'wrong':
      return (_, score) => verdict(score) === false
    case 'error':
      return among(failed)
    case 'changed':
      return (id, score) => (change(id, score) ?? 0) !== 0
    case 'better':
      return (id, score) => scored !== undefined && (change(id, score) ?? 0) > 0
    case 'worse':
      return (id, score) => scored !== undefined && (change(id, score) ?? 0) < 0
    default:
      return among(outcomes[filter satisfies Outcome] ?? [])
  }
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
  /** Undefined where nobody says which scores are better. */
  better?: number
  worse?: number
  difference: number
  interval?: { low: number; high: number }
  mcnemar?: McNemar
}

/** More rows than that are not sampled again and again in the page. */
const mostForBootstrap = 20_000

/** The rows that both have: how many went each way, and whether that is more than chance. */
export function compareScores(column: ScoreColumn, other: ReadonlyMap<number, number>, scored: Scored): Compared | undefined {
  const first: number[] = []
  const second: number[] = []
  for (const [place, id] of column.ids.entries()) {
    const [before, now] = [other.get(id), column.scores[place]]
    if (before === undefined || typeof now !== 'number') continue
    first.push(before)
    second.push(now)
  }
  if (first.length === 0) return undefined
  const changes = second.map((now, row) => gain(first[row]!, now, scored?.direction))
  const ways = scored && { better: changes.filter((change) => change > 0).length, worse: changes.filter((change) => change < 0).length }
  const difference = second.reduce((sum, now, row) => sum + now - first[row]!, 0) / first.length
  const base = { rows: first.length, ...ways, difference }
  if (first.length <= mostForBootstrap) {
    const { interval, mcnemar } = comparePaired(first, second, scored ? { kind: scored.kind } : {})
    return { ...base, interval, mcnemar }
  }
  return scored?.kind === 'verdict' ? { ...base, mcnemar: mcnemarTest(first, second) } : base
}
