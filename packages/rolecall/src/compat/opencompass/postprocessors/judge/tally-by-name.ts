import { pyRound } from '@rolecall/core/internal/python'

/** Sums by name, in order of first occurrence. */
export class Tally {
  readonly #sums = new Map<string, { sum: number; count: number }>()

  add(name: string, value: number): void {
    const entry = this.#sums.get(name)
    if (!entry) this.#sums.set(name, { sum: value, count: 1 })
    else {
      entry.sum += value
      entry.count++
    }
  }

  /** The mean of each, times `scale`, rounded like Python if `digits` is given. */
  means({
    scale = 1,
    digits,
    name = (one) => one,
  }: {
    scale?: number
    digits?: number
    name?: (name: string) => string
  } = {}): Record<string, number> {
    return Object.fromEntries(
      [...this.#sums].map(([key, { sum, count }]) => {
        const mean = (sum / count) * scale
        return [name(key), digits === undefined ? mean : pyRound(mean, digits)]
      }),
    )
  }
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
