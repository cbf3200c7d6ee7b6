/** How the next token is chosen. */
export type Sampling = {
  /** 0: always the likeliest token. */
  temperature: number
  /** Nucleus sampling: only the most likely tokens that together reach this probability. */
  topP: number
  /** Above 1, tokens that the reply already contains become less likely. */
  repetitionPenalty: number
  /** Subtracted from the logits of tokens that the reply already contains. */
  presencePenalty: number
  /** Subtracted from the logit of a token once for each occurrence in the reply. */
  frequencyPenalty: number
  /** The same prompt and seed give the same reply. */
  seed: number
}

/** Sampling that always takes the likeliest token. */
export const greedy: Sampling = {
  temperature: 0,
  topP: 1,
  repetitionPenalty: 1,
  presencePenalty: 0,
  frequencyPenalty: 0,
  seed: 0,
}

type Penalties = Pick<Sampling, 'repetitionPenalty' | 'presencePenalty' | 'frequencyPenalty'>

/** How often each token occurs in the reply so far. */
export type TokenOccurrences = ReadonlyMap<number, number>

/** Lowers the logits of tokens that the reply contains, in place. */
export function penalise(logits: Float32Array, counts: TokenOccurrences, penalties: Penalties): void {
  const { repetitionPenalty, presencePenalty, frequencyPenalty } = penalties
  for (const [id, count] of counts) {
    let logit = logits[id]
    if (logit === undefined) continue
    logit = logit > 0 ? logit / repetitionPenalty : logit * repetitionPenalty
    logits[id] = logit - presencePenalty - count * frequencyPenalty
  }
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
 * The token at the position `at` (in [0, 1)) of the cumulative distribution over the likeliest tokens that together reach `topP`; the
 * likeliest is always one of them. Tokens are sorted by probability, so that one `at` means the same token for every `topP` that keeps it.
 *
 * @example
 * pickToken(Float32Array.of(0.1, 0.6, 0.3), { topP: 0.9, at: 0.7 }) // => 2
 */
export function pickToken(probabilities: Float32Array, { topP, at }: { topP: number; at: number }): number {
  const ids = idsByProbability(probabilities)
  let kept = 0
  let sum = 0
  while (kept < ids.length && (kept === 0 || sum < topP)) sum += probabilities[ids[kept++]!]!
  let rest = at * sum
  let last = ids[0]!
  for (let index = 0; index < kept; index++) {
    const id = ids[index]!
    const probability = probabilities[id]!
    if (probability === 0) continue
    last = id
    rest -= probability
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
  return pickToken(softmax(logits, sampling.temperature), { topP: sampling.topP, at: random() })
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
