import type { OpenRun } from './open-run.ts'
import type { ViewedConfig } from './open-viewed-config.ts'
import { rowTotals } from './run-lines.ts'
import type { LiveProgress, RunStatus } from './viewer-data.ts'

/** The rate is that of this time before the last count. */
const window = 60_000

/** Rows per second, from counts at different times. */
export class CountedRate {
  #counts: { rows: number; at: number }[] = []

  /** Adds a count of rows at a time in milliseconds; undefined until a second one differs. */
  add(rows: number, at: number): number | undefined {
    const last = this.#counts.at(-1)
    // Records are replaced when a run is resumed with other rows.
    if (last && rows < last.rows) this.#counts = []
    this.#counts = [...this.#counts.filter((one) => one.at >= at - window), { rows, at }]
    const first = this.#counts[0]!
    return rows > first.rows && at > first.at ? ((rows - first.rows) * 1000) / (at - first.at) : undefined
  }
}

/** How far runs are that are in progress. */
export class RunProgress {
  readonly #rates = new WeakMap<OpenRun, CountedRate>()

  async of(run: OpenRun, config: ViewedConfig | undefined, state: RunStatus, now = performance.now()): Promise<LiveProgress> {
    const rate = this.#rates.get(run) ?? new CountedRate()
    this.#rates.set(run, rate)
    const rows = state.pairs.reduce((sum, pair) => sum + pair.rows, 0)
    const totals = await rowTotals(run, config, state)
    const all = totals.every((total) => total !== undefined) ? totals.reduce<number>((sum, total) => sum + total, 0) : undefined
    const perSecond = rate.add(rows, now)
    return {
      rows,
      failed: state.pairs.reduce((sum, { failed = 0, result }) => sum + (result?.failed ?? failed), 0),
      ...(all === undefined ? {} : { all }),
      ...(perSecond === undefined ? {} : { perSecond }),
      ...(all === undefined || perSecond === undefined ? {} : { secondsLeft: Math.max(0, all - rows) / perSecond }),
    }
  }
}
