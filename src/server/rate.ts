import { ApiError } from './api-error.ts'

/** Who sends more requests in a minute than he may is told when to come back. */
export class Rate {
  readonly #perMinute: number
  readonly #now: () => number
  /** Of each client: how many requests it may send at once, and when that was. */
  readonly #clients = new Map<string, { left: number; at: number }>()

  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute
    this.#now = now
  }

  /** Counts a request of a client, or refuses it. */
  count(client: string): void {
    const now = this.#now()
    const known = this.#clients.get(client)
    const grown = known ? known.left + ((now - known.at) / 60_000) * this.#perMinute : this.#perMinute
    const left = Math.min(this.#perMinute, grown)
    if (left < 1) throw this.#refusal(left)
    this.#clients.delete(client)
    this.#clients.set(client, { left: left - 1, at: now })
    this.#forget(now)
  }

  #refusal(left: number): ApiError {
    const seconds = Math.max(1, Math.ceil(((1 - left) * 60) / this.#perMinute))
    return new ApiError(429, {
      message: `more than ${this.#perMinute} requests a minute came from this address; try again in ${seconds} s`,
      code: 'rate_limit_exceeded',
      headers: { 'retry-after': String(seconds) },
    })
  }

  /** Whoever was silent for a minute may send as many as ever: nothing need be known of it. They are in the order of their last request. */
  #forget(now: number): void {
    for (const [client, { at }] of this.#clients) {
      if (now - at < 60_000) return
      this.#clients.delete(client)
    }
  }
}
