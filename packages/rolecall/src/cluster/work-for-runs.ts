import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { PromptError } from '@rolecall/core/internal/errors'
import type { TemplateCompiler } from '@rolecall/core/internal/jinja'
import type { SharedPace } from '../model/openai/http/pace.ts'
import type { Wait } from '../model/openai/http/wait.ts'
import { ownVersion } from '../node/own-files.ts'
import { readAddress } from './address.ts'
import { Heartbeat } from './heartbeat.ts'
import { JobConsumer } from './job-consumer.ts'
import { keys, queueName, type RunNotice, type Taking, timesOf, type WorkerStatus } from './protocol.ts'
import { readNotices, serverTime } from './read-queue.ts'
import { connect, type QueueClient, type Redis, runScript } from './redis.ts'
import { describeProblem, problemReporter } from './report-problem.ts'
import { takeTurn } from './scripts.ts'
import { SharedSlots } from './shared-slots.ts'
import { withTimeout } from './with-timeout.ts'

/** Which models a worker serves, and how many concurrent rows. */
export type WorkerOptions = {
  /** Only models with these names. */
  models?: readonly string[] | undefined
  /** Concurrent rows per model, which its runs share in turns; by default as many per run as the model serves. */
  concurrency?: number | undefined
  /** The base of relative paths in configs on this machine, if it is not the coordinator's folder. */
  folder?: string | undefined
  /** Seconds after which a worker without work leaves: no run that it serves has a coordinator, and no row is in flight. */
  exitWhenIdle?: number | undefined
  /** Takes no more jobs, finishes the rows in flight and releases the others. */
  stop?: AbortSignal | undefined
  /** Also releases the rows in flight. */
  stopNow?: AbortSignal | undefined
  onEvent?: ((event: WorkerEvent) => void) | undefined
  compile?: TemplateCompiler | undefined
}

/** Events that a worker reports. */
export type WorkerEvent =
  | { kind: 'ready'; id: string; queue: string }
  | { kind: 'begin'; run: string; model: string }
  /** `status`: the last of this queue. `isAgain`: the run continues with another set-up. */
  | { kind: 'end'; run: string; queue: string; status: Taking; isAgain?: true }
  | { kind: 'refuse'; run: string; model: string; error: PromptError }
  | { kind: 'trouble'; problem: string }
  | { kind: 'wait'; wait: Wait }
  | { kind: 'status'; status: WorkerStatus }
  | { kind: 'drained' }
  | { kind: 'idle'; seconds: number }

/** The result of one model of a run on this worker. */
type Served = { setup: string; taking?: JobConsumer; status: Taking; refusal?: PromptError }

const idle: Taking = { slots: 0, underWay: 0, done: 0, failed: 0, rate: 0 }

/** How long releasing rows may take. */
const withoutRedis = 5000

