import { permutationOf } from './random.ts'

const mask32 = 0xffffffffn
const mask64 = (1n << 64n) - 1n
const mask128 = (1n << 128n) - 1n
const multiplier = 0x2360ed051fc65da44385df649fccf645n

/**
 * numpy's `default_rng(seed)`: PCG64, seeded through `SeedSequence`.
 * @see https://numpy.org/doc/stable/reference/random/bit_generators/pcg64.html
 * @example new NumpyGenerator(42).permutation(5) // => [4, 2, 3, 1, 0]
 */
export class NumpyGenerator {
  #state: bigint
  readonly #increment: bigint
  /** The half of a number that is not used yet. */
  #rest: number | undefined

  constructor(seed: number) {
    const [high, low, sequenceHigh, sequenceLow] = seedState(seed)
    this.#increment = ((((sequenceHigh << 64n) | sequenceLow) << 1n) | 1n) & mask128
    this.#state = this.#increment
    this.#state = (this.#state + ((high << 64n) | low)) & mask128
    this.#step()
  }

  #step(): void {
    this.#state = (this.#state * multiplier + this.#increment) & mask128
  }

  /** 32 random bits: the lower half of a 64-bit number first. */
  next(): number {
    if (this.#rest !== undefined) {
      const rest = this.#rest
      this.#rest = undefined
      return rest
    }
    this.#step()
    const mixed = ((this.#state >> 64n) ^ this.#state) & mask64
    const turn = this.#state >> 122n
    const value = ((mixed >> turn) | (mixed << ((64n - turn) & 63n))) & mask64
    this.#rest = Number(value >> 32n)
    return Number(value & mask32)
  }

  /** `rng.permutation(total)`, as `Dataset.shuffle` of the datasets library uses it. */
  permutation(total: number): number[] {
    return permutationOf(this, total)
  }
}

/** `SeedSequence(seed).generate_state(4, uint64)` for a seed of 32 bits. */
function seedState(seed: number): [bigint, bigint, bigint, bigint] {
  let constant = 0x43b0d7e5
  const hashed = (value: number) => {
    const mixed = (value ^ constant) >>> 0
    constant = Math.imul(constant, 0x931e8875) >>> 0
    const product = Math.imul(mixed, constant) >>> 0
    return (product ^ (product >>> 16)) >>> 0
  }
  const mix = (one: number, other: number) => {
    const mixed = (Math.imul(0xca01f9dd, one) - Math.imul(0x4973f715, other)) >>> 0
    return (mixed ^ (mixed >>> 16)) >>> 0
  }
  const pool = [seed >>> 0, 0, 0, 0].map(hashed)
  for (let from = 0; from < 4; from++) for (let to = 0; to < 4; to++) if (from !== to) pool[to] = mix(pool[to]!, hashed(pool[from]!))
  let key = 0x8b51f9dd
  const words = Array.from({ length: 8 }, (_, index) => {
    const mixed = (pool[index % 4]! ^ key) >>> 0
    key = Math.imul(key, 0x58f38ded) >>> 0
    const product = Math.imul(mixed, key) >>> 0
    return BigInt((product ^ (product >>> 16)) >>> 0)
  })
  return [0, 2, 4, 6].map((at) => words[at]! | (words[at + 1]! << 32n)) as [bigint, bigint, bigint, bigint]
}
