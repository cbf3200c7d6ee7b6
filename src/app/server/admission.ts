import { ApiError } from './api-error.ts'
import { Turns } from './fair-queue.ts'
import type { Limits } from './server-context.ts'

/** A response, and when the work behind it is over: a stream's is not when its response begins. */
export type Answer = { response: Response; done?: Promise<void> }

/**
 * Lets requests in: so many are worked on, so many wait, the others are told when to come back. Where several clients wait, the
 * one with the fewest requests at work is next, so that none can keep the others out.
 */
export class Admission {
  readonly #limits: Limits
  readonly #turns: Turns
  readonly #now: () => number
  #inside = 0
  /** How long requests take, the latest counting most, in seconds. */
  #usual = 1

  constructor(limits: Limits, now: () => number) {
    this.#limits = limits
    this.#turns = new Turns(limits.concurrent)
    this.#now = now
  }

  /** How many requests are worked on or waiting. */
  get inside(): number {
    return this.#inside
  }

  /** How many of them are worked on. */
  get running(): number {
    return this.#turns.running
  }

  /** `who` is the client, `gone` tells that it went away. */
  answer(who: string, gone: AbortSignal, work: () => Promise<Answer>): Promise<Response> {
    if (this.#inside >= this.#limits.concurrent + this.#limits.waiting) throw this.#busy()
    this.#inside++
    return new Promise((resolve, reject) => {
      const answer = async () => {
        const start = this.#now()
        const { response, done } = await work()
        resolve(response)
        await done
        this.#usual += ((this.#now() - start) / 1000 - this.#usual) / 8
      }
      this.#turns
        .take(answer, gone, who)
        .catch(reject)
        .finally(() => this.#inside--)
    })
  }

  #busy(): ApiError {
    const seconds = Math.min(60, Math.max(1, Math.ceil((this.#usual * this.#inside) / this.#limits.concurrent)))
    return new ApiError(429, {
      message: `${this.#inside} requests are already waiting; try again in ${seconds} s`,
      code: 'server_busy',
      headers: { 'retry-after': String(seconds) },
    })
  }
}
