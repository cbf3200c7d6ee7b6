const size = 624
const period = 397

/** MT19937, which Python's `random` and numpy's legacy generator share; they differ in how they seed it and draw from it. */
export class MersenneTwister {
  readonly #state: Uint32Array
  #next = size

  /** A seed as one number is spread over the state; as 32-bit digits, the lowest first, it is mixed into it. */
  constructor(seed: number | readonly number[]) {
    this.#state = typeof seed === 'number' ? seeded(seed) : seededByArray(seed)
  }

  /** 32 random bits. */
  next(): number {
    if (this.#next === size) this.#refill()
    let value = this.#state[this.#next++]!
    value ^= value >>> 11
    value ^= (value << 7) & 0x9d2c5680
    value ^= (value << 15) & 0xefc60000
    value ^= value >>> 18
    return value >>> 0
  }

  #refill(): void {
    const state = this.#state
    for (let index = 0; index < size; index++) {
      const mixed = (state[index]! & 0x80000000) | (state[(index + 1) % size]! & 0x7fffffff)
      state[index] = state[(index + period) % size]! ^ (mixed >>> 1) ^ (mixed & 1 ? 0x9908b0df : 0)
    }
    this.#next = 0
  }
}

function seeded(seed: number): Uint32Array {
  const state = new Uint32Array(size)
  state[0] = seed
  for (let index = 1; index < size; index++) state[index] = Math.imul(1812433253, scrambled(state[index - 1]!)) + index
  return state
}

function seededByArray(key: readonly number[]): Uint32Array {
  const state = seeded(19650218)
  let index = 1
  let digit = 0
  const advance = () => {
    index++
    if (index < size) return
    state[0] = state[size - 1]!
    index = 1
  }
  for (let step = Math.max(size, key.length); step > 0; step--) {
    state[index] = (state[index]! ^ Math.imul(scrambled(state[index - 1]!), 1664525)) + key[digit]! + digit
    digit = (digit + 1) % key.length
    advance()
  }
  for (let step = size - 1; step > 0; step--) {
    state[index] = (state[index]! ^ Math.imul(scrambled(state[index - 1]!), 1566083941)) - index
    advance()
  }
  state[0] = 0x80000000
  return state
}

function scrambled(value: number): number {
  return value ^ (value >>> 30)
}
