type Waiting = { client: string; start: () => void; reject: (reason: unknown) => void }

/**
 * A queue with limited concurrency. Among the waiting clients, the one with the fewest running tasks goes first, then the one whose last
 * turn is longest ago: clients take turns, however many tasks each of them has.
 */
export class FairQueue {
  readonly #concurrency: () => number
  readonly #waiting = new Map<string, Set<Waiting>>()
  readonly #runningOf = new Map<string, number>()
  /** When each client that waits or runs had its last turn. */
  readonly #lastTurn = new Map<string, number>()
  #turns = 0
  #running = 0
  #waitingCount = 0

  /** A function is asked each time, for a concurrency that changes. */
  constructor(concurrency: number | (() => number)) {
    this.#concurrency = typeof concurrency === 'function' ? concurrency : () => concurrency
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waitingCount
  }

  /** How many tasks of a client wait. */
  waitingOf(client: string): number {
    return this.#waiting.get(client)?.size ?? 0
  }

  /**
   * Makes room for a client: the last waiting task of the client with the most waiting tasks fails. False if no other client has more than
   * this one.
   */
  displace(client: string, reason: () => unknown): boolean {
    let most: Set<Waiting> | undefined
    for (const own of this.#waiting.values()) if (own.size > (most?.size ?? 0)) most = own
    if (!most || most.size <= this.waitingOf(client)) return false
    const last = [...most].at(-1)!
    if (last.client === client) return false
    last.reject(reason())
    return true
  }

  /** Runs a task when its turn comes; aborting while it waits removes it from the queue. */
  async run<Result>(task: () => Promise<Result>, signal?: AbortSignal, client = ''): Promise<Result> {
    await this.#turn(signal, client)
    try {
      return await task()
    } finally {
      this.#count(client, -1)
      this.#startNext()
    }
  }

  /** Several, if the concurrency has grown. */
  #startNext(): void {
    while (this.#running < Math.max(1, this.#concurrency())) {
      let next: string | undefined
      for (const client of this.#waiting.keys()) if (next === undefined || this.#comesBefore(client, next)) next = client
      if (next === undefined) return
      const [first] = this.#waiting.get(next)!
      first!.start()
    }
  }

  #comesBefore(one: string, other: string): boolean {
    const difference = this.#of(one) - this.#of(other)
    return difference < 0 || (difference === 0 && (this.#lastTurn.get(one) ?? 0) < (this.#lastTurn.get(other) ?? 0))
  }

  #of(client: string): number {
    return this.#runningOf.get(client) ?? 0
  }

  #count(client: string, by: 1 | -1): void {
    this.#running += by
    if (by === 1) this.#lastTurn.set(client, ++this.#turns)
    const running = this.#of(client) + by
    if (running === 0) this.#runningOf.delete(client)
    else this.#runningOf.set(client, running)
    this.#forgetIdle(client)
  }

  #forgetIdle(client: string): void {
    if (!this.#runningOf.has(client) && !this.#waiting.has(client)) this.#lastTurn.delete(client)
  }

  #turn(signal: AbortSignal | undefined, client: string): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#running < Math.max(1, this.#concurrency()) && this.#waitingCount === 0) {
      this.#count(client, 1)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const leave = () => entry.reject(signal?.reason)
      const start = () => {
        this.#remove(entry)
        signal?.removeEventListener('abort', leave)
        this.#count(client, 1)
        resolve()
      }
      const entry: Waiting = {
        client,
        start,
        reject: (reason) => {
          this.#remove(entry)
          this.#forgetIdle(client)
          signal?.removeEventListener('abort', leave)
          reject(reason)
        },
      }
      const own = this.#waiting.get(client) ?? new Set()
      own.add(entry)
      this.#waiting.set(client, own)
      this.#waitingCount++
      signal?.addEventListener('abort', leave, { once: true })
      this.#startNext()
    })
  }

  #remove(entry: Waiting): void {
    const own = this.#waiting.get(entry.client)
    if (!own?.delete(entry)) return
    this.#waitingCount--
    if (own.size === 0) this.#waiting.delete(entry.client)
  }
}
