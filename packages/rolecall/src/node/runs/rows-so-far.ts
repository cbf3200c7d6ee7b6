import type { Pair } from '../../evaluation/run/plan-run.ts'
import type { RunEvent } from '../../evaluation/run/run-event.ts'

type Counts = { done: number; total: number | undefined }

/** Counts the rows of pairs that are done. Those that an earlier part of a run recorded count from the start, although their events come last. */
export class RowsSoFar {
  readonly #counts = new Map<Pair, Counts>()

  add(event: RunEvent & { kind: 'start' | 'row' | 'end' }): void {
    const { pair } = event
    if (event.kind === 'end') this.#counts.set(pair, { done: event.result.rows, total: event.result.rows })
    else this.#counts.set(pair, { done: (event.kind === 'row' ? event.done : 0) + (event.kept ?? 0), total: event.total })
  }

  of(pair: Pair): Counts {
    return this.#counts.get(pair) ?? { done: 0, total: undefined }
  }
}
