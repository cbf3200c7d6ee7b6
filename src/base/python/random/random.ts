import { MersenneTwister } from './mersenne-twister.ts'

/**
 * Python's `random.Random(seed)` for a seed that is a non-negative integer, so that a sample drawn here is the one that
 * Python draws.
 * @example new PythonRandom(3).shuffle([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).slice(0, 3) // => [1, 5, 6]
 */
export class PythonRandom {
  readonly #twister: MersenneTwister

  constructor(seed: number | bigint) {
    this.#twister = new MersenneTwister(digits(BigInt(seed)))
  }

  /** An integer with this many random bits, 1 to 32. */
  bits(count: number): number {
    return this.#twister.next() >>> (32 - count)
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

  /** `random.choices`: so many of the items, each drawn from all of them. */
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
