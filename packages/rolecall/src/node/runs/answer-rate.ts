/** Window of the rates, in milliseconds. */
const rateOver = 10_000

type Counts = { at: number; rows: number; tokens: number }

/** Rows and tokens per second over the last ten seconds. */
export class AnswerRate {
  #rows = 0
  #tokens = 0
  readonly #history: Counts[]

  /** `now` in milliseconds, as below. */
  constructor(now: number) {
    this.#history = [{ at: now, rows: 0, tokens: 0 }]
  }

  add(tokens: number, now: number): void {
    this.#rows++
    this.#tokens += tokens
    this.#note(now)
  }

  at(now: number): { rowsPerSecond: number; tokensPerSecond: number } {
    this.#note(now)
    const first = this.#history[0]!
    const seconds = Math.max(0.001, (now - first.at) / 1000)
    return { rowsPerSecond: (this.#rows - first.rows) / seconds, tokensPerSecond: (this.#tokens - first.tokens) / seconds }
  }

  #note(now: number): void {
    const history = this.#history
    if (now - history.at(-1)!.at >= rateOver / 10) history.push({ at: now, rows: this.#rows, tokens: this.#tokens })
    while (history.length > 2 && now - history[1]!.at >= rateOver) history.shift()
  }
}
