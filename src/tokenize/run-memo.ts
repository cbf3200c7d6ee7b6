import type { EncodedRun, Tokenizer } from './tokenizer.ts'

/**
 * Remembers encoded runs. Tokenising is a thousand times slower than rendering, and examples, system turns and formats
 * repeat from row to row. Bounded by the characters it holds; what was not used for longest goes first.
 */
export class RunMemo {
  readonly #runs = new Map<string, EncodedRun>()
  readonly #limit: number
  #characters = 0
  #tokenizer: Tokenizer | undefined
  #isProtected: ((id: number) => boolean) | undefined

  constructor(limit = 4_000_000) {
    this.#limit = limit
  }

  encode(tokenizer: Tokenizer, text: string, isFirst: boolean, isProtected: (id: number) => boolean): EncodedRun {
    // A memo serves one tokenizer and format; for another it starts anew.
    if (tokenizer !== this.#tokenizer || isProtected !== this.#isProtected) this.#clear(tokenizer, isProtected)
    const key = (isFirst ? '^' : ' ') + text
    const known = this.#runs.get(key)
    if (known) {
      this.#runs.delete(key)
      this.#runs.set(key, known)
      return known
    }
    const encoded = tokenizer.encodeRun(text, isFirst, isProtected)
    this.#runs.set(key, encoded)
    this.#characters += key.length
    for (const oldest of this.#runs.keys()) {
      if (this.#characters <= this.#limit) break
      this.#runs.delete(oldest)
      this.#characters -= oldest.length
    }
    return encoded
  }

  #clear(tokenizer: Tokenizer, isProtected: (id: number) => boolean): void {
    this.#runs.clear()
    this.#characters = 0
    this.#tokenizer = tokenizer
    this.#isProtected = isProtected
  }
}
