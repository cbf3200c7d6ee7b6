/** The window of the measured rate, in milliseconds: two halves, the older of which is dropped as a whole. */
const half = 500

/** A rate is measured over at least this time: a burst of a few milliseconds says little. */
const shortest = 50

/** Requests per millisecond that are always allowed: one in ten seconds. */
const slowest = 1 / 10_000

/** The allowed rate doubles in this time without a refusal; after ten times that, the limit is lifted. */
const doubling = 5000

/**
 * A token bucket for one server, in force after a refusal (429): it refills at the rate at which the server accepted requests just
 * before, and the rate grows until the server refuses again.
 *
 * @example
 * const throttle = new Throttle()
 * for (let time = 0; time < 1000; time += 100) throttle.accepted(time)
 * throttle.refused(1000)
 * throttle.take(1000) // => 0
 * Math.round(throttle.take(1000)) // => 100
 */
export class Throttle {
  /** Accepted requests in the two halves of the window, and when each began. */
  #older = { from: Number.NEGATIVE_INFINITY, count: 0 }
  #newer = { from: Number.NEGATIVE_INFINITY, count: 0 }
  /** Requests per millisecond, and when that was determined; undefined if requests are not limited. */
  #limit: { rate: number; since: number } | undefined
  /** When the bucket has its next token. */
  #next = Number.NEGATIVE_INFINITY

  get isOpen(): boolean {
    return this.#limit === undefined
  }

  accepted(now: number): void {
    this.#shift(now)
    this.#newer.count++
  }

  refused(now: number): void {
    this.#shift(now)
    const accepted = this.#older.count + this.#newer.count
    // If nothing was accepted lately, nothing is known but that the limit is too high; without a limit, every request waits on its own.
    if (accepted === 0 && !this.#limit) return
    // Requests that were in flight together are refused together: they halve the rate once.
    if (accepted === 0 && this.#limit && now - this.#limit.since < half) return
    const current = this.#rateAt(now)
    const rate = accepted === 0 ? current / 2 : Math.min(current, accepted / Math.max(shortest, now - this.#older.from))
    this.#limit = { rate: Math.max(slowest, rate), since: now }
  }

  /** Takes a token, and returns how long to wait for it. */
  take(now: number): number {
    if (!this.#limit) return 0
    if (now - this.#limit.since > 10 * doubling) {
      this.#limit = undefined
      return 0
    }
    const at = Math.max(now, this.#next)
    this.#next = at + 1 / this.#rateAt(at)
    return at - now
  }

  #rateAt(time: number): number {
    return this.#limit ? this.#limit.rate * 2 ** ((time - this.#limit.since) / doubling) : Number.POSITIVE_INFINITY
  }

  /** Drops what is older than the window. */
  #shift(now: number): void {
    const { from } = this.#newer
    if (now - from < half) return
    this.#older = now - from < 2 * half ? this.#newer : { from: now, count: 0 }
    this.#newer = { from: now, count: 0 }
  }
}
