/**
 * Whether JavaScript's own reader gives a JSON value without loss, as far as can be seen in passing: no integer too large for it, no
 * float such as 1.0, no key that it would move (unless that is written with escapes), no great depth. Where it does not hold,
 * `parseJson` looks closely.
 */
export class Plainness {
  holds = true
  /** Where the last number ended so far, how long it is, and where its last sign or point ended. */
  #numberEnd = -1
  #numberLength = 0
  #signEnd = -1

  /** A character of a number: `1.0`, `1e5`, `-0` and sixteen digits would be changed. */
  number(code: number, place: number): void {
    if (place < this.#numberEnd) return // it was looked at before
    if (code === 0x65 || code === 0x45) {
      if (place === this.#numberEnd) this.holds = false
      return
    }
    if (code === 0x30 && place === this.#signEnd) this.holds = false
    if (code === 0x2e || code === 0x2d) this.#signEnd = place + 1
    this.#numberLength = place === this.#numberEnd ? this.#numberLength + 1 : 1
    if (this.#numberLength > 14) this.holds = false
    this.#numberEnd = place + 1
  }

  /** The first character of a string: as keys, integers and `__proto__` would be moved or swallowed. */
  string(first: number): void {
    if ((first >= 0x30 && first <= 0x39) || first === 0x5f) this.holds = false
  }

  depth(depth: number): void {
    if (depth > plainDepth) this.holds = false
  }
}

/** Far below the depth that readers refuse. */
const plainDepth = 100
