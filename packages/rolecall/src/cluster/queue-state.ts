import { holderText } from './coordinator-lease.ts'
import { keys, queueName, type RunNotice, type WorkerStatus } from './protocol.ts'
import { readNotices, readWorkers } from './read-queue.ts'
import type { QueueClient } from './redis.ts'

/** A model of a run on a queue. */
export type ModelState = {
  model: string
  format?: string | undefined
  /** Waiting jobs, and active ones. */
  waiting: number
  active: number
  workers: number
  slots: number
  rowsPerSecond: number
  failed: number
  refusals: readonly string[]
}

export type QueuedRun = {
  run: string
  started: string
  version: string
  /** Whether it has a live coordinator. */
  isCoordinated: boolean
  coordinator: string
  /** Answers not yet on its disk. */
  answers: number
  models: readonly ModelState[]
}

export type QueueState = { queue: string; runs: readonly QueuedRun[]; workers: readonly WorkerStatus[] }

/** The workers and runs of a queue. */
export async function queueState(client: QueueClient): Promise<QueueState> {
  const workers = await readWorkers(client.redis)
  const runs: QueuedRun[] = []
  for (const [run, notice] of await readNotices(client.redis)) runs.push(await runState(client, run, notice, workers))
  return { queue: client.address.shown, runs, workers }
}

async function runState(client: QueueClient, run: string, notice: RunNotice, workers: readonly WorkerStatus[]): Promise<QueuedRun> {
  const { redis } = client
  const models = await Promise.all(
    notice.models.map(async ({ model, format }, number): Promise<ModelState> => {
      const name = queueName(run, number)
      const { waiting = 0, active = 0 } = await client.queue(name).getJobCounts('waiting', 'active')
      const takings = workers.flatMap(({ queues: { [name]: taking } }) => taking ?? [])
      const sum = (of: (taking: (typeof takings)[number]) => number) => takings.reduce((total, taking) => total + of(taking), 0)
      return {
        ...{ model, format, waiting, active, workers: takings.filter(({ slots }) => slots > 0).length },
        ...{ slots: sum(({ slots }) => slots), rowsPerSecond: sum(({ rate }) => rate), failed: sum(({ failed }) => failed) },
        refusals: [...new Set(takings.flatMap(({ refuses }) => refuses?.text ?? []))],
      }
    }),
  )
  const holder = await redis.get(keys.coordinator(run))
  return {
    ...{
      run,
      started: notice.started,
      version: notice.version,
      isCoordinated: holder !== null,
      coordinator: holderText(holder) ?? notice.host,
    },
    answers: await redis.xlen(keys.answers(run)),
    models,
  }
}
