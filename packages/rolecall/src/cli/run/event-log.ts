import { closeSync, openSync, writeSync } from 'node:fs'
import { PromptError } from '@rolecall/core/internal/errors'
import type { RunLimits } from '../../evaluation/run/budget.ts'
import { addTokens, judgeTokensOf, noTokens } from '../../evaluation/run/record/cost.ts'
import { nameOf, type PairName } from '../../evaluation/run/record/pair-name.ts'
import type { PairResult, ReachedLimit, RowRecord, TokenUsage } from '../../evaluation/run/record/run-record.ts'
import type { Wait } from '../../model/openai/http/wait.ts'
import type { ControlEvent, EvaluationEvent } from '../../node/runs/evaluation-options.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { JsonFailure } from '../print-json.ts'

/** Raised when a field is removed, renamed or changes its meaning. */
const eventVersion = 1

/** What every event has: the version of these fields, the time in ISO 8601. */
type Stamp = { version: number; time: string }

/** A line of `run --events`. Events have no text of prompts, answers or rows. */
export type RunLogEvent = Stamp &
  (
    | {
        event: 'started'
        /** The run's folder. */
        folder: string
        resumed: boolean
        pairs: readonly PairName[]
      }
    | ({
        event: 'row'
        /** The row's index in the dataset's selected rows, from 0. */
        id: number
        /** Rows that are `stored` in the run or `cached` were not sent. */
        from: 'model' | 'stored' | 'cached'
        score?: number
        outcome?: NonNullable<RowRecord['outcome']>
        finish?: NonNullable<RowRecord['finish']>
        error?: string
        tokens: TokenUsage
        milliseconds: number
        /** Rows of this model and dataset so far, and their total if it is known. */
        done: number
        total?: number
      } & PairName)
    | ({ event: 'judge'; id: number; tokens: TokenUsage } & PairName)
    | {
        /** A request waits: for a rate limit, before it is sent again, or for a server that is down. Written at most every ten seconds for each of the three. */
        event: 'retry'
        /** The number of waits since the previous event, if there are several; the other fields describe the last. */
        waits?: number
        reason: string
        milliseconds: number
        for: Wait['for']
      }
    | {
        /** At most every ten seconds: rows so far, those sent in this part of the run, and the tokens these took. */
        event: 'progress'
        rows: number
        sent: number
        failed: number
        tokens: TokenUsage
      }
    | ({ event: 'budget' } & ReachedLimit)
    | {
        /** `rolecall runs ctl` has paused, resumed or stopped the run, wants failed rows to be sent again, or changed its limits, which are these now. */
        event: 'control'
        action: ControlEvent['action']
        limits?: RunLimits
      }
    | ({
        event: 'result'
        metric: string
        value?: number
        rows: number
        failed: number
        seconds: number
      } & PairName)
    | {
        event: 'finished'
        exit_code: ExitCode
        /** Pairs of models and datasets that are not complete. */
        unfinished?: number
        error?: JsonFailure
      }
  )

/** An event without its stamp. */
type Unstamped<Event> = Event extends Stamp ? Omit<Event, keyof Stamp> : never

const progressEvery = 10_000

/** The waits of a kind that no event tells of, and when the last event was written. */
type Waits = { count: number; last: Wait; written: number; timer?: NodeJS.Timeout | undefined }

/** Writes the events of a run as lines of JSON, to a file (which grows if it exists) or, for `-`, to standard output. */
export class EventLog {
  readonly #write: (line: string) => void
  readonly #close: () => void
  readonly #sums = { rows: 0, sent: 0, failed: 0, tokens: noTokens() }
  readonly #waits = new Map<Wait['for'], Waits>()
  #reported = performance.now()
  #isFinished = false

  constructor(file: string) {
    if (file === '-') {
      this.#write = (line) => void process.stdout.write(line)
      this.#close = () => {}
      return
    }
    const orRefuse = <Result>(act: () => Result): Result => {
      try {
        return act()
      } catch (error) {
        // The run stops, and its last event cannot be written either.
        this.#isFinished = true
        const problem = `${file} cannot be written: ${(error as Error).message}`
        throw new PromptError('no-file', { where: '--events', problem, fix: 'free some space, or name another file, or -' })
      }
    }
    const descriptor = orRefuse(() => openSync(file, 'a'))
    this.#write = (line) => void orRefuse(() => writeSync(descriptor, line))
    this.#close = () => closeSync(descriptor)
  }

