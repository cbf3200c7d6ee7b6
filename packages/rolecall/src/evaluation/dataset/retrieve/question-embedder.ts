import type { Embedder } from './embedder.ts'

/** Maximum number of questions per embedding request. */
export const questionsAtOnce = 64

/** Limit of embedded but unused questions; beyond it they belong to rows that are never used. */
const mostKept = 4096

/**
 * Embeds questions on demand, together with the announced next ones: one request for
 * many rows instead of one for each.
 */
export class QuestionEmbedder {
  readonly #embed: Embedder
  readonly #known = new Map<string, Promise<readonly number[]>>()
  #next = new Set<string>()

  constructor(embed: Embedder) {
    this.#embed = embed
  }

  /** The upcoming questions, in order. */
  foresee(texts: Iterable<string>): void {
    for (const text of texts) if (!this.#known.has(text)) this.#next.add(text)
  }

  vectorOf(text: string): Promise<readonly number[]> {
    return this.#known.get(text) ?? this.#ask(text)
  }

  #ask(text: string): Promise<readonly number[]> {
    this.#next.delete(text)
    const batch = [text]
    for (const next of this.#next) {
      if (batch.length >= questionsAtOnce) break
      batch.push(next)
    }
    const vectors = this.#embed(batch)
    for (const [place, one] of batch.entries()) {
      this.#next.delete(one)
      const vector = vectors.then((all) => all[place]!)
      // The caller receives a failure; announced questions are embedded again.
      vector.catch(() => this.#known.delete(one))
      this.#known.set(one, vector)
    }
    for (const old of this.#known.keys()) {
      if (this.#known.size <= mostKept) break
      this.#known.delete(old)
    }
    return this.#known.get(text)!
  }
}
