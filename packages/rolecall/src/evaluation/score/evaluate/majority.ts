/** The vote of a sample: its answer as read, or null if none was found. */
export type Vote = string | null

/** The answers with the most votes, the votes of each, and their mean score. */
export type Majority = { answers: string[]; votes: number; score: number }

/** Equal answers of a row, and the mean of their scores; NaN if undecided. */
type Candidate = { answer: string; votes: number; score: number }

/**
 * The majority answer of a row's samples. Samples without an answer do not vote; if several answers tie, all of
 * them win. Undefined without votes.
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
 * majority@k: the expected score of the majority answer among k samples, over all ways to draw k of a row's n samples. A tie
 * scores the mean of the tied answers; k samples without a vote count as wrong. NaN if the score of an
 * answer that can win is undecided.
 *
 * @example
 * majorityAtK(['4', '4', '5'], [1, 1, 0], 3) // => 1
 */
export function majorityAtK(votes: readonly Vote[], scores: readonly number[], k: number): number {
  const candidates = candidatesOf(votes, scores)
  if (k === votes.length) return majorityOf(votes, scores)?.score ?? 0
  // Answers with the same number of votes win equally often, so each number is computed once.
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

/** The probability that an answer wins among k of n samples; a tie counts as a share of a win. */
function winningChance(candidates: readonly Candidate[], place: number, n: number, k: number): number {
  const own = candidates[place]!.votes
  const others = candidates.filter((_, other) => other !== place).map(({ votes }) => votes)
  let chance = 0
  for (let level = Math.max(1, k - (n - own)); level <= Math.min(own, k); level++) {
    // The probability by the number of draws used and of tied answers, after drawing from the previous group.
    let states = new Map([[0, hypergeometric(n, own, k, level)]])
    let population = n - own
    for (const votes of others) {
      states = drawn(states, { votes, population, draws: k - level, level })
      population -= votes
    }
    // The remaining draws are samples that do not vote.
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

/** The probability that exactly `taken` of k draws from n are among the `marked` ones. */
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
