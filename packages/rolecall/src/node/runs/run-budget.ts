import { Budget, type RunLimits } from '../../evaluation/run/budget.ts'
import type { Pair } from '../../evaluation/run/plan-run.ts'
import type { EvaluationEvent, LimitOptions } from './evaluation-options.ts'
import { replacedAnswers } from './replaced-answers.ts'
import type { RunFolder } from './run-folder.ts'
import { RunReader } from './run-reader.ts'

export function limitsOf({ maxCost, maxTokensTotal, maxTime }: LimitOptions): RunLimits {
  return { maxCost: maxCost ?? undefined, maxTokensTotal: maxTokensTotal ?? undefined, maxTime: maxTime ?? undefined }
}

/** A budget, and a signal that stops its run. */
export type StartedBudget = {
  budget: Budget
  stop: AbortSignal
  /** Also aborted once any limit is reached: rows on a queue that no worker has taken are taken back. */
  recall: AbortSignal
  change(limits: RunLimits): void
  /** Sends no more rows, as the given signal does. */
  halt(): void
  /** Releases the timer. */
  end(): void
}

/** The longest delay of a timer. */
const longestTimer = 2 ** 31 - 1

/** `stop` is aborted by the given signal, by `halt`, and when the time is up. */
export function startBudget(
  limits: RunLimits,
  given: AbortSignal | undefined,
  onEvent: (event: EvaluationEvent) => void = () => {},
): StartedBudget {
  const ending = new AbortController()
  const stop = given ? AbortSignal.any([given, ending.signal]) : ending.signal
  const recalling = new AbortController()
  const budget = new Budget(
    limits,
    () => performance.now(),
    (reached) => {
      if (reached.limit === 'max-time') ending.abort()
      recalling.abort()
      onEvent({ kind: 'budget', ...reached })
    },
  )
  stop.addEventListener('abort', () => budget.close(), { once: true })
  let timer: NodeJS.Timeout | undefined
  const setTimer = () => {
    clearTimeout(timer)
    const { maxTime } = budget.limits
    if (maxTime === undefined) return
    const left = (maxTime - budget.spent.seconds) * 1000
    timer = setTimeout(() => void budget.reached, Math.min(longestTimer, left + 1))
    timer.unref()
  }
  setTimer()
  return {
    budget,
    stop,
    recall: AbortSignal.any([stop, recalling.signal]),
    change(changed) {
      budget.change(changed)
      setTimer()
    },
    halt: () => ending.abort(),
    end: () => clearTimeout(timer),
  }
}

/** Counts what earlier parts of the run have spent, by their records. */
export function countRecorded(budget: Budget, { path, info }: Pick<RunFolder, 'path' | 'info'>, pairs: readonly Pair[]): void {
  const run = new RunReader(path, info)
  for (const pair of pairs) {
    const recorded = run.find(pair.name)
    if (recorded?.hasRecords) for (const record of recorded.rows()) budget.recorded(pair, record)
    for (const { tokens, judge_tokens, partial } of replacedAnswers(path, pair.name)) {
      if (partial && tokens) budget.partial(pair, tokens)
      else budget.replaced(pair, tokens, judge_tokens)
    }
  }
}
