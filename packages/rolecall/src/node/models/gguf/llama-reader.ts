import type { TokenMask } from '@rolecall/core/internal/constrain'
import type { LikelyToken } from '../../../model/language-model/language-model.ts'
import { applyMask, isPenalised, logProbability, penalise, sampleToken } from '../../../model/language-model/sampling.ts'
import type { ScoredText, ScoreTextOptions, TextReader, TokenChoice, Writing } from '../../../model/language-model/text-reader.ts'

export type LlamaReaderOptions = { sequence: LlamaSequence; vocabulary: number; context: number; close?: () => Promise<void> }

/** Scores and generates text in one llama.cpp sequence, reusing the KV cache for the prefix shared with the previous text. */
export function llamaReader({ sequence, vocabulary, context, close }: LlamaReaderOptions): TextReader {
  /** The tokens in the KV cache, and their log probabilities as far as they were requested. */
  let known: number[] = []
  const likely: (number | null | undefined)[] = []
  /** Whether each of those tokens was the likeliest. */
  const best: boolean[] = []

  return { context, write, score, ...(close ? { close } : {}) }

  async function score(texts: readonly (readonly number[])[], { needed, topTokens, signal }: ScoreTextOptions): Promise<ScoredText[]> {
    const shared = sharedLength(texts)
    // Sums vary slightly with batch size. All texts continue from the same position, so that none is favoured.
    const isForked = texts.length > 1 && shared > 1 && topTokens === 0
    const isNeeded = (index: number) => texts.some((_, text) => needed(index, text))
    const start = isForked ? await read(texts[0]!.slice(0, shared), isNeeded, 0) : undefined
    const scored: ScoredText[] = []
    for (const [text, ids] of texts.entries()) {
      signal?.throwIfAborted()
      const one = await read(ids, (index) => needed(index, text), topTokens)
      scored.push(text === 0 && start ? { ...one, reused: Math.min(start.reused, one.reused) } : one)
    }
    return scored
  }

  async function read(ids: readonly number[], needed: (index: number) => boolean, topTokens: number): Promise<ScoredText> {
    // Alternatives are not cached: requesting them evaluates the whole text again.
    const common = topTokens > 0 ? 0 : commonLength(known, ids)
    const isMissing = (index: number) => needed(index) && (index >= common || likely[index] === undefined)
    const start = await keepUnless(isMissing, ids, common)
    const input = ids.slice(start).map((id, offset) => {
      const index = start + offset + 1
      if (index >= ids.length || !isMissing(index)) return id
      const next: Wanted = { logits: { filter: { tokens: [ids[index]!], includeTop: Math.max(1, topTokens) } }, totalLogitWeight: true }
      return [id, { generateNext: next }] as const
    })
    const outputs = input.length === 0 ? [] : await evaluate(input)
    if (start < ids.length) {
      known = [...ids]
      likely.length = Math.min(likely.length, common)
    }
    likely[0] = null
    const top: (readonly LikelyToken[] | null)[] = ids.map(() => null)
    for (const [offset, output] of outputs.entries()) {
      if (!output?.next.logits) continue
      const index = start + offset + 1
      const { logits, totalLogitWeight } = output.next
      likely[index] = logOf(logits, totalLogitWeight!, ids[index]!)
      best[index] = logits.get(ids[index]!) === highestOf(logits)
      top[index] = topOf(logits, totalLogitWeight!, topTokens)
    }
    return {
      logProbabilities: ids.map((_, index) => likely[index] ?? null),
      isLikeliest: ids.map((_, index) => (typeof likely[index] === 'number' ? best[index]! : null)),
      reused: Math.min(start, ids.length),
      ...(topTokens > 0 ? { topTokens: top } : {}),
    }
  }

  /** Keeps the longest cached prefix that need not be evaluated again. */
  async function keepUnless(isMissing: (index: number) => boolean, ids: readonly number[], common: number): Promise<number> {
    let from = common
    for (let index = 1; index <= common && index < ids.length; index++) {
      if (!isMissing(index)) continue
      // Log probabilities at `index` come from evaluating the token before it.
      from = index - 1
      break
    }
    return from < ids.length ? keep(from) : from
  }

  async function write(ids: readonly number[]): Promise<Writing> {
    // The last token is always evaluated: its logits choose the next one.
    const common = commonLength(known, ids)
    const reused = await keep(Math.min(common, ids.length - 1))
    likely.length = Math.min(likely.length, common)
    let waiting = ids.slice(reused)
    return {
      reused,
      async choose(choice) {
        const next = wantedFor(choice)
        const last = waiting.length - 1
        const output = await evaluate([...waiting.slice(0, last), [waiting[last]!, { generateNext: next }]])
        known.push(...waiting)
        waiting = []
        const { logits, totalLogitWeight } = output.at(-1)!.next
        const chosen = isGreedy(choice) ? likeliestOf(logits!, totalLogitWeight!, choice) : sampled(logits!, choice)
        return choice.topTokens > 0 ? { ...chosen, top: topOf(logits!, totalLogitWeight!, choice.topTokens) } : chosen
      },
      async append(id) {
        waiting.push(id)
      },
      // No flush: the last tokens of a reply need not be evaluated.
    }
  }

  async function evaluate(input: Parameters<LlamaSequence['controlledEvaluate']>[0]) {
    const before = known
    known = []
    // If this throws, the state of the sequence is unknown, and the next text starts from scratch.
    const output = await sequence.controlledEvaluate(input)
    known = before
    return output
  }

  /** Truncates the KV cache to `count` tokens; models that cannot erase a part keep fewer. */
  async function keep(count: number): Promise<number> {
    if (count === 0) await sequence.clearHistory()
    else if (count < sequence.nextTokenIndex) await sequence.eraseContextTokenRanges([{ start: count, end: sequence.nextTokenIndex }])
    const kept = Math.min(count, sequence.nextTokenIndex)
    known.length = kept
    return kept
  }

  function sampled(found: ReadonlyMap<number, number>, { sampling, counts, random, banned, mask }: TokenChoice) {
    const logits = new Float32Array(vocabulary).fill(Number.NEGATIVE_INFINITY)
    for (const [id, logit] of found) logits[id] = logit
    const raw = logits.slice()
    for (const id of banned) logits[id] = Number.NEGATIVE_INFINITY
    if (mask) applyMask(logits, mask)
    const id = sampleToken(logits, sampling, counts, random)
    return { id, logProbability: logProbability(raw, id) }
  }
}

