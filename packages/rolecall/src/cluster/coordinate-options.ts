import type { Pair } from '../evaluation/run/plan-run.ts'
import type { QueueEvent } from '../node/runs/evaluation-options.ts'
import type { RunSetup, Times } from './protocol.ts'
import type { QueueClient } from './redis.ts'

export type CoordinateOptions = {
  client: QueueClient
  times: Times
  run: string
  setup: RunSetup
  pairs: readonly Pair[]
  /** The run sends every `shards`-th row, so row numbers advance in these steps. */
  shards: number
  /** Milliseconds after which a model without a worker ends the run; 10 minutes by default. */
  waitForWorkers?: number | undefined
  /** Flushes records to disk. */
  sync: () => Promise<void>
  /** Stops: takes back rows that no worker has taken. */
  stop?: AbortSignal | undefined
  onEvent: (event: QueueEvent) => void
}
