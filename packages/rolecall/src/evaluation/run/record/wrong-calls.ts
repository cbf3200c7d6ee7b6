import type { PairResult, RowRecord } from './run-record.ts'

/** Further reasons are not distinguished: a model may produce a new one in every row. */
const mostReasons = 1000
const shownReasons = 5

/** Why the tool calls of a row are wrong, if it says so. */
export function wrongCallReason({ details }: Pick<RowRecord, 'details'>): string | undefined {
  const reason = details?.error ?? details?.reason
  return typeof reason === 'string' ? reason : undefined
}

/** Why tool calls are wrong, over the rows of a pair: the violated rule if the evaluator names one, else its message. */
export class WrongCalls {
  readonly #rows = new Map<string, number>()

  add(record: RowRecord): void {
    const reason = wrongCallReason(record)
    if (reason === undefined) return
    const known = this.#rows.get(reason)
    if (known !== undefined || this.#rows.size < mostReasons) this.#rows.set(reason, (known ?? 0) + 1)
  }

  /** The most frequent reasons. */
  get result(): Pick<PairResult, 'wrongCalls'> {
    if (this.#rows.size === 0) return {}
    const all = [...this.#rows].map(([reason, rows]) => ({ reason, rows })).sort((one, other) => other.rows - one.rows)
    return { wrongCalls: all.slice(0, shownReasons) }
  }
}
