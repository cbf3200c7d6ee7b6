import type { Note, PromptError } from '@rolecall/core/internal/errors'
import type { CheckedConfig } from '../../evaluation/config/check-config.ts'
import type { RunLimits } from '../../evaluation/run/budget.ts'
import type { PairSelection } from '../../evaluation/run/choose-pairs.ts'
import type { ReachedLimit, RunSummary } from '../../evaluation/run/record/run-record.ts'
import type { LogProbabilitiesToKeep } from '../../evaluation/run/record/trim-scores.ts'
import type { Pair, RunEnvironment, RunEvent } from '../../evaluation/run/run-pairs.ts'
import type { RemoteWorkers } from '../../evaluation/run/run-types.ts'
import type { Wait } from '../../model/openai/http/wait.ts'
import type { LoadedConfig } from '../config/load-config.ts'

/** Limits; null removes one that the resumed run has. */
export type LimitOptions = { [Name in keyof RunLimits]: RunLimits[Name] | null }

export function limitsOf({ maxCost, maxTokensTotal, maxTime }: LimitOptions): RunLimits {
  return { maxCost: maxCost ?? undefined, maxTokensTotal: maxTokensTotal ?? undefined, maxTime: maxTime ?? undefined }
}

/** What to run, where its results go, what it may spend, and whether it resumes an earlier run. */
export type EvaluationOptions = PairSelection &
  LimitOptions & {
    /** The name of the run; its results go to `outputs/<name>/<time>` beside the config file. */
    name?: string
    /** The folder that contains `outputs`; that of the config file by default. */
    outputsIn?: string
    /** Where results go instead: into a folder named after the time. */
    workDir?: string
    /** The maximum number of rows of each dataset; below 1, the share of its rows. */
    limit?: number
    /** Also record the prompts that were sent. */
    prompts?: boolean
    /** Also writes predictions, results and summary as this program lays them out. */
    layout?: 'opencompass'
    /** Which log-probabilities are recorded: of each token (the default), only the score of each label, or none. */
    logProbabilities?: LogProbabilitiesToKeep
    /** How many rows are sent concurrently; by default as many as the model serves. */
    workers?: number
    /** `2/4`: only the second of four shards of the rows, in a separate folder. */
    shard?: string
    /** Resumes a run: `latest`, its time, or its path. Rows with the same prompt, model and settings are not sent again. */
    reuse?: string
    /** With `reuse`: retries rows without an answer. */
    retryErrors?: boolean
    /** Asks rows whose answer was cut at `max_out_len` once more, with this many times the limit; both answers are recorded. */
    retryCut?: number
    /** The folder of the answer cache, by default the user's; false disables the cache. */
    cache?: string | false
    /** When aborted, rows in flight are finished, and no more are sent. */
    stop?: AbortSignal
    /** When aborted, rows in flight are abandoned as well. */
    signal?: AbortSignal
    /** Listens for `rolecall runs ctl` on a socket in the run's folder. */
    control?: boolean
    onEvent?: (event: EvaluationEvent) => void
    /** Workers on a queue query the models: `redisQueue('redis://10.0.0.5:6379')`. */
    queue?: RunQueue
    /** Opens models and rows instead of `nodeEnvironment`, e.g. models implemented by the program itself. */
    environment?: RunEnvironment
  }

/** What `runEvaluation` reports while it runs. */
export type EvaluationEvent =
  | RunEvent
  /** All pairs are ready; the notes are about their config and first rows. */
  | { kind: 'prepared'; notes: readonly Note[] }
  /**
   * The results folder; `resumed` if it existed before. `lookedIn`: the folders searched for `reuse`; new runs go to the first. `changed`: the
   * settings that differ from those of an earlier attempt, whose rows are sent again.
   */
  | {
      kind: 'folder'
      folder: string
      pairs: readonly Pair[]
      resumed: boolean
      lookedIn: readonly string[]
      changed: readonly string[]
    }
  | { kind: 'wait'; wait: Wait }
  /** A limit is reached: no more rows are sent. */
  | ({ kind: 'budget' } & ReachedLimit)
  | ControlEvent
  /** Rows that failed are sent again, as `rolecall runs ctl` requested: only their events follow. */
  | { kind: 'again' }
  | QueueEvent

/** What `rolecall runs ctl` has changed. */
export type ControlEvent = { kind: 'control' } & (
  | { action: 'pause' | 'resume' | 'retry-errors' | 'stop' }
  | { action: 'limits'; limits: RunLimits }
)

/** A run that has ended: its folder, its summary, and what is unfinished or was reused. */
export type EvaluationRun = {
  folder: string
  summary: RunSummary
  /** The number of unfinished pairs. */
  unfinished: number
  /** The limit that ended the run, if one did. */
  reached?: ReachedLimit
  /** Recorded rows that were sent again, since their prompt, model or settings had changed. */
  rerunRows: number
  /** The settings that differ from those of an earlier attempt, as `good › max_out_len: 64 → 256`. */
  changed: readonly string[]
  /** Recorded rows that were reused. */
  kept: number
  /** What was repaired, and failures that did no harm. */
  remarks: readonly string[]
}

/** Workers that query models instead of this process. */
export type RunQueue = {
  /** Refuses runs that cannot be distributed; called before anything is written. */
  check(config: CheckedConfig, options: EvaluationOptions): void
  open(run: RunToDistribute): Promise<OpenQueue>
}

/** A run whose rows are sent by workers. */
export type RunToDistribute = {
  name: string
  /** When it started, as an ISO date. */
  started: string
  folder: string
  loaded: LoadedConfig
  pairs: readonly Pair[]
  options: EvaluationOptions
  /** The run sends every `shards`-th row. */
  shards: number
  /** Flushes records to disk. */
  sync(): Promise<void>
  onEvent(event: QueueEvent): void
}

/** A queue with a run on it. */
export type OpenQueue = RemoteWorkers & {
  /** A row with this key is recorded: the queue need not keep its answer. */
  recorded(key: string): void
  /** Returns remarks for the end of the run, e.g. answers that were dropped. */
  close(isDone: boolean): Promise<readonly string[]>
}

/** The workers of a run, or a problem with its queue. */
export type QueueEvent = ({ kind: 'queue' } & WorkersSeen) | { kind: 'trouble'; problem: string }

/** The workers that a coordinator sees. */
export type WorkersSeen = {
  /** Workers that take jobs of this run. */
  workers: number
  /** The number of rows they process concurrently. */
  slots: number
  /** Why others take none, without duplicates. */
  refusals: readonly string[]
  /** Set once all workers have failed with the same error for a while. */
  stops?: PromptError | undefined
}