  show(event: EvaluationEvent): void {
    if (event.kind === 'folder') {
      const { folder, resumed, pairs } = event
      this.#add({ event: 'started', folder, resumed, pairs: pairs.map(({ name }) => nameOf(name)) })
    } else if (event.kind === 'row') this.#row(event)
    else if (event.kind === 'wait') this.#wait(event.wait)
    else if (event.kind === 'end') this.#result(event.result)
    else if (event.kind === 'control')
      this.#add({ event: 'control', action: event.action, ...(event.action === 'limits' ? { limits: event.limits } : {}) })
    else if (event.kind === 'again') {
      // Each of them is counted once.
      this.#sums.rows -= this.#sums.failed
      this.#sums.failed = 0
    } else if (event.kind === 'budget') {
      const { limit, value, spent } = event
      this.#add({ event: 'budget', limit, value, spent })
    }
  }

  /** The last event, written once. */
  finish(failure: JsonFailure | undefined, unfinished?: number): void {
    if (this.#isFinished) return
    this.#isFinished = true
    for (const waits of this.#waits.values()) this.#retry(waits)
    this.#progress()
    const { exit_code = exitCodes.ok.code } = failure ?? {}
    this.#add({ event: 'finished', exit_code, ...(unfinished === undefined ? {} : { unfinished }), ...(failure ? { error: failure } : {}) })
    this.#close()
  }

  #row({ pair, record, from, done, total, judged, tokens: sent = record.tokens }: EvaluationEvent & { kind: 'row' }): void {
    const { id, score, outcome, finish, error, tokens, milliseconds } = record
    const name = nameOf(pair.name)
    const judge = judgeTokensOf(record)
    if (judge && (from !== 'stored' || judged)) this.#add({ event: 'judge', ...name, id, tokens: judge })
    this.#add({
      ...{ event: 'row', ...name, id, from, done, tokens, milliseconds },
      ...(total === undefined ? {} : { total }),
      ...(score === undefined || !Number.isFinite(score) ? {} : { score }),
      ...(outcome === undefined ? {} : { outcome }),
      ...(finish === undefined ? {} : { finish }),
      ...(error === undefined ? {} : { error }),
    })
    this.#sums.rows++
    if (error !== undefined) this.#sums.failed++
    if (from === 'model') {
      this.#sums.sent++
      addTokens(this.#sums.tokens, sent)
    }
    if (performance.now() - this.#reported >= progressEvery) this.#progress()
  }

  #wait(wait: Wait): void {
    const waits = this.#waits.get(wait.for) ?? { count: 0, last: wait, written: Number.NEGATIVE_INFINITY }
    this.#waits.set(wait.for, waits)
    waits.count++
    waits.last = wait
    const since = performance.now() - waits.written
    if (since >= progressEvery) this.#retry(waits)
    else waits.timer ??= setTimeout(() => this.#retry(waits), progressEvery - since).unref()
  }

  #retry(waits: Waits): void {
    const { count, last } = waits
    clearTimeout(waits.timer)
    waits.timer = undefined
    if (count === 0) return
    this.#add({ event: 'retry', ...last, ...(count > 1 ? { waits: count } : {}) })
    waits.count = 0
    waits.written = performance.now()
  }

  #progress(): void {
    this.#reported = performance.now()
    this.#add({ event: 'progress', ...this.#sums })
  }

  #result({ metric, value, rows, failed, seconds, ...name }: PairResult): void {
    this.#add({ event: 'result', ...nameOf(name), metric, ...(value === undefined ? {} : { value }), rows, failed, seconds })
  }

  #add(event: Unstamped<RunLogEvent>): void {
    this.#write(`${JSON.stringify({ version: eventVersion, time: new Date().toISOString(), ...event })}\n`)
  }
}

/** The only event of a run whose command line is wrong, if it names a file for events. */
export function finishEvents(args: readonly string[], failure: JsonFailure): void {
  const at = args.findIndex((word) => word === '--events' || word.startsWith('--events='))
  const file = args[at]?.startsWith('--events=') ? args[at].slice('--events='.length) : args[at + 1]
  if (at < 0 || file === undefined || file === '' || (file.startsWith('-') && file !== '-')) return
  try {
    new EventLog(file).finish(failure)
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
  }
}
