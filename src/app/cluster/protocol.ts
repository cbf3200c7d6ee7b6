import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { z } from 'zod'
import { PromptError } from '../../base/errors/prompt-error.ts'
import { logProbabilitiesToKeep } from '../../evaluation/run/record/trim-scores.ts'

/*
 * How a run is spread over machines.
 *
 * The coordinator is `rolecall run --queue`: it reads, renders and keys rows as ever, and scores and records the answers. Only the model
 * is asked elsewhere. A worker is `rolecall worker`: it takes jobs from any run, asks its own connection to the model, and sends answers.
 *
 * A job is a chunk of rows of one pair, each with its key and its examples. There is a BullMQ queue for each model of a run, so that
 * a worker may serve some models, and none waits behind another.
 *
 * In Redis, all below `rolecall:`
 *   runs                 run → notice: version, hash of the set-up, models. Written by the coordinator, looked at by workers.
 *   run:ID:setup         the config without secrets, and the flags that change prompts or answers. Written by the coordinator.
 *   run:ID:coordinator   a lease: who coordinates. A second coordinator is refused while it is renewed.
 *   run:ID:answers       a stream of answers. Workers append, the coordinator removes what is on its disk.
 *   run:ID:done:JOB      the keys of a job that have an answer, so that whoever takes the job again does not ask them again.
 *   worker:ID, workers   leases: who works, with how many rows at once, what it has done and what it refuses.
 *   drain                when all workers were asked to leave.
 *   pace:HASH            when the next request to a rate-limited model may be sent, by the clock of Redis.
 *   queue:…              what BullMQ keeps.
 *
 * An answer is appended once for each key and job, by a script that looks whether the job is still there. The coordinator appends the
 * record to the run's folder, syncs it to disk, and only then removes the answer from the stream. The folder is the truth: nothing
 * that is recorded is lost with Redis, and a key that is recorded is never recorded again.
 *
 * What happens when somebody dies
 *   a worker       its locks expire, and another takes its jobs. Rows that were under way are asked again, rows with an answer are not.
 *   a worker that was only stopped   its late answers count where no other came first, else they are dropped.
 *   the coordinator   workers finish what is enqueued. Started again, it finds answers in the stream and rows in jobs, and asks neither again.
 *   Redis          everybody waits and connects again. Jobs that are gone are enqueued again by the coordinator, which looks for them.
 *   a job that kills its workers   after three deaths each of its rows is asked alone; a row that ends three more fails with an error.
 *
 * Locks and leases are renewed by a thread of its own (`heartbeat.ts`): a process that is busy keeps its jobs.
 */

/** Before all keys of ours. */
export const prefix = 'rolecall'

/** What BullMQ puts before its own. */
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

/** What a run is called in Redis: the same for the same folder, also when it goes on. */
export function runId({ name, started, folder }: { name: string; started: string; folder: string }): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([name, started, basename(folder)]))
    .digest('hex')
  return `${name.replace(/[^\w-]+/g, '-').slice(0, 40)}-${basename(folder).replace(/[^\w-]+/g, '-')}-${hash.slice(0, 6)}`
}

const modelSchema = z.object({ model: z.string(), format: z.string().optional() })

/** What workers see of a run before they take a job. */
export const noticeSchema = z.object({
  version: z.string(),
  /** The hash of the set-up: another one is read anew. */
  setup: z.string(),
  /** A model's place is its queue's number. */
  models: z.array(modelSchema),
  host: z.string(),
  started: z.string(),
})
export type RunNotice = z.infer<typeof noticeSchema>

/** What a worker needs to render a run's rows: validated data, never code. */
export const setupSchema = z.object({
  /** The base of relative paths in the config. */
  folder: z.string(),
  /** The config as it is written beside results, as Python's JSON. */
  config: z.string(),
  selection: z.looseObject({}),
  keepPrompts: z.boolean(),
  logProbabilities: z.enum(logProbabilitiesToKeep).optional(),
})
export type RunSetup = z.infer<typeof setupSchema>

export function setupHash(setup: RunSetup): string {
  return createHash('sha256').update(JSON.stringify(setup)).digest('hex').slice(0, 16)
}

/** A chunk of rows of one pair; `rows` is text that `unpackRows` reads. */
export const jobSchema = z.object({
  setup: z.string(),
  pair: z.object({ model: z.string(), format: z.string().optional(), dataset: z.string() }),
  rows: z.string(),
  /** Workers have died with these rows: whoever takes the job asks nothing else meanwhile, so that its death is not another's. */
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
  /** Rows a second, lately. */
  rate: z.number(),
  /** Why it takes no jobs of this queue; `stops` where every worker would meet the same. */
  refuses: z.object({ text: z.string(), code: z.string(), where: z.string(), problem: z.string(), fix: z.string() }).optional(),
})
export type Taking = z.infer<typeof takingSchema>

export const workerSchema = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  started: z.string(),
  /** By the names of queues. */
  queues: z.record(z.string(), takingSchema),
})
export type WorkerStatus = z.infer<typeof workerSchema>

/** Times in milliseconds. Tests and benches may have shorter ones. */
export type Times = {
  /** After so long without a renewal a job is anybody's, and a worker or coordinator is thought to be gone. */
  lock: number
  /** How often locks and leases are renewed. */
  beat: number
  /** How often workers look for jobs whose locks have expired, and the coordinator for jobs that are gone. */
  check: number
  /** How often workers look for runs, and the coordinator for workers. */
  look: number
}

/** A partition of five seconds costs no lock. */
const usualLock = 15

/** ROLECALL_QUEUE_LOCK: the seconds after which the jobs of a worker that is gone are another's. */
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
  // Redis takes whole milliseconds only.
  return { lock, beat: Math.round(lock / 5), check: Math.round(lock / 3), look: Math.min(500, Math.round(lock / 10)) }
}
