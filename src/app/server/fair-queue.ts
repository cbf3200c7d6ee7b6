/**
 * A queue before something that does so many things at once: of those who wait, whoever has the fewest things under way goes
 * first, and of these whoever came first. Who has several things to do asks for a turn for each, so that others get theirs in
 * between.
 */
export class Turns {
  readonly #atOnce: number
  readonly #waiting = new Set<{ who: string; begin: () => void }>()
  readonly #runningOf = new Map<string, number>()
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
  async take<Result>(work: () => Promise<Result>, signal?: AbortSignal, who = ''): Promise<Result> {
    await this.#turn(signal, who)
    try {
      return await work()
    } finally {
      this.#running--
      this.#count(who, -1)
      this.#next()?.begin()
    }
  }

  #next(): { begin: () => void } | undefined {
    let [next] = this.#waiting
    for (const one of this.#waiting) if (this.#of(one.who) < this.#of(next!.who)) next = one
    return next
  }

  #of(who: string): number {
    return this.#runningOf.get(who) ?? 0
  }

  #count(who: string, by: 1 | -1): void {
    const running = this.#of(who) + by
    if (running === 0) this.#runningOf.delete(who)
    else this.#runningOf.set(who, running)
  }

  #turn(signal: AbortSignal | undefined, who: string): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#running < this.#atOnce) {
      this.#running++
      this.#count(who, 1)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        this.#waiting.delete(place)
        signal?.removeEventListener('abort', leave)
        this.#running++
        this.#count(who, 1)
        resolve()
      }
      const leave = () => {
        this.#waiting.delete(place)
        reject(signal?.reason)
      }
      const place = { who, begin }
      this.#waiting.add(place)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
}
