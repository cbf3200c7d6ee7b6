import type { LikelyToken } from '../language-model/language-model.ts'
import { isLikeliest, likeliestTokens, logProbability } from '../language-model/sampling.ts'
import { type Holder, type Memory, mostAtOnce, type Transformer } from './transformer.ts'

/** The log-probability of each token of a text, and whether it was the likeliest. */
type Likely = { logProbability: number; isLikeliest: boolean } | null

/** A text as far as it was read, with the log-probability of each token. */
type Text = { readonly ids: number[]; readonly likely: Likely[] }

/** A text that was evicted from the network, with its saved state. */
type Kept = Text & { readonly memory: Memory }

/** The end of a text in progress. */
export type Position = {
  readonly text: Text
  /** The logits of the next token. */
  logits: Float32Array
  /** Tokens that were reused from an earlier text. */
  readonly reused: number
  /** The likeliest tokens at each position, if requested. */
  readonly topTokens?: (readonly LikelyToken[] | null)[]
}

/** Cache limit for earlier texts. */
export type ReaderLimits = { texts: number; bytes: number }

/** Many concurrent chats each find their prefix: at 9 KB per token, about 30 chats of 300 tokens. */
const defaultLimits: ReaderLimits = { texts: 64, bytes: 96 * 2 ** 20 }

/**
 * Reads texts and reuses the cached prefixes of earlier ones: instructions and examples of a dataset, turns of a chat, the common beginning
 * of labels. The numbers are the same as without the cache.
 */
export class PrefixReader implements Holder {
  readonly #transformer: Transformer
  readonly #limits: ReaderLimits
  /** The text that the network holds. */
  #held: Text = { ids: [], likely: [] }
  #kept: Kept[] = []

  constructor(transformer: Transformer, limits: ReaderLimits = defaultLimits) {
    this.#transformer = transformer
    this.#limits = limits
  }

  /**
   * Reads a text of at least one token to its end; at a pause other readers may run. Alternative tokens are not cached: to return them, the
   * whole text is read again.
   */
  async read(
    ids: readonly number[],
    { topTokens = 0, pause = async () => {} }: { topTokens?: number; pause?: () => Promise<void> } = {},
  ): Promise<Position> {
    const { vocabulary } = this.#transformer.shape
    const top: (readonly LikelyToken[] | null)[] = [null]
    const { known, common } = topTokens > 0 ? { known: undefined, common: 0 } : this.#mostAlike(ids)
    // The last common token is read again, since the logits after it are not cached.
    const reused = Math.max(0, common - 1)
    const likely = known?.likely.slice(0, common) ?? [null]
    const text = { ids: ids.slice(0, reused), likely }
    let logits: Float32Array = new Float32Array(0)
    for (let at = reused; at < ids.length; at += mostAtOnce) {
      await pause()
      this.#hold(text, ids)
      const some = ids.slice(at, at + mostAtOnce)
      const read = this.#transformer.read(some)
      text.ids.push(...some)
      for (let index = 0; index < some.length; index++) {
        logits = read.subarray(index * vocabulary, (index + 1) * vocabulary)
        const next = at + index + 1
        if (next < ids.length && next >= likely.length) likely.push(likelyAt(logits, ids[next]!))
        if (next < ids.length && topTokens > 0) top.push(likeliestTokens(logits, topTokens))
      }
      logits = logits.slice()
    }
    return { text, logits, reused, ...(topTokens > 0 ? { topTokens: top } : {}) }
  }

  /** Reads one more token. */
  extend(position: Position, id: number): void {
    const { text, logits } = position
    this.#hold(text)
    text.likely.push(likelyAt(logits, id))
    text.ids.push(id)
    position.logits = this.#transformer.read([id]).slice()
  }

  /** Makes the network hold a prefix of `whole`. The text it held before is cached, unless it is a prefix of the new one. */
  #hold(text: Text, whole: readonly number[] = text.ids): void {
    this.#transformer.lendTo(this)
    if (this.#held === text) return
    if (commonLength(this.#held.ids, whole) < this.#held.ids.length) this.#keep()
    const { known, common } = this.#mostAlike(text.ids)
    if (known && 'memory' in known) this.#transformer.restore((known as Kept).memory, common)
    else this.#transformer.shorten(common)
    for (let at = common; at < text.ids.length; at += mostAtOnce) this.#transformer.read(text.ids.slice(at, at + mostAtOnce))
    this.#held = text
  }

  /** Another user takes the network. */
  leave(): void {
    this.#keep()
    this.#held = { ids: [], likely: [] }
  }

  /** Keeps the latest texts for reuse as prefixes; a text that is a prefix of another is dropped. */
  #keep(): void {
    const { ids, likely } = this.#held
    if (ids.length === 0) return
    if (this.#kept.some((kept) => commonLength(kept.ids, ids) === ids.length)) return
    const others = this.#kept.filter((kept) => commonLength(kept.ids, ids) < kept.ids.length)
    const { texts, bytes } = this.#limits
    let left = bytes
    const kept: Kept = { ids: [...ids], likely: [...likely], memory: this.#transformer.remember() }
    this.#kept = [kept, ...others].slice(0, texts).filter(({ memory }) => {
      left -= memory.keys.byteLength + memory.values.byteLength
      return left >= 0
    })
  }

  #mostAlike(ids: readonly number[]): { known?: Text; common: number } {
    let best: { known?: Text; common: number } = { common: 0 }
    for (const known of [this.#held, ...this.#kept]) {
      const common = commonLength(known.ids, ids)
      if (common > best.common) best = { known, common }
    }
    return best
  }
}

function likelyAt(logits: Float32Array, id: number): Likely {
  return { logProbability: logProbability(logits, id), isLikeliest: isLikeliest(logits, id) }
}

function commonLength(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length)
  let common = 0
  while (common < length && a[common] === b[common]) common++
  return common
}
