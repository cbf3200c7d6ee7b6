import { ApiError } from './api-error.ts'

/** Who uses more in a minute than he may is told when to come back. */
export class Rate {
  readonly #perMinute: number
  readonly #now: () => number
  readonly #what: string
  /** Of each client: how much it may use at once, and when that was; below nothing where it turned out to be more. */
  readonly #clients = new Map<string, { left: number; at: number }>()

  /** `what` is counted: requests, tokens. */
  constructor(perMinute: number, now: () => number, what = 'requests') {
    this.#perMinute = perMinute
    this.#now = now
    this.#what = what
  }

  /** Counts a request of a client, or refuses it where less than one is left. */
  count(client: string, amount = 1): void {
    const left = this.#left(client)
    if (left < 1) throw this.#refusal(left)
    this.#keep(client, left - amount)
  }

  /** Takes what a request that was let in has used. */
  spend(client: string, amount: number): void {
    this.#keep(client, this.#left(client) - amount)
  }

  #left(client: string): number {
    const known = this.#clients.get(client)
    const grown = known ? known.left + ((this.#now() - known.at) / 60_000) * this.#perMinute : this.#perMinute
    return Math.min(this.#perMinute, grown)
  }

  #keep(client: string, left: number): void {
    const now = this.#now()
    this.#clients.delete(client)
    this.#clients.set(client, { left, at: now })
    this.#forget(now)
  }

  #refusal(left: number): ApiError {
    const seconds = Math.max(1, Math.ceil(((1 - left) * 60) / this.#perMinute))
    return new ApiError(429, {
      message: `this client has used more than ${this.#perMinute} ${this.#what} a minute; try again in ${seconds} s`,
      code: 'rate_limit_exceeded',
      headers: { 'retry-after': String(seconds) },
    })
  }

  /** Whoever may use as much as ever need not be known. They are in the order of their last request. */
  #forget(now: number): void {
    for (const [client, { left, at }] of this.#clients) {
      if (left + ((now - at) / 60_000) * this.#perMinute < this.#perMinute) return
      this.#clients.delete(client)
    }
  }
}
