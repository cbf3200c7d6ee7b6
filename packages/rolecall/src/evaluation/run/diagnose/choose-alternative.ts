import type { PyValue } from '@rolecall/core/internal/python'
import { pyStr } from '@rolecall/core/internal/python'
import { meanInterval } from '../../score/statistics/interval.ts'
import { meanWithError, pOfMean } from '../../score/statistics/mean-with-error.ts'
import type { Alternative } from './alternatives.ts'
import type { ScoreFinding } from './score-finding.ts'

/** A reply that was scored right or wrong, and its gold answer. */
export type JudgedReply = { id: number; reply: string; gold: PyValue; isRight: boolean }

/** Fewer rows than this cannot be halved. */
const fewestRows = 20
/** With how many gold answers of other rows each reply is tried. */
const others = 5

type Measured = { alternative: Alternative; gains: number[]; gained: number[]; lost: number; byChance: number }

/**
 * The other way to score these replies that gains most: chosen on one half of the rows, measured on the other, without what it accepts by
 * chance. Undefined if none gains for sure, or if each one that does would make right rows wrong.
 */
export function chooseAlternative(replies: readonly JudgedReply[], tried: readonly Alternative[]): ScoreFinding | undefined {
  if (replies.length < fewestRows || replies.every(({ isRight }) => isRight)) return undefined
  const chances = otherGolds(replies)
  const measure = (alternative: Alternative, part: readonly number[]) =>
    measured(
      alternative,
      part.map((index) => ({ reply: replies[index]!, chance: chances[index]! })),
    )
  const halves = [0, 1].map((half) => replies.flatMap((_, index) => (index % 2 === half ? [index] : []))) as [number[], number[]]
  const candidates = tried.map((alternative) => measure(alternative, halves[0])).filter(({ lost }) => lost === 0)
  const best = candidates.reduce<Measured | undefined>(
    (one, other) => (one === undefined || sum(other.gains) > sum(one.gains) + 1e-9 ? other : one),
    undefined,
  )
  if (best === undefined || sum(best.gains) <= 0) return undefined
  const on = measure(best.alternative, halves[1])
  const p = Math.min(1, tried.length * (pOfMean(meanWithError(on.gains)) ?? 0))
  const interval = meanInterval(on.gains, 0)
  const points = (100 * sum(on.gains)) / on.gains.length
  if (on.lost > 0 || points <= 0 || p >= 0.05) return undefined
  const whole = measure(
    best.alternative,
    replies.map((_, index) => index),
  )
  const { code, fix, scoring } = best.alternative
  const wrong = replies.filter(({ isRight }) => !isRight).length
  return {
    code,
    text: `${whole.gained.length} of ${wrong} wrong replies are right by "${fix}"`,
    rows: whole.gained,
    gain: {
      points,
      interval: { ...interval, low: 100 * interval.low, high: 100 * interval.high },
      p,
      tried: tried.length,
      chosenOn: halves[0].length,
      measuredOn: halves[1].length,
      byChance: whole.byChance,
    },
    fix,
    scoring,
  }
}

function measured({ accepts, ...alternative }: Alternative, part: readonly { reply: JudgedReply; chance: readonly PyValue[] }[]): Measured {
  const gains: number[] = []
  const gained: number[] = []
  let [lost, accepted, asked] = [0, 0, 0]
  for (const {
    reply: { id, reply, gold, isRight },
    chance,
  } of part) {
    const isAccepted = accepts(reply, gold)
    if (isRight) {
      if (!isAccepted) lost++
      gains.push(isAccepted ? 0 : -1)
      continue
    }
    const byChance = chance.filter((other) => accepts(reply, other)).length
    accepted += byChance
    asked += chance.length
    if (isAccepted) gained.push(id)
    gains.push(Number(isAccepted) - (chance.length === 0 ? 0 : byChance / chance.length))
  }
  return { alternative: { ...alternative, accepts }, gains, gained, lost, byChance: asked === 0 ? 0 : accepted / asked }
}

/** Gold answers of other rows, evenly spread, that differ from the row's own. */
function otherGolds(replies: readonly JudgedReply[]): PyValue[][] {
  const texts = replies.map(({ gold }) => pyStr(gold))
  const distinct = [...new Map(texts.map((text, index) => [text, replies[index]!.gold])).entries()]
  return texts.map((text, index) => {
    const start = (index * 7) % distinct.length
    const found: PyValue[] = []
    for (let step = 0; step < distinct.length && found.length < others; step++) {
      const [other, gold] = distinct[(start + step) % distinct.length]!
      if (other !== text) found.push(gold)
    }
    return found
  })
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
