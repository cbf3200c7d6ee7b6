/** A number of slots, given to callers in the order of their requests. */
export class Slots {
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  /** Takes a slot, and waits if all are taken; undefined if one is free. The caller must `leave` it, unless the signal was aborted. */
  enter(signal?: AbortSignal): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--
      return undefined
    }
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const stop = () => {
        this.#waiting.delete(start)
        reject(signal!.reason)
      }
      const start = () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }
      this.#waiting.add(start)
      signal?.addEventListener('abort', stop, { once: true })
    })
  }

  leave(): void {
    for (const next of this.#waiting) {
      this.#waiting.delete(next)
      next()
      return
    }
    this.#free++
  }
}
