/**
 * Reports whether a text was seen before, as far as its hash can say. Texts that come only once are then not cached: they would age in
 * memory, evict recurring texts, and burden the slow generation of the garbage collector.
 */
export class SeenBefore {
  readonly #hashes: Uint32Array

  /** `slots`: a power of two. A later text may overwrite another. */
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
