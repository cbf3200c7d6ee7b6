/**
 * Python's `random.Random(seed)` for a seed that is a non-negative integer, so that a sample drawn here is the one that
 * Python draws.
 * @example new PythonRandom(3).shuffle([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).slice(0, 3) // => [1, 5, 6]
 */
export class PythonRandom {
  readonly #twister: MersenneTwister

  /** With a seed, or as a copy of another generator. */
  constructor(seed: number | bigint | PythonRandom) {
    this.#twister = new MersenneTwister(seed instanceof PythonRandom ? seed.#twister : digits(BigInt(seed)))
  }

  /** An integer with this many random bits, 1 to 32. */
  bits(count: number): number {
    return this.#twister.next() >>> (32 - count)
  }

  /** `random.getrandbits`: an integer of any number of random bits, the lowest drawn first. */
  manyBits(count: number): number | bigint {
    let value = 0n
    for (let place = 0; place < count; place += 32) value |= BigInt(this.bits(Math.min(32, count - place))) << BigInt(place)
    return Number.isSafeInteger(Number(value)) ? Number(value) : value
  }

  /** An integer from 0 up to, and without, the limit (at most 2^32 - 1). */
  below(limit: number): number {
    const count = 32 - Math.clz32(limit)
    let value = this.bits(count)
    while (value >= limit) value = this.bits(count)
    return value
  }

  /** `random.random()`: a float from 0 up to, and without, 1, of 53 random bits. */
  random(): number {
    const high = this.#twister.next() >>> 5
    return (high * 67_108_864 + (this.#twister.next() >>> 6)) / 9_007_199_254_740_992
  }

  /** `random.choices`: `count` items, drawn with replacement. */
  choices<Item>(items: readonly Item[], count: number): Item[] {
    return Array.from({ length: count }, () => items[Math.floor(this.random() * items.length)]!)
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

  /** `random.sample`: some of the items, none twice. */
  sample<Item>(items: readonly Item[], count: number): Item[] {
    const total = items.length
    // Python keeps a set of what it took where that needs less room than a copy of the items.
    const room = 21 + (count > 5 ? 4 ** Math.ceil(Math.log(count * 3) / Math.log(4)) : 0)
    if (total <= room) {
      const pool = [...items]
      return Array.from({ length: count }, (_, taken) => {
        const at = this.below(total - taken)
        const item = pool[at]!
        pool[at] = pool[total - taken - 1]!
        return item
      })
    }
    const taken = new Set<number>()
    while (taken.size < count) taken.add(this.below(total))
    return [...taken].map((at) => items[at]!)
  }
}

/** The seed in 32-bit digits, the lowest first; zero has one digit. */
function digits(seed: bigint): number[] {
  const list: number[] = []
  for (let rest = seed < 0n ? -seed : seed; rest > 0n || list.length === 0; rest >>= 32n) list.push(Number(rest & 0xffffffffn))
  return list
}

/**
 * numpy's legacy generator (`np.random.seed`), as far as examples and resamples are drawn with it.
 * @example new NumpyRandom(43).choiceWithout(10, 2) // => [3, 9]
 */
export class NumpyRandom {
  readonly #twister: MersenneTwister

  /** With a seed, or as a copy of another generator. */
  constructor(seed: number | NumpyRandom) {
    this.#twister = new MersenneTwister(seed instanceof NumpyRandom ? seed.#twister : seed >>> 0)
  }

  /** An integer from 0 to `most`. */
  upTo(most: number): number {
    return drawUpTo(this.#twister, most)
  }

  /** `np.random.choice(total, count)`: places, some of them perhaps more than once. */
  choice(total: number, count: number): Uint32Array {
    const places = new Uint32Array(count)
    for (let index = 0; index < count; index++) places[index] = this.upTo(total - 1)
    return places
  }

  /** `np.random.permutation(total)`. */
  permutation(total: number): number[] {
    return permutationOf(this.#twister, total)
  }

  /** `np.random.choice(total, count, replace=False)`: places, none of them twice. */
  choiceWithout(total: number, count: number): number[] {
    return this.permutation(total).slice(0, count)
  }
}

type RandomBits = { next(): number }

/** An integer from 0 to `most`, by rejection sampling, as numpy draws it. */
function drawUpTo(random: RandomBits, most: number): number {
  if (most === 0) return 0
  const mask = 0xffffffff >>> Math.clz32(most)
  let value = (random.next() & mask) >>> 0
  while (value > most) value = (random.next() & mask) >>> 0
  return value
}

/** The numbers below `total` in an order that numpy would draw. */
export function permutationOf(random: RandomBits, total: number): number[] {
  const places = Array.from({ length: total }, (_, index) => index)
  for (let last = total - 1; last > 0; last--) {
    const other = drawUpTo(random, last)
    const place = places[last]!
    places[last] = places[other]!
    places[other] = place
  }
  return places
}

const size = 624

const period = 397

/** MT19937, which Python's `random` and numpy's legacy generator share; they differ in how they seed it and draw from it. */
export class MersenneTwister {
  readonly #state: Uint32Array
  #next = size

  /** A seed as one number is spread over the state; as 32-bit digits, the lowest first, it is mixed into it. Another generator is copied. */
  constructor(seed: number | readonly number[] | MersenneTwister) {
    if (seed instanceof MersenneTwister) {
      this.#state = seed.#state.slice()
      this.#next = seed.#next
    } else this.#state = stateOf(seed).slice()
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

/** The states of the last seeds: evaluators seed the generator with the same number for every row. */
const seededBefore = new Map<string, Uint32Array>()
const mostSeeds = 8

function stateOf(seed: number | readonly number[]): Uint32Array {
  const key = typeof seed === 'number' ? `${seed}` : `[${seed.join()}]`
  const known = seededBefore.get(key)
  if (known !== undefined) return known
  const made = typeof seed === 'number' ? seeded(seed) : seededByArray(seed)
  if (seededBefore.size >= mostSeeds) seededBefore.clear()
  seededBefore.set(key, made)
  return made
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
