/** The window of the measured rate, in milliseconds: two halves, the older of which is dropped as a whole. */
const half = 500

/** A rate is measured over at least this time: a burst of a few milliseconds says little. */
const shortest = 50

/**
 * One request per longest pause is always allowed. A server that has accepted nothing yet may have just started: it is asked after a fifth
 * of the time it has refused, between these milliseconds.
 */
const [shortestPause, longestPause] = [250, 5000]
const pauseShare = 1 / 5

/** The rate after a refusal by a server that has accepted nothing yet. */
const initial = 1 / shortestPause

/** The allowed rate doubles in this time without a refusal; after ten times that, the limit is lifted. */
const doubling = 5000

/** Tokens that were not taken are kept this long: timers are late. */
const kept = 50

/**
 * A token bucket for one server, in force after a refusal (429): it refills at the rate at which the server accepted requests just
 * before. With more refusals, the rate falls by their share, at most by half; without, it grows. When a server that refused everything
 * accepts requests again, the rate soon returns to what was accepted before.
 *
 * @example
 * const throttle = new Throttle()
 * for (let time = 0; time < 1000; time += 100) throttle.accepted(time)
 * throttle.refused(1000)
 * throttle.take(1000)
 * throttle.take(1050)
 * Math.round(throttle.delay(1100) / 10) // => 5
 */
export class Throttle {
  /** Accepted and refused requests in the two halves of the window, and when each began. */
  #older = emptyFrom(Number.NEGATIVE_INFINITY)
  #newer = emptyFrom(Number.NEGATIVE_INFINITY)
  /** Requests per millisecond, and when that was determined; undefined if requests are not limited. */
  #limit: { rate: number; since: number } | undefined
  /** When it refused its first request; long ago once it has accepted one. */
  #firstRefused: number | undefined
  /** The rate at which the server accepted requests when it last refused others. */
  #good = Number.POSITIVE_INFINITY
  /** When the last token was due. */
  #last = Number.NEGATIVE_INFINITY

  get isOpen(): boolean {
    return this.#limit === undefined
  }

  accepted(now: number): void {
    this.#shift(now)
    this.#newer.accepted++
    this.#firstRefused = Number.NEGATIVE_INFINITY
    if (!this.#limit) return
    const rate = this.#rateAt(now)
    if (rate >= this.#good) return
    // The server recovers: half of what it accepted before, then more with each request.
    const better = Math.min(this.#good, Math.max(2 * rate, initial, Number.isFinite(this.#good) ? this.#good / 2 : 0))
    this.#limit = better > 1 ? undefined : { rate: better, since: now }
  }

  refused(now: number): void {
    this.#shift(now)
    this.#newer.refused++
    this.#firstRefused ??= now
    const accepted = this.#older.accepted + this.#newer.accepted
    const refused = this.#older.refused + this.#newer.refused
    const measured = accepted / Math.max(shortest, now - this.#older.from)
    const current = this.#rateAt(now)
    let rate: number
    if (accepted > 0 && (!this.#limit || refused > accepted)) rate = Math.min(current, measured)
    else if (!this.#limit) rate = Math.min(initial, this.#good)
    // Requests that were in flight together are refused together: they lower the rate once.
    else if (now - this.#limit.since < half) return
    else rate = current * Math.max(0.5, accepted / (accepted + refused))
    const pause = Math.min(longestPause, Math.max(shortestPause, pauseShare * (now - this.#firstRefused)))
    this.#limit = { rate: Math.max(1 / pause, rate), since: now }
    if (accepted > 0) this.#good = this.#limit.rate
  }

  /** How long to wait for the next token; it changes with the rate. */
  delay(now: number): number {
    if (this.#limit && now - this.#limit.since > 10 * doubling) {
      this.#limit = undefined
      this.#good = Number.POSITIVE_INFINITY
    }
    return this.#limit ? Math.max(0, this.#next(now) - now) : 0
  }

  take(now: number): void {
    if (this.#limit) this.#last = Math.max(this.#next(now), now - kept)
  }

  #next(now: number): number {
    return this.#last + 1 / this.#rateAt(now)
  }

  #rateAt(time: number): number {
    return this.#limit ? this.#limit.rate * 2 ** ((time - this.#limit.since) / doubling) : Number.POSITIVE_INFINITY
  }

  /** Drops what is older than the window. */
  #shift(now: number): void {
    const { from } = this.#newer
    if (now - from < half) return
    this.#older = now - from < 2 * half ? this.#newer : emptyFrom(now)
    this.#newer = emptyFrom(now)
  }
}

function emptyFrom(from: number): { from: number; accepted: number; refused: number } {
  return { from, accepted: 0, refused: 0 }
}
