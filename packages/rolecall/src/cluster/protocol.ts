import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { z } from 'zod'
import { logProbabilitiesToKeep } from '../evaluation/run/record/trim-scores.ts'

/*
 * How a run is distributed over machines.
 *
 * The coordinator is `rolecall run --queue`: as without a queue, it reads, renders and keys rows, and scores and records answers. Only the
 * model runs elsewhere. A worker is `rolecall runs worker`: it takes jobs of any run, queries the model over its own connection, and sends answers.
 *
 * A job is a chunk of rows of one pair, each with its key and its examples. Each model of a run has a BullMQ queue, so that
 * a worker may serve some models, and no model waits for another.
 *
 * Keys in Redis, all prefixed with `rolecall:`
 *   runs                 run → notice: version, hash of the set-up, models. Written by the coordinator, polled by workers.
 *   run:ID:setup         the config without secrets, and the flags that change prompts or answers. Written by the coordinator.
 *   run:ID:coordinator   a lease: the coordinator. A second one is rejected while it is renewed.
 *   run:ID:answers       a stream of answers. Workers append; the coordinator removes those on its disk.
 *   run:ID:done:JOB      the answered keys of a job, so that a worker that takes the job again skips them.
 *   worker:ID, workers   leases: each worker's concurrency, progress and refusals.
 *   drain                when all workers were told to leave.
 *   pace:HASH            when the next request to a rate-limited model may be sent, by Redis's clock.
 *   queue:…              BullMQ's own keys.
 *
 * An answer is appended once per key and job, by a script that checks that the job still exists. The coordinator appends the
 * record to the run's folder, syncs it to disk, and only then removes the answer from the stream. The folder is the source of truth:
 * losing Redis loses no records, and a recorded key is never recorded again.
 *
 * Failures
 *   a worker dies      its locks expire, and another worker takes its jobs. Rows in flight are sent again, answered rows are not.
 *   a worker is suspended   its late answers count if no other came first, else they are dropped.
 *   the coordinator dies   workers finish the enqueued jobs. A restarted coordinator finds answers in the stream and rows in jobs, and sends neither again.
 *   Redis dies         all processes wait and reconnect. The coordinator detects lost jobs and enqueues them again.
 *   a job kills its workers   after three deaths each of its rows is sent alone; a row that kills three more fails with an error.
 *
 * A separate thread renews locks and leases (`heartbeat.ts`): a busy process keeps its jobs, and takes none before the thread runs. A lock that
 * expired because the thread was late is acquired again if no other worker has taken the job. If one has, rows that were not sent are left to it.
 */

/** Prefix of all our keys. */
export const prefix = 'rolecall'

/** Prefix of BullMQ's keys. */
export const queuePrefix = `${prefix}:queue`

export const keys = {
  runs: `${prefix}:runs`,
  workers: `${prefix}:workers`,
  drain: `${prefix}:drain`,
  worker: (id: string) => `${prefix}:worker:${id}`,
  setup: (run: string) => `${prefix}:run:${run}:setup`,
  coordinator: (run: string) => `${prefix}:run:${run}:coordinator`,
  answers: (run: string) => `${prefix}:run:${run}:answers`,
  done: (run: string, job: string) => `${prefix}:run:${run}:done:${job}`,
  pace: (hash: string) => `${prefix}:pace:${hash}`,
}

/** The queue of a run's model; BullMQ allows no colons. */
export function queueName(run: string, model: number): string {
  return `${run}.${model}`
}

/** A run's name in Redis: the same for the same folder, so that it can be resumed. */
export function runId({ name, started, folder }: { name: string; started: string; folder: string }): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([name, started, basename(folder)]))
    .digest('hex')
  return `${name.replace(/[^\w-]+/g, '-').slice(0, 40)}-${basename(folder).replace(/[^\w-]+/g, '-')}-${hash.slice(0, 6)}`
}

const modelSchema = z.object({ model: z.string(), format: z.string().optional() })

/** What workers know of a run before they take a job. */
export const noticeSchema = z.object({
  version: z.string(),
  /** The hash of the set-up: if it changes, workers read it again. */
  setup: z.string(),
  /** A model's index is its queue's number. */
  models: z.array(modelSchema),
  host: z.string(),
  started: z.string(),
})
export type RunNotice = z.infer<typeof noticeSchema>

/** What a worker needs to render a run's rows: validated data, never code. */
export const setupSchema = z.object({
  /** The base of relative paths in the config. */
  folder: z.string(),
  /** Files of models that the coordinator has, as the config names them: workers need them, too. */
  files: z.array(z.string()),
  /** The config as recorded with the results, in Python's JSON. */
  config: z.string(),
  selection: z.looseObject({}),
  keepPrompts: z.boolean(),
  logProbabilities: z.enum(logProbabilitiesToKeep).optional(),
})
export type RunSetup = z.infer<typeof setupSchema>

export function setupHash(setup: RunSetup): string {
  return createHash('sha256').update(JSON.stringify(setup)).digest('hex').slice(0, 16)
}

/** A chunk of rows of one pair; `rows` is parsed by `unpackRows`. */
export const jobSchema = z.object({
  setup: z.string(),
  pair: z.object({ model: z.string(), format: z.string().optional(), dataset: z.string() }),
  rows: z.string(),
  /** These rows have killed workers: a worker sends nothing else meanwhile, so that its death does not affect other jobs. */
  alone: z.boolean().optional(),
})
export type JobData = z.infer<typeof jobSchema>

/** The status of a worker on one queue. */
const takingSchema = z.object({
  /** Concurrent rows. */
  slots: z.number(),
  underWay: z.number(),
  done: z.number(),
  failed: z.number(),
  /** Recent rows per second. */
  rate: z.number(),
  /** Why it takes no jobs of this queue; `stops` if every worker would fail the same way. */
  refuses: z.object({ text: z.string(), code: z.string(), where: z.string(), problem: z.string(), fix: z.string() }).optional(),
})
export type Taking = z.infer<typeof takingSchema>

export const workerSchema = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  started: z.string(),
  /** By queue name. */
  queues: z.record(z.string(), takingSchema),
})
export type WorkerStatus = z.infer<typeof workerSchema>

/** Times in milliseconds. Tests and benchmarks may use shorter ones. */
export type Times = {
  /** After this long without a renewal a job is released, and a worker or coordinator counts as gone. */
  lock: number
  /** How often locks and leases are renewed. */
  beat: number
  /** How often workers look for jobs with expired locks, and the coordinator for lost jobs. */
  check: number
  /** How often workers look for runs, and the coordinator for workers. */
  look: number
}

/** A network partition of five seconds costs no lock. */
const usualLock = 15

/** ROLECALL_QUEUE_LOCK: seconds until the jobs of a lost worker are released. */
export function timesOf({ ROLECALL_QUEUE_LOCK: given }: Readonly<Record<string, string | undefined>>): Times {
  const seconds = Number(given ?? usualLock)
  if (!(seconds >= 1 && seconds <= 3600)) {
    throw new PromptError('bad-lock', {
      where: 'ROLECALL_QUEUE_LOCK',
      problem: `"${given}" is not a number of seconds from 1 to 3600`,
      fix: `leave it out (${usualLock} s), or write e.g. 30`,
    })
  }
  const lock = Math.round(seconds * 1000)
  // Redis accepts only whole milliseconds.
  return { lock, beat: Math.round(lock / 5), check: Math.round(lock / 3), look: Math.min(500, Math.round(lock / 10)) }
}
