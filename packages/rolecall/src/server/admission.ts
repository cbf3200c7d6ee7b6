import { FairQueue } from '../node/fair-queue.ts'
import { ApiError } from './api-error.ts'
import type { ServerLimits } from './server-context.ts'

/** What a route returns: the response, and a promise for the end of the work behind it (a stream outlives its response). */
export type RouteResult = { response: Response; done?: Promise<{ isAborted: boolean }> }

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

  /** `disconnected` aborts when the client closes the connection. */
  handle(client: string, disconnected: AbortSignal, work: () => Promise<RouteResult>): Promise<Response> {
    if (this.#admitted >= this.#limits.concurrent + this.#limits.waiting && !this.#queue.displace(client, () => this.#busy()))
      throw this.#busy()
    this.#admitted++
    return new Promise((resolve, reject) => {
      const handleNow = async () => {
        const start = this.#now()
        const { response, done } = await work()
        resolve(response)
        await done
        this.#averageSeconds += ((this.#now() - start) / 1000 - this.#averageSeconds) / 8
      }
      this.#queue
        .run(handleNow, disconnected, client)
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
