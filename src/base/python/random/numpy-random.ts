import { MersenneTwister } from './mersenne-twister.ts'

/**
 * numpy's legacy generator (`np.random.seed`), as far as examples and resamples are drawn with it.
 * @example new NumpyRandom(43).choiceWithout(10, 2) // => [3, 9]
 */
export class NumpyRandom {
  readonly #twister: MersenneTwister

  constructor(seed: number) {
    this.#twister = new MersenneTwister(seed >>> 0)
  }

  /** An integer from 0 to `most`: random bits until they are no more than it. */
  upTo(most: number): number {
    if (most === 0) return 0
    const mask = 0xffffffff >>> Math.clz32(most)
    let value = (this.#twister.next() & mask) >>> 0
    while (value > most) value = (this.#twister.next() & mask) >>> 0
    return value
  }

  /** `np.random.choice(total, count)`: places, some of them perhaps more than once. */
  choice(total: number, count: number): Uint32Array {
    const places = new Uint32Array(count)
    for (let index = 0; index < count; index++) places[index] = this.upTo(total - 1)
    return places
  }

  /** `np.random.permutation(total)`. */
  permutation(total: number): number[] {
    const places = Array.from({ length: total }, (_, index) => index)
    for (let last = total - 1; last > 0; last--) {
      const other = this.upTo(last)
      const place = places[last]!
      places[last] = places[other]!
      places[other] = place
    }
    return places
  }

  /** `np.random.choice(total, count, replace=False)`: places, none of them twice. */
  choiceWithout(total: number, count: number): number[] {
    return this.permutation(total).slice(0, count)
  }
}
