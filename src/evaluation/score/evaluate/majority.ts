/** What a sample of a row votes for: its answer as it was read, or null where none was found in it. */
export type Vote = string | null

/** The answers with the most votes, how many votes each has, and their mean score. */
export type Majority = { answers: string[]; votes: number; score: number }

/** Equal answers of a row, and the mean of their scores; NaN where nobody could tell. */
type Candidate = { answer: string; votes: number; score: number }

/**
 * Which answer most samples of a row give. Samples without an answer do not vote; where several answers have as many votes, all of
 * them win. Undefined where nobody votes.
 *
 * @example
 * majorityOf(['4', '5', '4', null], [1, 0, 1, 0]) // => { answers: ['4'], votes: 2, score: 1 }
 */
export function majorityOf(votes: readonly Vote[], scores: readonly number[]): Majority | undefined {
  const candidates = candidatesOf(votes, scores)
  if (candidates.length === 0) return undefined
  const most = Math.max(...candidates.map((one) => one.votes))
  const winners = candidates.filter((one) => one.votes === most)
  return { answers: winners.map(({ answer }) => answer), votes: most, score: meanOf(winners.map(({ score }) => score)) }
}

/**
 * majority@k: how right the answer that wins among k samples of a row is, on average over all ways to draw k of its n samples. A tie
 * counts by the mean of the answers that are tied, k samples of which none votes count as wrong. NaN where nobody could tell of an
 * answer that can win whether it is right.
 *
 * @example
 * majorityAtK(['4', '4', '5'], [1, 1, 0], 3) // => 1
 */
export function majorityAtK(votes: readonly Vote[], scores: readonly number[], k: number): number {
  const candidates = candidatesOf(votes, scores)
  if (k === votes.length) return majorityOf(votes, scores)?.score ?? 0
  // Answers with as many votes win as often, so that each number of votes is looked at once.
  const chances = new Map<number, number>()
  let sum = 0
  for (const [place, candidate] of candidates.entries()) {
    const known = chances.get(candidate.votes)
    const chance = known ?? winningChance(candidates, place, votes.length, k)
    if (known === undefined) chances.set(candidate.votes, chance)
    if (chance > 0) sum += chance * candidate.score
  }
  return sum
}

function candidatesOf(votes: readonly Vote[], scores: readonly number[]): Candidate[] {
  const found = new Map<string, number[]>()
  for (const [sample, vote] of votes.entries()) {
    if (vote === null) continue
    const own = found.get(vote)
    if (own) own.push(scores[sample]!)
    else found.set(vote, [scores[sample]!])
  }
  return [...found].map(([answer, of]) => ({ answer, votes: of.length, score: meanOf(of.filter((score) => !Number.isNaN(score))) }))
}

/** How likely it is that an answer wins among k of n samples; the share of a win where it is tied. */
function winningChance(candidates: readonly Candidate[], place: number, n: number, k: number): number {
  const own = candidates[place]!.votes
  const others = candidates.filter((_, other) => other !== place).map(({ votes }) => votes)
  let chance = 0
  for (let level = Math.max(1, k - (n - own)); level <= Math.min(own, k); level++) {
    // By how many draws were used and how many others are level with it, how likely that is, once the group before was drawn from.
    let states = new Map([[0, hypergeometric(n, own, k, level)]])
    let population = n - own
    for (const votes of others) {
      states = drawn(states, { votes, population, draws: k - level, level })
      population -= votes
    }
    // What is left to draw comes from samples that do not vote.
    for (const [state, likely] of states) chance += likely / (apart(state).tied + 1)
  }
  return chance
}

type Draw = { votes: number; population: number; draws: number; level: number }

function drawn(states: ReadonlyMap<number, number>, { votes, population, draws, level }: Draw): Map<number, number> {
  const next = new Map<number, number>()
  for (const [state, likely] of states) {
    const { used, tied } = apart(state)
    const left = draws - used
    for (let taken = Math.max(0, left - (population - votes)); taken <= Math.min(votes, left, level); taken++) {
      const key = together(used + taken, taken === level ? tied + 1 : tied)
      next.set(key, (next.get(key) ?? 0) + likely * hypergeometric(population, votes, left, taken))
    }
  }
  return next
}

/** Two small numbers as one key. */
const base = 1 << 20
const together = (used: number, tied: number) => used * base + tied
const apart = (state: number) => ({ used: Math.floor(state / base), tied: state % base })

/** How likely it is that just so many of k draws from n are among `marked` ones. */
function hypergeometric(n: number, marked: number, k: number, taken: number): number {
  return Math.exp(logChoose(marked, taken) + logChoose(n - marked, k - taken) - logChoose(n, k))
}

const logFactorials = [0]

function logChoose(n: number, k: number): number {
  for (let next = logFactorials.length; next <= n; next++) logFactorials.push(logFactorials[next - 1]! + Math.log(next))
  return logFactorials[n]! - logFactorials[k]! - logFactorials[n - k]!
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
