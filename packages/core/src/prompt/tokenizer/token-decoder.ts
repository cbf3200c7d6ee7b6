import type { Tokenizer } from './tokenizer.ts'

/**
 * Ids to text, one by one: a character comes out when its last byte has come. What is not UTF-8 becomes U+FFFD.
 *
 * @example
 * const decoder = new TokenDecoder({ bytesOf: (id) => new TextEncoder().encode('é').slice(id, id + 1) })
 * decoder.push(0) // => ''
 * decoder.push(1) // => 'é'
 * decoder.end() // => ''
 */
export class TokenDecoder {
  readonly #tokenizer: Pick<Tokenizer, 'bytesOf'>
  readonly #utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

  constructor(tokenizer: Pick<Tokenizer, 'bytesOf'>) {
    this.#tokenizer = tokenizer
  }

  push(id: number): string {
    return this.#utf8.decode(this.#tokenizer.bytesOf(id), { stream: true })
  }

  /** The rest: bytes of a character that never ended. */
  end(): string {
    return this.#utf8.decode()
  }
}

/** The text of some ids. */
export function decodeTokens(ids: readonly number[], tokenizer: Pick<Tokenizer, 'bytesOf'>): string {
  const decoder = new TokenDecoder(tokenizer)
  return ids.map((id) => decoder.push(id)).join('') + decoder.end()
}
