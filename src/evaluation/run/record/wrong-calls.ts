import type { PairResult, RowRecord } from './run-record.ts'

/** Reasons beyond these are not told apart: a model may find a new one in every row. */
const mostReasons = 1000
const shownReasons = 5

/** Why tool calls are wrong, over the rows of a pair: the rule that an answer breaks where the evaluator names one, else its words. */
export class WrongCalls {
  readonly #rows = new Map<string, number>()

  add({ details }: RowRecord): void {
    const reason = details?.error ?? details?.reason
    if (typeof reason !== 'string') return
    const known = this.#rows.get(reason)
    if (known !== undefined || this.#rows.size < mostReasons) this.#rows.set(reason, (known ?? 0) + 1)
  }

  /** The most frequent of them. */
  get result(): Pick<PairResult, 'wrongCalls'> {
    if (this.#rows.size === 0) return {}
    const all = [...this.#rows].map(([reason, rows]) => ({ reason, rows })).sort((one, other) => other.rows - one.rows)
    return { wrongCalls: all.slice(0, shownReasons) }
  }
}
