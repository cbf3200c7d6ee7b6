import type { LikelyToken } from '../language-model.ts'
import { isLikeliest, likeliestTokens, logProbability } from '../sampling.ts'
import type { Memory, Transformer } from './transformer.ts'

/** How likely each token of a text was, and whether none was likelier. */
type Likely = { logProbability: number; isLikeliest: boolean } | null

/** A text that was read: its ids, what the network remembers of it, and how likely each token was. */
type Known = { ids: readonly number[]; memory: Memory; likely: readonly Likely[] }

/** The end of a text that is being read or written. */
export type Position = {
  ids: number[]
  memory: Memory
  likely: Likely[]
  /** What is expected next. */
  logits: Float32Array
  /** Tokens that were known from an earlier text. */
  reused: number
  /** The likeliest tokens at each place, where they were asked for. */
  topTokens?: (readonly LikelyToken[] | null)[]
}

/** How many tokens are read at once: the logits of all of them are held together. */
const chunkSize = 256

/** How much is remembered of earlier texts. */
export type ReaderLimits = { texts: number; bytes: number }

/** Many chats at once each find their own beginning again: at 9 KB a token some 30 chats of 300 tokens. */
const defaultLimits: ReaderLimits = { texts: 64, bytes: 96 * 2 ** 20 }

/**
 * Reads texts, reusing what it remembers of earlier ones that begin alike: instructions and examples of a dataset, turns
 * of a chat, the common beginning of labels. The numbers are the same as without.
 */
export class Reader {
  readonly #transformer: Transformer
  readonly #limits: ReaderLimits
  #known: Known[] = []

  constructor(transformer: Transformer, limits: ReaderLimits = defaultLimits) {
    this.#transformer = transformer
    this.#limits = limits
  }

  /** Reads a text of at least one token to its end. What else was likely is not remembered: to tell it, all of it is read anew. */
  async read(ids: readonly number[], { topTokens = 0 }: { topTokens?: number } = {}): Promise<Position> {
    const { known, common } = topTokens > 0 ? { known: undefined, common: 0 } : this.#mostAlike(ids)
    const top: (readonly LikelyToken[] | null)[] = [null]
    // The last common token is read again, since what was expected after it is not kept.
    const reused = Math.max(0, common - 1)
    const likely = known && common > 0 ? known.likely.slice(0, common) : [null]
    let memory = known && reused > 0 ? this.#transformer.shorten(known.memory, reused) : undefined
    const { vocabulary } = this.#transformer.shape
    let logits: Float32Array = new Float32Array(0)
    for (let at = reused; at < ids.length; at += chunkSize) {
      const some = ids.slice(at, at + chunkSize)
      const read = await this.#transformer.read(some, memory)
      memory = read.memory
      for (let index = 0; index < some.length; index++) {
        logits = read.logits.subarray(index * vocabulary, (index + 1) * vocabulary)
        const next = at + index + 1
        if (next < ids.length && next >= likely.length) likely.push(likelyAt(logits, ids[next]!))
        if (next < ids.length && topTokens > 0) top.push(likeliestTokens(logits, topTokens))
      }
    }
    const position: Position = {
      ids: [...ids],
      memory: memory!,
      likely,
      logits: logits.slice(),
      reused,
      ...(topTokens > 0 ? { topTokens: top } : {}),
    }
    this.remember(position)
    return position
  }

  /** Reads one more token. */
  async extend(position: Position, id: number): Promise<void> {
    const { logits, memory } = await this.#transformer.read([id], position.memory)
    position.ids.push(id)
    position.likely.push(likelyAt(position.logits, id))
    position.memory = memory
    position.logits = logits
  }

  /** Keeps the latest texts for those that begin alike; one that is only the beginning of another is not needed. */
  remember({ ids, memory, likely }: Position): void {
    const others = this.#known.filter((known) => commonLength(known.ids, ids) < known.ids.length)
    const { texts, bytes } = this.#limits
    let left = bytes
    this.#known = [{ ids: [...ids], memory, likely: [...likely] }, ...others].slice(0, texts).filter((known) => {
      left -= bytesOf(known.memory)
      return left >= 0
    })
  }

  #mostAlike(ids: readonly number[]): { known?: Known; common: number } {
    let best: { known?: Known; common: number } = { common: 0 }
    for (const known of this.#known) {
      const common = commonLength(known.ids, ids)
      if (common > best.common) best = { known, common }
    }
    return best
  }
}

function likelyAt(logits: Float32Array, id: number): Likely {
  return { logProbability: logProbability(logits, id), isLikeliest: isLikeliest(logits, id) }
}

function bytesOf({ keysAndValues }: Memory): number {
  return keysAndValues.reduce((sum, { byteLength }) => sum + byteLength, 0)
}

function commonLength(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length)
  let common = 0
  while (common < length && a[common] === b[common]) common++
  return common
}