/** Works for all runs on a queue until stopped, like `rolecall runs worker`. Returns why it refused runs. */
export async function workForRuns(address: string, options: WorkerOptions = {}): Promise<readonly PromptError[]> {
  const client = await connect(readAddress(address, 'the queue'))
  const times = timesOf(process.env)
  const id = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`
  const started = new Date()
  const since = await serverTime(client.redis)
  const served = new Map<string, Served>()
  const slots = new Map<string, SharedSlots>()
  const refusals: PromptError[] = []
  const tell = (event: WorkerEvent) => {
    if (event.kind === 'refuse') refusals.push(event.error)
    options.onEvent?.(event)
  }
  const trouble = problemReporter((problem) => tell({ kind: 'trouble', problem }))
  const heartbeat = new Heartbeat(client, times, { trouble })
  tell({ kind: 'ready', id, queue: client.address.shown })
  const { stop, exitWhenIdle = Number.POSITIVE_INFINITY } = options
  let busyAt = performance.now()
  let hurry: NodeJS.Timeout | undefined
  const stopNow = () => {
    void Promise.all([...served.values()].map(({ taking }) => taking?.stop(true)))
    // Commands wait while Redis is down; rows that cannot be released are taken by others once their lock expires.
    hurry = setTimeout(() => client.close(), withoutRedis)
  }
  options.stopNow?.addEventListener('abort', stopNow, { once: true })
  try {
    while (!stop?.aborted) {
      const lookedAt = performance.now()
      try {
        await look(client, { ...options, heartbeat, times, served, slots, tell, trouble })
        if (await isDrained(client, since)) {
          tell({ kind: 'drained' })
          break
        }
        if (exitWhenIdle < Number.POSITIVE_INFINITY && (await isNeeded(client, served))) busyAt = performance.now()
      } catch (error) {
        trouble(describeProblem(error))
      }
      // While Redis is down, a worker is not idle, and runs may come back with it.
      if (performance.now() - lookedAt > times.lock) busyAt = performance.now()
      if (performance.now() - busyAt > exitWhenIdle * 1000) {
        tell({ kind: 'idle', seconds: exitWhenIdle })
        break
      }
      const status = statusOf(id, started, served)
      heartbeat.tell({ kind: 'status', key: keys.worker(id), value: JSON.stringify(status), set: keys.workers, member: id })
      tell({ kind: 'status', status })
      await sleep(times.look, undefined, { signal: stop }).catch(() => undefined)
    }
    await Promise.all([...served.values()].map(({ taking }) => taking?.stop(options.stopNow?.aborted)))
  } finally {
    options.stopNow?.removeEventListener('abort', stopNow)
    clearTimeout(hurry)
    await heartbeat.stop()
    await withTimeout(1000, client.redis.multi().del(keys.worker(id)).zrem(keys.workers, id).exec()).catch(() => undefined)
    client.close()
  }
  return refusals
}

/** Whether a run that this worker serves has a coordinator, or has rows in flight here. */
async function isNeeded({ redis }: QueueClient, served: ReadonlyMap<string, Served>): Promise<boolean> {
  for (const [queue, { taking }] of served) {
    if (!taking || taking.refusal) continue
    if (taking.status.underWay > 0 || (await redis.get(keys.coordinator(runOf(queue)))) !== null) return true
  }
  return false
}

type Looking = WorkerOptions & {
  heartbeat: Heartbeat
  times: ReturnType<typeof timesOf>
  served: Map<string, Served>
  /** By model: runs with a model of the same name share its slots. */
  slots: Map<string, SharedSlots>
  tell: (event: WorkerEvent) => void
  trouble: (problem: string) => void
}

/** Starts work for new runs, and ends it for those that are gone. */
async function look(client: QueueClient, looking: Looking): Promise<void> {
  const { served, tell, models: wanted } = looking
  const seen = new Set<string>()
  const notices = await readNotices(client.redis)
  for (const problem of unknownModels([...notices.values()], wanted)) looking.trouble(problem)
  for (const [run, notice] of notices) {
    for (const [number, model] of notice.models.entries()) {
      if (wanted && !wanted.includes(model.model)) continue
      const queue = queueName(run, number)
      seen.add(queue)
      const known = served.get(queue)
      if (known && known.setup === notice.setup) {
        tellRefusal(known, run, model.model, tell)
        continue
      }
      if (known) await end(queue, known, tell, { isAgain: true })
      served.set(queue, begin(client, looking, run, queue, notice, number))
      if (!served.get(queue)!.refusal) tell({ kind: 'begin', run, model: model.model })
      tellRefusal(served.get(queue)!, run, model.model, tell)
    }
  }
  for (const [queue, one] of served) {
    if (seen.has(queue)) continue
    served.delete(queue)
    // The run has ended: rows in flight are abandoned.
    await end(queue, one, tell, { now: true })
  }
}

async function end(
  queue: string,
  { taking, status }: Served,
  tell: Looking['tell'],
  { now, isAgain }: { now?: true; isAgain?: true },
): Promise<void> {
  await taking?.stop(now)
  tell({ kind: 'end', run: runOf(queue), queue, status: taking?.status ?? status, ...(isAgain ? { isAgain } : {}) })
}

/** The run of a queue: see `queueName`. */
function runOf(queue: string): string {
  return queue.replace(/\.\d+$/, '')
}

/** A model name that no run has may be misspelt: the worker would wait forever. */
function unknownModels(notices: readonly RunNotice[], wanted: readonly string[] = []): string[] {
  const known = [...new Set(notices.flatMap(({ models }) => models.map(({ model }) => model)))]
  if (known.length === 0) return []
  return wanted
    .filter((name) => !known.includes(name))
    .map((name) => `no run on the queue has a model "${name}" yet; they have: ${known.slice(0, 10).join(', ')}`)
}

function tellRefusal(known: Served, run: string, model: string, tell: (event: WorkerEvent) => void): void {
  const refusal = known.taking?.refusal
  if (!refusal || known.refusal === refusal) return
  known.refusal = refusal
  tell({ kind: 'refuse', run, model, error: refusal })
}

function begin(client: QueueClient, looking: Looking, run: string, queue: string, notice: RunNotice, number: number): Served {
  const { heartbeat, times, folder, compile, tell, trouble } = looking
  const model = notice.models[number]!
  const { setup } = notice
  if (notice.version !== ownVersion()) {
    const error = new PromptError('other-version', {
      where: run,
      problem: `it is a run of Rolecall ${notice.version}, and this worker is ${ownVersion()}: prompts may differ`,
      fix: 'install the same version on both',
    })
    tell({ kind: 'refuse', run, model: model.model, error })
    return { setup, refusal: error, status: { ...idle, refuses: refusalOf(error) } }
  }
  const taking = new JobConsumer({
    ...{ client, heartbeat, times, run, queue, model, notice, slots: slotsOf(looking, model.model) },
    prepare: {
      folder,
      compile,
      onWait: (wait) => tell({ kind: 'wait', wait }),
      sharedPace: (endpoint) => redisPace(client.redis, endpoint),
    },
    onTrouble: trouble,
  })
  return { setup, taking, status: idle }
}

/** With `concurrency`, the slots of a model for all its runs. */
function slotsOf({ concurrency, slots }: Looking, model: string): SharedSlots | undefined {
  if (concurrency === undefined) return undefined
  const known = slots.get(model) ?? new SharedSlots(() => concurrency)
  slots.set(model, known)
  return known
}

function refusalOf({ message: text, code, where, problem, fix }: PromptError): Taking['refuses'] {
  return { text, code, where, problem, fix }
}

function statusOf(id: string, started: Date, served: ReadonlyMap<string, Served>): WorkerStatus {
  return {
    ...{ id, host: hostname(), pid: process.pid, version: ownVersion(), started: started.toISOString() },
    queues: Object.fromEntries([...served].map(([queue, { taking, status }]) => [queue, taking?.status ?? status])),
  }
}

/** `rolecall runs queue --drain` tells all workers of that moment to leave. */
async function isDrained({ redis }: QueueClient, since: number): Promise<boolean> {
  return Number((await redis.get(keys.drain)) ?? 0) > since
}

/** A rate limit shared by all workers on a queue, for a model at an endpoint. Both are hashed in the key. */
function redisPace(redis: Redis, endpoint: string): SharedPace {
  const key = keys.pace(createHash('sha256').update(endpoint).digest('hex').slice(0, 16))
  return { takeTurn: (spacing) => runScript<number>(redis, takeTurn, [key, spacing]) }
}
