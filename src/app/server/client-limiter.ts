import { ApiError } from './api-error.ts'
import { Rate } from './rate.ts'

/** What one client may do: one key, or one address where there are no keys. */
export type ClientLimits = {
  /** How many requests a minute it may send. */
  requestsPerMinute?: number | undefined
  /** How many tokens a minute it may use, prompts and replies together. */
  tokensPerMinute?: number | undefined
  /** How many of its requests may be at work at once. */
  concurrent?: number | undefined
}

/** A request that was let in: tokens are counted as they become known, and its end is told. */
export type Admitted = { spend(tokens: number): void; end(): void }

/** Holds clients that are limited alike to their limits. */
export class ClientLimiter {
  readonly #limits: ClientLimits
  readonly #requests: Rate | undefined
  readonly #tokens: Rate | undefined
  readonly #running = new Map<string, number>()

  constructor(limits: ClientLimits, now: () => number) {
    const { requestsPerMinute, tokensPerMinute } = limits
    this.#limits = limits
    this.#requests = requestsPerMinute === undefined ? undefined : new Rate(requestsPerMinute, now, 'requests')
    this.#tokens = tokensPerMinute === undefined ? undefined : new Rate(tokensPerMinute, now, 'tokens')
  }

  /** Lets a request of a client in, or tells it when to come back. */
  admit(client: string): Admitted {
    const { concurrent } = this.#limits
    const running = this.#running.get(client) ?? 0
    if (concurrent !== undefined && running >= concurrent) {
      throw new ApiError(429, {
        message: `${running} requests of this client are already running, and ${concurrent} are allowed; try again when one has finished`,
        code: 'rate_limit_exceeded',
        headers: { 'retry-after': '1' },
      })
    }
    // Nothing is known yet of how many tokens it will be: it may go on where any are left.
    this.#tokens?.count(client, 0)
    this.#requests?.count(client)
    this.#running.set(client, running + 1)
    let isOver = false
    return {
      spend: (tokens) => this.#tokens?.spend(client, tokens),
      end: () => {
        if (isOver) return
        isOver = true
        const left = (this.#running.get(client) ?? 1) - 1
        if (left === 0) this.#running.delete(client)
        else this.#running.set(client, left)
      },
    }
  }
}
