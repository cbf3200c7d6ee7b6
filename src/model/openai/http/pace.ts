import type { Clock, Wait } from './wait.ts'

/** A rate limit that several processes share. */
export type SharedPace = {
  /** Takes the next slot, `spacing` milliseconds after the previous one, and returns how long to wait for it. */
  takeTurn(spacing: number): Promise<number>
  /** Pauses all processes. */
  pause(milliseconds: number): void
}

export type PaceOptions = {
  /** The most requests at once. */
  concurrency: number
  requestsPerMinute?: number
  clock: Clock
  onWait?: (wait: Wait) => void
  /** Keeps the limit together with other processes. */
  shared?: SharedPace | undefined
}

const never = Number.NEGATIVE_INFINITY

/** Shorter waits are not reported. */
const worthTelling = 250

/**
 * Decides when requests may be sent: limited in number at once, and evenly spaced, so that no minute exceeds its share, not even the
 * first. A server that asks for a pause gets it from all requests.
 */
export class Pace {
  readonly #options: PaceOptions
  readonly #spacing: number
  readonly #waiting: (() => void)[] = []
  #free: number
  #next = never
  #pausedUntil = never

  constructor(options: PaceOptions) {
    this.#options = options
    this.#free = options.concurrency
    this.#spacing = options.requestsPerMinute === undefined ? 0 : 60_000 / options.requestsPerMinute
  }

  /** Takes a place, and waits where all are taken; undefined where one is free. Whoever has one must `leave` it. */
  enter(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#free--
    return undefined
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }

  /** Waits until the next request may be sent; undefined where it may go at once. */
  go(signal?: AbortSignal): Promise<void> | undefined {
    return this.#spacing === 0 && this.#pausedUntil === never ? undefined : this.#wait(signal)
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { clock, onWait } = this.#options
    do {
      const { shared } = this.#options
      const turn = shared && this.#spacing > 0 ? await shared.takeTurn(this.#spacing) : 0
      const now = clock.now()
      const at = Math.max(now + turn, this.#next, this.#pausedUntil)
      // Its place in the row is taken now: who asks next waits behind it.
      if (this.#spacing > 0 && !shared) this.#next = at + this.#spacing
      if (at - now >= worthTelling) onWait?.({ for: 'rate-limit', reason: 'rate limit', milliseconds: at - now })
      if (at > now) await clock.sleep(at - now, signal)
      // A pause may have been asked for meanwhile.
    } while (this.#pausedUntil > clock.now())
  }

  /** Nothing is sent before this time. */
  pauseUntil(time: number): void {
    if (time <= this.#pausedUntil) return
    this.#pausedUntil = time
    if (this.#spacing > 0) this.#options.shared?.pause(time - this.#options.clock.now())
  }
}
