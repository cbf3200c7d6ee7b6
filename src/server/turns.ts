/**
 * A queue before something that does so many things at once: whoever came first goes first. Who has several things to do
 * asks for a turn for each, so that others get theirs in between.
 */
export class Turns {
  readonly #atOnce: number
  readonly #waiting = new Set<() => void>()
  #running = 0

  constructor(atOnce: number) {
    this.#atOnce = Math.max(1, atOnce)
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Does the work when its turn comes; whoever gives up while waiting leaves the queue. */
  async take<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    await this.#turn(signal)
    try {
      return await work()
    } finally {
      this.#running--
      const [next] = this.#waiting
      next?.()
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#running < this.#atOnce) {
      this.#running++
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        this.#waiting.delete(begin)
        signal?.removeEventListener('abort', leave)
        this.#running++
        resolve()
      }
      const leave = () => {
        this.#waiting.delete(begin)
        reject(signal?.reason)
      }
      this.#waiting.add(begin)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
}
