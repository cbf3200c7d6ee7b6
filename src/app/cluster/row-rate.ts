/** Rows per second over the last ten seconds. */
export class RowRate {
  readonly #history: { at: number; done: number }[] = []

  /** The rate now that `done` rows are done; 0 in the first half second. */
  after(done: number): number {
    const now = performance.now()
    this.#history.push({ at: now, done })
    while (this.#history.length > 2 && now - this.#history[1]!.at > 10_000) this.#history.shift()
    const first = this.#history[0]!
    return now - first.at < 500 ? 0 : ((done - first.done) / (now - first.at)) * 1000
  }
}
