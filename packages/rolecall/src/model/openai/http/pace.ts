import { Slots } from './slots.ts'
import { Throttle } from './throttle.ts'
import type { Clock, Wait } from './wait.ts'

/** A rate limit that several processes share. */
export type SharedPace = {
  /** Takes the next slot, `spacing` milliseconds after the previous one, and returns how long to wait for it. */
  takeTurn(spacing: number): Promise<number>
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

/** The rate that a server allows may change while a request waits for it: it is looked at again after this time. */
const longestLook = 250

/**
 * Schedules requests: limits concurrency and spaces requests evenly, so that no minute exceeds the limit, not even the first. A refusal
 * by the server slows them down (`Throttle`).
 */
export class Pace {
  readonly #options: PaceOptions
  readonly #spacing: number
  readonly #slots: Slots
  readonly #throttle = new Throttle()
  /** Requests that wait for the throttle, in order. */
  readonly #line = new Slots(1)
  #next = never

  constructor(options: PaceOptions) {
    this.#options = options
    this.#slots = new Slots(options.concurrency)
    this.#spacing = options.requestsPerMinute === undefined ? 0 : 60_000 / options.requestsPerMinute
  }

  /** Takes a slot, and waits if all are taken; undefined if one is free. The caller must `leave` it. */
  enter(signal?: AbortSignal): Promise<void> | undefined {
    return this.#slots.enter(signal)
  }

  leave(): void {
    this.#slots.leave()
  }

  /** Whether the next request may be sent without `go`. */
  get isOpen(): boolean {
    return this.#spacing === 0 && this.#throttle.isOpen
  }

  /** Waits until the next request may be sent. */
  async go(signal?: AbortSignal): Promise<void> {
    if (!this.#throttle.isOpen) await this.#waitInLine(signal)
    if (this.#spacing === 0) return
    const { clock, shared } = this.#options
    const turn = shared ? await shared.takeTurn(this.#spacing) : 0
    const now = clock.now()
    const at = Math.max(now + turn, this.#next)
    // The slot is taken now, so that the next caller waits behind it.
    if (!shared) this.#next = at + this.#spacing
    this.#tell(at - now)
    if (at > now) await clock.sleep(at - now, signal)
  }

  /** The server has answered a request. */
  accepted(): void {
    this.#throttle.accepted(this.#options.clock.now())
  }

  /** The server has refused a request because there were too many. */
  refused(): void {
    this.#throttle.refused(this.#options.clock.now())
  }

  async #waitInLine(signal: AbortSignal | undefined): Promise<void> {
    const { clock } = this.#options
    const turn = this.#line.enter(signal)
    if (turn) await turn
    try {
      let isTold = false
      for (;;) {
        const delay = this.#throttle.delay(clock.now())
        if (delay <= 0) break
        if (!isTold) this.#tell(delay)
        isTold = true
        await clock.sleep(Math.min(delay, longestLook), signal)
      }
      this.#throttle.take(clock.now())
    } finally {
      this.#line.leave()
    }
  }

  #tell(milliseconds: number): void {
    if (milliseconds >= worthTelling) this.#options.onWait?.({ for: 'rate-limit', reason: 'rate limit', milliseconds })
  }
}
