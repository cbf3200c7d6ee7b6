/** No value. */
export const none = -1

/**
 * A map from two non-negative numbers to one: an open hash table over plain arrays. Vocabularies have a million pairs, for which a `Map`
 * with composed keys takes several times the time and memory.
 */
export class PairMap {
  size = 0
  #firsts: Int32Array
  #seconds: Int32Array
  #values: Int32Array

  /** `expected`: the minimum number of pairs. */
  constructor(expected = 0) {
    const slots = Math.max(16, 2 ** Math.ceil(Math.log2(2 * expected + 1)))
    this.#firsts = new Int32Array(slots)
    this.#seconds = new Int32Array(slots)
    this.#values = new Int32Array(slots).fill(none)
  }

  /** The value of a pair, or `none`. */
  get(first: number, second: number): number {
    return this.#values[this.#slotOf(first, second)]!
  }

  set(first: number, second: number, value: number): void {
    const slot = this.#slotOf(first, second)
    if (this.#values[slot] === none) this.size++
    this.#firsts[slot] = first
    this.#seconds[slot] = second
    this.#values[slot] = value
    if (this.size * 2 > this.#values.length) this.#grow()
  }

  /** The slot of a pair, or the free slot for it. */
  #slotOf(first: number, second: number): number {
    const firsts = this.#firsts
    const seconds = this.#seconds
    const values = this.#values
    const last = values.length - 1
    const mixed = Math.imul(first ^ Math.imul(second, 0x9e3779b1), 0x85ebca6b)
    let slot = (mixed ^ (mixed >>> 15)) & last
    while (values[slot] !== none && (firsts[slot] !== first || seconds[slot] !== second)) slot = (slot + 1) & last
    return slot
  }

  #grow(): void {
    const firsts = this.#firsts
    const seconds = this.#seconds
    const values = this.#values
    this.#firsts = new Int32Array(values.length * 2)
    this.#seconds = new Int32Array(values.length * 2)
    this.#values = new Int32Array(values.length * 2).fill(none)
    this.size = 0
    values.forEach((value, slot) => {
      if (value !== none) this.set(firsts[slot]!, seconds[slot]!, value)
    })
  }
}
