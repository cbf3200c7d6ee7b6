/**
 * A queue with limited concurrency. Among the waiting clients, the one with the fewest running tasks goes first, then the one that came
 * first. A client with several tasks queues each of them, so that others get a turn in between.
 */
export class FairQueue {
  readonly #concurrency: number
  readonly #waiting = new Set<{ client: string; start: () => void }>()
  readonly #runningOf = new Map<string, number>()
  #running = 0

  constructor(concurrency: number) {
    this.#concurrency = Math.max(1, concurrency)
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Runs a task when its turn comes; aborting while it waits removes it from the queue. */
  async run<Result>(task: () => Promise<Result>, signal?: AbortSignal, client = ''): Promise<Result> {
    await this.#turn(signal, client)
    try {
      return await task()
    } finally {
      this.#count(client, -1)
      this.#next()?.start()
    }
  }

  #next(): { start: () => void } | undefined {
    let [next] = this.#waiting
    for (const one of this.#waiting) if (this.#of(one.client) < this.#of(next!.client)) next = one
    return next
  }

  #of(client: string): number {
    return this.#runningOf.get(client) ?? 0
  }

  #count(client: string, by: 1 | -1): void {
    this.#running += by
    const running = this.#of(client) + by
    if (running === 0) this.#runningOf.delete(client)
    else this.#runningOf.set(client, running)
  }

  #turn(signal: AbortSignal | undefined, client: string): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#running < this.#concurrency) {
      this.#count(client, 1)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        this.#waiting.delete(entry)
        signal?.removeEventListener('abort', leave)
        this.#count(client, 1)
        resolve()
      }
      const leave = () => {
        this.#waiting.delete(entry)
        reject(signal?.reason)
      }
      const entry = { client, start }
      this.#waiting.add(entry)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
}
