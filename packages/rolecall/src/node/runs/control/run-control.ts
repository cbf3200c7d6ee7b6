import { PromptError } from '@rolecall/core/internal/errors'
import type { Budget, RunLimits } from '../../../evaluation/run/budget.ts'
import { checkLimits } from '../../../evaluation/run/check-limits.ts'
import { nameOf } from '../../../evaluation/run/record/pair-name.ts'
import type { Pair, RunEvent } from '../../../evaluation/run/run-pairs.ts'
import { AnswerRate } from '../answer-rate.ts'
import type { ControlEvent } from '../evaluation-options.ts'
import { RowsSoFar } from '../rows-so-far.ts'
import type { RunFolder } from '../run-folder.ts'
import type { ControlRequest, ControlStatus } from './control-messages.ts'

/** Counts the rows of a run, and does what `rolecall runs ctl` requests. */
export class RunControl {
  readonly #folder: Pick<RunFolder, 'path' | 'remember'>
  readonly #pairs: readonly Pair[]
  readonly #budget: Budget
  readonly #onEvent: (event: ControlEvent) => void
  readonly #rows = new RowsSoFar()
  readonly #rate = new AnswerRate(performance.now())
  #failed = 0
  #retries = false
  #isOver = false

  constructor(
    folder: Pick<RunFolder, 'path' | 'remember'>,
    pairs: readonly Pair[],
    budget: Budget,
    onEvent: (event: ControlEvent) => void = () => {},
  ) {
    this.#folder = folder
    this.#pairs = pairs
    this.#budget = budget
    this.#onEvent = onEvent
  }

  get #isStopping(): boolean {
    return this.#budget.reached !== undefined || this.#budget.stop.aborted
  }

  count(event: RunEvent): void {
    if (event.kind !== 'prepare') this.#rows.add(event)
    if (event.kind !== 'row') return
    if (event.record.error !== undefined) this.#failed++
    if (event.from === 'model') this.#rate.add(0, performance.now())
  }

  /** Called when all rows are done: whether those that failed are to be sent again. If not, the run ends. */
  takeRetry(): boolean {
    const retries = this.#retries && this.#failed > 0 && !this.#isStopping
    this.#retries = false
    this.#isOver = !retries
    if (retries) this.#failed = 0
    return retries
  }

  readonly answer = (request: ControlRequest): ControlStatus => {
    if (request.action !== 'status') this.#act(request)
    return this.#status()
  }

  #act(request: ControlRequest): void {
    const budget = this.#budget
    if (this.#isStopping || this.#isOver) throw ending(this.#folder.path)
    switch (request.action) {
      case 'status':
        return
      case 'pause':
      case 'resume':
        if (budget.isPaused === (request.action === 'pause')) return
        budget[request.action]()
        break
      case 'limits':
        this.#limit(request.limits)
        return
      case 'retry-errors':
        if (this.#retries) return
        this.#retries = true
        break
      case 'stop':
        budget.halt()
    }
    this.#onEvent({ kind: 'control', action: request.action })
  }

  #limit(changes: { [Name in keyof RunLimits]: number | null | undefined }): void {
    const limits = { ...this.#budget.limits }
    for (const name of ['maxCost', 'maxTokensTotal', 'maxTime'] as const)
      if (changes[name] !== undefined) limits[name] = changes[name] ?? undefined
    checkLimits(limits, this.#pairs)
    this.#budget.change(limits)
    this.#folder.remember(limits)
    this.#onEvent({ kind: 'control', action: 'limits', limits })
  }

  #status(): ControlStatus {
    const budget = this.#budget
    const pairs = this.#pairs.map((pair) => ({ ...nameOf(pair.name), ...this.#rows.of(pair) }))
    const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0)
    const totals = pairs.flatMap(({ total }) => (total === undefined ? [] : [total]))
    return {
      folder: this.#folder.path,
      state: this.#isStopping ? 'stopping' : budget.isPaused ? 'paused' : 'running',
      rows: {
        done: sum(pairs.map(({ done }) => done)),
        total: totals.length === pairs.length ? sum(totals) : undefined,
        failed: this.#failed,
      },
      retries: this.#retries,
      rowsPerSecond: this.#rate.at(performance.now()).rowsPerSecond,
      pairs,
      spent: budget.spent,
      limits: budget.limits,
    }
  }
}

function ending(folder: string): PromptError {
  return new PromptError('run-ending', {
    where: folder,
    problem: 'the run is ending: a limit is reached, or it was stopped, and the rows in flight finish',
    fix: 'resume it when it has ended: rolecall run -r, with a higher limit if one is reached',
  })
}
