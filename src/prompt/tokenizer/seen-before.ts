/**
 * Reports whether a text was seen before, as far as its hash can say. What comes only once is then not remembered: it would grow old
 * in memory, push out what does come again, and be found by the slowest kind of garbage collection.
 */
export class SeenBefore {
  readonly #hashes: Uint32Array

  /** `slots`: a power of two. A later text takes the place of another. */
  constructor(slots = 1 << 16) {
    this.#hashes = new Uint32Array(slots)
  }

  has(text: string): boolean {
    let hash = 0x811c9dc5
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    hash >>>= 0
    const slot = (hash ^ (hash >>> 16)) & (this.#hashes.length - 1)
    const isKnown = this.#hashes[slot] === hash
    this.#hashes[slot] = hash
    return isKnown
  }
}
