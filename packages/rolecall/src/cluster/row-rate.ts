/** Rows per second over the last seconds. */
export class RowRate {
  readonly #history: { at: number; done: number }[] = []
  readonly #window: number

  constructor(seconds = 10) {
    this.#window = 1000 * seconds
  }

  /** The rate now that `done` rows are done; 0 in the first half second. */
  after(done: number, now = performance.now()): number {
    this.#history.push({ at: now, done })
    while (this.#history.length > 2 && now - this.#history[1]!.at > this.#window) this.#history.shift()
    const first = this.#history[0]!
    return now - first.at < 500 ? 0 : ((done - first.done) / (now - first.at)) * 1000
  }
}