function isGreedy({ sampling }: TokenChoice): boolean {
  return sampling.temperature < 1e-6
}

/** The logits to request. Greedy decoding needs only the top tokens: one more than are banned or penalised. */
function wantedFor(choice: TokenChoice): Wanted {
  const { mask } = choice
  // With a large mask, the likeliest allowed token may not be among the top tokens.
  if (!isGreedy(choice) || (mask && mask.count > mostListed)) return { logits: true, totalLogitWeight: true }
  if (mask) return { logits: { filter: { tokens: idsIn(mask), includeTop: Math.max(1, choice.topTokens) } }, totalLogitWeight: true }
  const penalised = isPenalised(choice.sampling) ? [...choice.counts.keys()] : []
  return {
    logits: { filter: { tokens: penalised, includeTop: Math.max(1 + penalised.length + choice.banned.size, choice.topTokens) } },
    totalLogitWeight: true,
  }
}

/** Above this, requesting individual logits is slower than requesting all. */
const mostListed = 256

function idsIn({ allowed }: TokenMask): number[] {
  const ids: number[] = []
  for (let id = allowed.indexOf(1); id >= 0; id = allowed.indexOf(1, id + 1)) ids.push(id)
  return ids
}

function likeliestOf(found: ReadonlyMap<number, number>, total: number, { sampling, counts, banned, mask }: TokenChoice) {
  let best: { id: number; logit: number } | undefined
  for (const [id, raw] of found) {
    if (banned.has(id) || (mask && mask.allowed[id] !== 1)) continue
    const one = Float32Array.of(raw)
    const count = counts.get(id)
    if (count !== undefined) penalise(one, new Map([[0, count]]), sampling)
    const logit = one[0]!
    if (!best || logit > best.logit || (logit === best.logit && id < best.id)) best = { id, logit }
  }
  return { id: best!.id, logProbability: logOf(found, total, best!.id) }
}

/** `total`: the sum of exp(logit - highest) over the whole vocabulary. */
function logOf(found: ReadonlyMap<number, number>, total: number, id: number): number {
  return found.get(id)! - highestOf(found) - Math.log(total)
}

function highestOf(found: ReadonlyMap<number, number>): number {
  let highest = Number.NEGATIVE_INFINITY
  for (const logit of found.values()) if (logit > highest) highest = logit
  return highest
}

function topOf(found: ReadonlyMap<number, number>, total: number, count: number): LikelyToken[] {
  const best = [...found].sort(([a, one], [b, other]) => other - one || a - b).slice(0, count)
  return best.map(([id]) => ({ id, logProbability: logOf(found, total, id) }))
}

function sharedLength(texts: readonly (readonly number[])[]): number {
  return texts.reduce((length, ids) => Math.min(length, commonLength(texts[0]!, ids)), texts[0]?.length ?? 0)
}

function commonLength(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length)
  let common = 0
  while (common < length && a[common] === b[common]) common++
  return common
}

/** The part of node-llama-cpp that is used here. https://node-llama-cpp.withcat.ai */
export type NodeLlamaCpp = { getLlama(options: Record<string, unknown>): Promise<Llama> }

export type Llama = { loadModel(options: Record<string, unknown>): Promise<LlamaModel> }

export type LlamaModel = {
  trainContextSize: number
  tokenize(text: string, specialTokens?: boolean): readonly number[]
  createContext(options: Record<string, unknown>): Promise<LlamaContext>
  dispose(): Promise<void>
}

export type LlamaContext = { contextSize: number; getSequence(): LlamaSequence; dispose(): Promise<void> }

/** The logits to return after a token. Filtering keeps large vocabularies fast (`includeMax` has no effect in 3.22, `includeTop: 1` does). */
export type Wanted = {
  logits: true | { filter: { tokens: readonly number[]; includeTop: number } }
  totalLogitWeight: true
}

export type LlamaSequence = {
  nextTokenIndex: number
  clearHistory(): Promise<void>
  eraseContextTokenRanges(ranges: readonly { start: number; end: number }[]): Promise<void>
  controlledEvaluate(
    input: readonly (number | readonly [token: number, options: { generateNext: Wanted }])[],
  ): Promise<readonly ({ next: { logits?: Map<number, number>; totalLogitWeight?: number } } | undefined)[]>
}
