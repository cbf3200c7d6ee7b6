import { Throttle } from './throttle.ts'
import type { Clock, Wait } from './wait.ts'

/** A rate limit that several processes share. */
export type SharedPace = {
  /** Takes the next slot, `spacing` milliseconds after the previous one, and returns how long to wait for it. */
  takeTurn(spacing: number): Promise<number>
  /** Pauses all processes. */
  pause(milliseconds: number): void
}

export type PaceOptions = {
  /** Maximum concurrent requests. */
  concurrency: number
  requestsPerMinute?: number
  clock: Clock
  onWait?: (wait: Wait) => void
  /** Shares the limit with other processes. */
  shared?: SharedPace | undefined
}

const never = Number.NEGATIVE_INFINITY

/** Shorter waits are not reported. */
const worthTelling = 250

/**
 * Schedules requests: limits concurrency and spaces requests evenly, so that no minute exceeds the limit, not even the first. A pause that
 * a server requests applies to all requests; a refusal slows them down (`Throttle`).
 */
export class Pace {
  readonly #options: PaceOptions
  readonly #spacing: number
  readonly #waiting: (() => void)[] = []
  #free: number
  readonly #throttle = new Throttle()
  #next = never
  #pausedUntil = never

  constructor(options: PaceOptions) {
    this.#options = options
    this.#free = options.concurrency
    this.#spacing = options.requestsPerMinute === undefined ? 0 : 60_000 / options.requestsPerMinute
  }

  /** Takes a slot, and waits if all are taken; undefined if one is free. The caller must `leave` it. */
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

  /** Waits until the next request may be sent; undefined if it may be sent immediately. */
  go(signal?: AbortSignal): Promise<void> | undefined {
    return this.#spacing === 0 && this.#pausedUntil === never && this.#throttle.isOpen ? undefined : this.#wait(signal)
  }

  /** The server has answered a request. */
  accepted(): void {
    this.#throttle.accepted(this.#options.clock.now())
  }

  /** The server has refused a request because there were too many. */
  refused(): void {
    this.#throttle.refused(this.#options.clock.now())
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { clock, onWait } = this.#options
    do {
      const { shared } = this.#options
      const turn = shared && this.#spacing > 0 ? await shared.takeTurn(this.#spacing) : 0
      const now = clock.now()
      const at = Math.max(now + turn, now + this.#throttle.take(now), this.#next, this.#pausedUntil)
      // The slot is taken now, so that the next caller waits behind it.
      if (this.#spacing > 0 && !shared) this.#next = at + this.#spacing
      if (at - now >= worthTelling) onWait?.({ for: 'rate-limit', reason: 'rate limit', milliseconds: at - now })
      if (at > now) await clock.sleep(at - now, signal)
      // A pause may have been requested meanwhile.
    } while (this.#pausedUntil > clock.now())
  }

  /** Nothing is sent before this time. */
  pauseUntil(time: number): void {
    if (time <= this.#pausedUntil) return
    this.#pausedUntil = time
    if (this.#spacing > 0) this.#options.shared?.pause(time - this.#options.clock.now())
  }
}
