const size = 624
const period = 397

/**
 * Python's `random.Random(seed)` for a seed that is a non-negative integer: the Mersenne Twister MT19937, so that a
 * sample drawn here is the one that Python draws.
 * @example new PythonRandom(3).shuffle([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).slice(0, 3) // => [1, 5, 6]
 */
export class PythonRandom {
  readonly #state: Uint32Array
  #next = size

  constructor(seed: number | bigint) {
    this.#state = seededByArray(digits(BigInt(seed)))
  }

  /** An integer with this many random bits, 1 to 32. */
  bits(count: number): number {
    if (this.#next === size) this.#refill()
    let value = this.#state[this.#next++]!
    value ^= value >>> 11
    value ^= (value << 7) & 0x9d2c5680
    value ^= (value << 15) & 0xefc60000
    value ^= value >>> 18
    return (value >>> 0) >>> (32 - count)
  }

  /** An integer from 0 up to, and without, the limit (at most 2^32 - 1). */
  below(limit: number): number {
    const count = 32 - Math.clz32(limit)
    let value = this.bits(count)
    while (value >= limit) value = this.bits(count)
    return value
  }

  /** Shuffles a list in place, as `random.shuffle` does, and returns it. */
  shuffle<Item>(items: Item[]): Item[] {
    for (let last = items.length - 1; last > 0; last--) {
      const other = this.below(last + 1)
      const item = items[last]!
      items[last] = items[other]!
      items[other] = item
    }
    return items
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

/** The seed in 32-bit digits, the lowest first; zero has one digit. */
function digits(seed: bigint): number[] {
  const list: number[] = []
  for (let rest = seed < 0n ? -seed : seed; rest > 0n || list.length === 0; rest >>= 32n) list.push(Number(rest & 0xffffffffn))
  return list
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
