import { FairQueue } from '../node/fair-queue.ts'
import { ApiError } from './api-error.ts'
import type { ServerLayer } from './request-env.ts'
import type { ServerLimits } from './server-limits.ts'

/**
 * Limits how many requests run and wait; the rest get 429 with `retry-after`. Clients take turns, and waiting places are theirs as well: if
 * all are taken, the client with the most waiting requests loses its last one to a client with fewer.
 */
export class Admission {
  readonly #limits: ServerLimits
  readonly #queue: FairQueue
  readonly #now: () => number
  #admitted = 0
  /** Moving average of the request duration, in seconds. */
  #averageSeconds = 1

  constructor(limits: ServerLimits, now: () => number) {
    this.#limits = limits
    this.#queue = new FairQueue(limits.concurrent)
    this.#now = now
  }

  /** Number of running and waiting requests. */
  get admitted(): number {
    return this.#admitted
  }

  get running(): number {
    return this.#queue.running
  }

  /** Lets requests through when their turn comes; their place is free when the work behind the response has ended. */
  readonly layer: ServerLayer = (context, next) => {
    const client = context.get('client')
    if (this.#admitted >= this.#limits.concurrent + this.#limits.waiting && !this.#queue.displace(client, () => this.#busy()))
      throw this.#busy()
    this.#admitted++
    return new Promise((resolve, reject) => {
      const handleNow = async () => {
        const start = this.#now()
        await next()
        resolve()
        await context.get('done')
        // Rejected requests say nothing about how long others take.
        if (!context.error) this.#averageSeconds += ((this.#now() - start) / 1000 - this.#averageSeconds) / 8
      }
      this.#queue
        .run(handleNow, context.req.raw.signal, client)
        .catch(reject)
        .finally(() => this.#admitted--)
    })
  }

  #busy(): ApiError {
    const seconds = Math.min(60, Math.max(1, Math.ceil((this.#averageSeconds * this.#admitted) / this.#limits.concurrent)))
    return new ApiError(429, {
      message: `the server is busy with ${this.#admitted} requests; try again in ${seconds} s`,
      code: 'server_busy',
      headers: { 'retry-after': String(seconds) },
    })
  }
}
