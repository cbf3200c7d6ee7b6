import { bySamplingField, type Sampling, samplingRows } from './sampling-settings.ts'

export type { Sampling } from './sampling-settings.ts'

/** Sampling that always takes the likeliest token. */
export const greedy: Sampling = bySamplingField(({ neutral }) => neutral)

const penalties = samplingRows.flatMap(({ field, neutral, here }) =>
  here?.on === 'repeated tokens' ? [{ field, neutral, change: here.change }] : [],
)
const limits = samplingRows.flatMap(({ field, here }) => (here?.on === 'candidates' ? [{ field, keep: here.keep }] : []))

/** How often each token occurs in the reply so far. */
export type TokenOccurrences = ReadonlyMap<number, number>

/** Whether tokens of the reply have other logits than the model gave them. */
export function isPenalised(sampling: Partial<Sampling>): boolean {
  return penaltiesIn(sampling).length > 0
}

/** Lowers the logits of tokens that the reply contains, in place. */
export function penalise(logits: Float32Array, counts: TokenOccurrences, sampling: Partial<Sampling>): void {
  const changes = penaltiesIn(sampling)
  if (changes.length === 0) return
  for (const [id, count] of counts) {
    let logit = logits[id]
    if (logit === undefined) continue
    for (const { change, value } of changes) logit = change(logit, count, value)
    logits[id] = logit
  }
}

function penaltiesIn(sampling: Partial<Sampling>) {
  return penalties.flatMap(({ field, neutral, change }) => {
    const value = sampling[field] ?? neutral
    return value === neutral ? [] : [{ change, value }]
  })
}

/** Whether no token is likelier than this one. */
export function isLikeliest(logits: Float32Array, id: number): boolean {
  const own = logits[id]!
  for (const logit of logits) if (logit > own) return false
  return true
}

/** Masks all but some tokens; changes the logits in place. */
export function applyMask(logits: Float32Array, { allowed }: { readonly allowed: Uint8Array }): void {
  for (let id = 0; id < logits.length; id++) if (allowed[id] !== 1) logits[id] = Number.NEGATIVE_INFINITY
}

/** The probabilities of all tokens at a temperature above 0. */
export function softmax(logits: Float32Array, temperature = 1): Float32Array {
  let highest = Number.NEGATIVE_INFINITY
  for (const logit of logits) if (logit > highest) highest = logit
  const probabilities = new Float32Array(logits.length)
  let sum = 0
  for (let id = 0; id < logits.length; id++) {
    // Relative to the maximum, so that nothing overflows at low temperatures.
    const weight = Math.exp((logits[id]! - highest) / temperature)
    probabilities[id] = weight
    sum += weight
  }
  for (let id = 0; id < logits.length; id++) probabilities[id]! /= sum
  return probabilities
}

/**
 * The token at the position `at` (in [0, 1)) of the cumulative distribution over the likeliest tokens that `top_p` and its like leave;
 * the likeliest is always one of them. Tokens are sorted by probability, so that one `at` means the same token for every limit that
 * keeps it.
 *
 * @example
 * pickToken(Float32Array.of(0.1, 0.6, 0.3), { topP: 0.9, at: 0.7 }) // => 2
 */
export function pickToken(probabilities: Float32Array, { at, ...sampling }: Partial<Sampling> & { at: number }): number {
  const ids = idsByProbability(probabilities)
  const probability = (rank: number) => probabilities[ids[rank]!]!
  const sumOf = (count: number) => {
    let sum = 0
    for (let rank = 0; rank < count; rank++) sum += probability(rank)
    return sum
  }
  let count = ids.length
  for (const { field, keep } of limits) {
    const mass = count < ids.length ? sumOf(count) : 1
    count = Math.max(1, keep({ count, mass, probability }, sampling[field] ?? greedy[field]))
  }
  let rest = at * sumOf(count)
  let last = ids[0]!
  for (const id of ids.subarray(0, count)) {
    if (probabilities[id] === 0) continue
    last = id
    rest -= probabilities[id]!
    if (rest < 0) return id
  }
  return last
}

function idsByProbability(probabilities: Float32Array): Uint32Array {
  const ids = Uint32Array.from(probabilities, (_, id) => id)
  return ids.sort((a, b) => probabilities[b]! - probabilities[a]! || a - b)
}

/** The likeliest token; the first on a tie. */
export function likeliest(logits: Float32Array): number {
  let best = 0
  for (let id = 1; id < logits.length; id++) if (logits[id]! > logits[best]!) best = id
  return best
}

/** Chooses the next token. `random` returns numbers in [0, 1). The logits are changed in place. */
export function sampleToken(logits: Float32Array, sampling: Sampling, counts: TokenOccurrences, random: () => number): number {
  penalise(logits, counts, sampling)
  // Like MLC, which treats temperatures below this as 0.
  if (sampling.temperature < 1e-6) return likeliest(logits)
  return pickToken(softmax(logits, sampling.temperature), { ...sampling, at: random() })
}

/**
 * Random numbers in [0, 1) that depend only on the seed (mulberry32).
 *
 * @example
 * const [first, again] = [seededRandom(7)(), seededRandom(7)()]
 * first === again // => true
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The natural logarithm of a token's probability. */
export function logProbability(logits: Float32Array, id: number): number {
  let highest = Number.NEGATIVE_INFINITY
  for (const logit of logits) if (logit > highest) highest = logit
  let sum = 0
  for (const logit of logits) sum += Math.exp(logit - highest)
  return logits[id]! - highest - Math.log(sum)
}

/**
 * The likeliest tokens in descending order; on a tie the first.
 *
 * @example
 * likeliestTokens(Float32Array.of(0, 2, 1), 2).map(({ id }) => id) // => [1, 2]
 */
export function likeliestTokens(logits: Float32Array, count: number): { id: number; logProbability: number }[] {
  const best: number[] = []
  for (let id = 0; id < logits.length; id++) {
    if (best.length === count && !(logits[id]! > logits[best.at(-1)!]!)) continue
    let at = best.length
    while (at > 0 && logits[id]! > logits[best[at - 1]!]!) at--
    best.splice(at, 0, id)
    if (best.length > count) best.pop()
  }
  const [first] = best
  if (first === undefined) return []
  const highest = logProbability(logits, first)
  return best.map((id) => ({ id, logProbability: logits[id]! - logits[first]! + highest }))
}
