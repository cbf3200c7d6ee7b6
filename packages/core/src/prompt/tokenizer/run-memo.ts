import { SeenBefore } from './seen-before.ts'
import type { EncodedRun, Tokenizer } from './tokenizer.ts'

/** Which runs are cached: all, or only those that come a second time. */
type Remembered = 'all' | 'repeated'

/**
 * An LRU cache of encoded runs. Tokenising is a thousand times slower than rendering, and examples, system turns and formats repeat from
 * row to row. Bounded by the characters it holds.
 */
export class RunMemo {
  /** By text; those at the beginning of a prompt are separate, since a space may be prepended. */
  readonly #runs = { first: new Map<string, EncodedRun>(), later: new Map<string, EncodedRun>() }
  readonly #limit: number
  readonly #seen: SeenBefore | undefined
  #characters = 0
  #tokenizer: Tokenizer | undefined
  #isProtected: ((id: number) => boolean) | undefined

  constructor(limit = 4_000_000, remembered: Remembered = 'all') {
    this.#limit = limit
    this.#seen = remembered === 'repeated' ? new SeenBefore() : undefined
  }

  encode(tokenizer: Tokenizer, text: string, isFirst: boolean, isProtected: (id: number) => boolean): EncodedRun {
    // A memo serves one tokenizer and format; for another it starts over.
    if (tokenizer !== this.#tokenizer || isProtected !== this.#isProtected) this.#clear(tokenizer, isProtected)
    const runs = isFirst ? this.#runs.first : this.#runs.later
    const known = runs.get(text)
    if (known) {
      runs.delete(text)
      runs.set(text, known)
      return known
    }
    const encoded = tokenizer.encodeRun(text, isFirst, isProtected)
    if (this.#seen === undefined || this.#seen.has(text)) this.#remember(runs, text, encoded)
    return encoded
  }

  #remember(runs: Map<string, EncodedRun>, text: string, encoded: EncodedRun): void {
    runs.set(text, encoded)
    this.#characters += text.length
    for (const some of [runs, runs === this.#runs.later ? this.#runs.first : this.#runs.later]) {
      for (const oldest of some.keys()) {
        if (this.#characters <= this.#limit) return
        some.delete(oldest)
        this.#characters -= oldest.length
      }
    }
  }

  #clear(tokenizer: Tokenizer, isProtected: (id: number) => boolean): void {
    this.#runs.first.clear()
    this.#runs.later.clear()
    this.#characters = 0
    this.#tokenizer = tokenizer
    this.#isProtected = isProtected
  }
}
