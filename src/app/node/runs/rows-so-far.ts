import type { Pair } from '../../../evaluation/run/plan-run.ts'
import type { RunEvent } from '../../../evaluation/run/run-event.ts'

type Counts = { done: number; total: number | undefined; kept: number }

/** Counts the rows of pairs that are done. Those that an earlier part of a run recorded count from the start, although their events come last. */
export class RowsSoFar {
  readonly #counts = new Map<Pair, Counts>()

  add(event: RunEvent & { kind: 'start' | 'row' | 'end' }): void {
    const { pair } = event
    if (event.kind === 'start') this.#counts.set(pair, { done: 0, total: event.total, kept: event.kept ?? 0 })
    else if (event.kind === 'end') this.#counts.set(pair, { done: event.result.rows, total: event.result.rows, kept: 0 })
    else {
      const { total } = event
      const { kept = 0 } = this.#counts.get(pair) ?? {}
      this.#counts.set(pair, { done: event.done, total, kept: event.from === 'stored' ? Math.max(0, kept - 1) : kept })
    }
  }

  of(pair: Pair): { done: number; total: number | undefined } {
    const { done, total, kept } = this.#counts.get(pair) ?? { done: 0, total: undefined, kept: 0 }
    // Records that no longer fit their rows are sent again, and counted as others.
    return { done: Math.min(done + kept, total ?? done), total }
  }
}
