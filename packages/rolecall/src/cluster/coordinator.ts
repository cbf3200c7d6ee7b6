import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { OnTokens } from '../evaluation/run/ask/ask-model.ts'
import type { Pair } from '../evaluation/run/plan-run.ts'
import { isSameModel, type ModelName } from '../evaluation/run/record/pair-name.ts'
import type { RowAnswer } from '../evaluation/run/record/run-record.ts'
import type { AnswerCheck, RowTask } from '../evaluation/run/run-types.ts'
import { ownVersion } from '../node/own-files.ts'
import type { OpenQueue } from '../node/runs/evaluation-options.ts'
import { AnswerReader } from './answer-reader.ts'
import type { CoordinateOptions } from './coordinate-options.ts'
import { acquireRun, releaseRun, runInUse } from './coordinator-lease.ts'
import { Crews } from './crews.ts'
import { earlierJobs } from './earlier-jobs.ts'
import { Heartbeat } from './heartbeat.ts'
import { inFlightLimit, jobSize } from './job-size.ts'
import { ExampleTexts, packRows } from './pack-rows.ts'
import { byPair, type PendingRow, PendingRows } from './pending-rows.ts'
import { keys, queueName, type RunNotice, setupHash } from './protocol.ts'
import { readNotices } from './read-queue.ts'
import { type JobQueue, runScript } from './redis.ts'
import { repeatUntil } from './repeat-until.ts'
import { describeProblem, problemReporter } from './report-problem.ts'
import { inspectRun } from './scripts.ts'
import { removeRun } from './tidy-queue.ts'
import { whenDisconnected } from './when-disconnected.ts'
import { withTimeout } from './with-timeout.ts'

/** Milliseconds to wait for more rows before a smaller job is queued: if workers may run out of rows, and if they have enough. */
const gatherFor = 5
const gatherAtLeisure = 200

/** How often records are synced to disk and their answers removed from Redis. */
const settleEvery = 1000

/** Rows of a pair that wait to be enqueued. */
type Gathering = {
  pair: Pair
  queue: number
  tasks: RowTask[]
  timer?: NodeJS.Timeout | undefined
  total?: number | undefined
  last: number
}

/** Distributes the rows of a run to workers: see `protocol.ts`. */
export class Coordinator implements OpenQueue {
  readonly #options: CoordinateOptions
  readonly #models: readonly ModelName[]
  readonly #queues: readonly JobQueue[]
  readonly #setup: string
  readonly #notice: string
  readonly #books = new PendingRows()
  readonly #heartbeat: Heartbeat
  readonly #reader: AnswerReader
  readonly #crews: Crews
  readonly #trouble: (problem: string) => void
  readonly #gathering = new Map<Pair, Gathering>()
  readonly #examples = new ExampleTexts()
  readonly #name = randomBytes(4).toString('hex')
  #jobs = 0
  #lease = ''
  readonly #closing = new AbortController()
  #looks: (() => void)[] = []
  #loops: Promise<void>[] = []

  private constructor(options: CoordinateOptions) {
    this.#options = options
    const { client, run, setup, pairs, times, onEvent } = options
    this.#trouble = problemReporter((problem) => onEvent({ kind: 'trouble', problem }))
    this.#models = pairs.map(({ name }) => name).filter((name, place, all) => all.findIndex((one) => isSameModel(one, name)) === place)
    this.#queues = this.#models.map((_, number) => client.queue(queueName(run, number)))
    this.#setup = setupHash(setup)
    const notice: RunNotice = {
      ...{ version: ownVersion(), setup: this.#setup, models: this.#models.map(({ model, format }) => ({ model, format })) },
      ...{ host: hostname(), started: new Date().toISOString() },
    }
    this.#notice = JSON.stringify(notice)
    this.#heartbeat = new Heartbeat(client, times, {
      lost: () => this.#books.giveUp(runInUse(run)),
      trouble: this.#trouble,
    })
    this.#reader = new AnswerReader(client, run, this.#books, {
      split: (job) => this.#again(this.#books.lost(job), true),
      trouble: this.#trouble,
    })
    this.#crews = new Crews(
      client.redis,
      this.#queues.map(({ name }) => name),
      options.waitForWorkers,
    )
  }

  static async open(options: CoordinateOptions): Promise<Coordinator> {
    const coordinator = new Coordinator(options)
    try {
      await coordinator.#open()
    } catch (error) {
      await coordinator.#heartbeat.stop()
      throw error
    }
    return coordinator
  }

  async #open(): Promise<void> {
    const { client, run, times } = this.#options
    const { redis } = client
    this.#lease = await acquireRun(redis, run, times, this.#trouble)
    this.#heartbeat.tell({ kind: 'lease', key: keys.coordinator(run), value: this.#lease })
    const before = (await readNotices(redis)).get(run)
    if (before && before.setup !== this.#setup) await this.#removeJobs()
    await this.#publish()
    // Their rows are awaited, not enqueued again.
    for await (const { id, queue, rows } of earlierJobs(this.#queues, this.#setup)) this.#books.enqueued(id, queue, rows)
    await this.#reader.readAll()
    this.#options.stop?.addEventListener('abort', this.#stopped, { once: true })
    const repeated: [number, () => Promise<void>][] = [
      [times.look, () => this.#lookForWorkers()],
      [times.look, () => this.#restore()],
      [times.check, () => this.#lookForJobs()],
      [settleEvery, () => this.#settle()],
      [times.look, () => this.#takeBack()],
    ]
    const { signal } = this.#closing
    this.#loops = [this.#reader.follow(), ...repeated.map(([every, work]) => repeatUntil(signal, every, work, this.#trouble))]
  }

  /** Makes the run known to workers. The set-up comes first: a worker reads it as soon as it sees the notice. */
  async #publish(): Promise<void> {
    const { client, run, setup } = this.#options
    await client.redis.set(keys.setup(run), JSON.stringify(setup))
    await client.redis.hset(keys.runs, run, this.#notice)
  }

  /** If Redis lost its data, or another one has its address, publishes the run again. Lost jobs are noticed one by one. */
  async #restore(): Promise<void> {
    const { client, run } = this.#options
    const given = [keys.runs, keys.setup(run), keys.answers(run), run]
    const lastRead = this.#reader.last
    const [notice, hasSetup, newest] = await runScript<[string, number, string]>(client.redis, inspectRun, given)
    this.#reader.check(newest, lastRead)
    if (notice === this.#notice && hasSetup === 1) return
    this.#trouble('the queue has lost this run: it is published again, and the rows that workers had are enqueued again')
    await this.#publish()
  }

  /** Unanswered rows are sent when the run is resumed. */
  readonly #stopped = () => {
    this.#removeJobs().catch((error: Error) => this.#trouble(describeProblem(error)))
    whenDisconnected(
      this.#options.client.redis,
      () => this.#books.leave(),
      () => this.#closing.signal.aborted,
    )
  }

  /** The number of a model's queue. */
  #numberOf(name: ModelName): number {
    return this.#models.findIndex((model) => isSameModel(model, name))
  }

  begin(pair: Pair, total: number | undefined): void {
    const queue = this.#numberOf(pair.name)
    this.#gathering.set(pair, { pair, queue, tasks: [], total, last: -1 })
  }

  async ask(pair: Pair, task: RowTask, check: AnswerCheck, onTokens?: OnTokens): Promise<RowAnswer | undefined> {
    if (this.#isStopping) return undefined
    const { answer, isNew } = this.#books.ask(pair, task, check, onTokens)
    const gathering = this.#gathering.get(pair)!
    gathering.last = Math.max(gathering.last, task.id)
    if (isNew) {
      gathering.tasks.push(task)
      if (gathering.tasks.length >= this.#sizeFor(gathering)) this.#enqueue(gathering)
      else gathering.timer ??= setTimeout(() => this.#enqueue(gathering), this.#patienceFor(gathering))
    }
    return answer
  }

  read(pair: Pair): void {
    const gathering = this.#gathering.get(pair)
    if (gathering) this.#enqueue(gathering)
  }

  room(model: ModelName): number {
    return inFlightLimit(this.#crews.of(this.#numberOf(model)))
  }

  onRoom(look: () => void): void {
    this.#looks.push(look)
  }

  /** A row's record was appended to its file. */
  recorded(key: string): void {
    this.#books.recorded(key)
  }

  /**
   * Shuts down. If `done`, removes the run from Redis. Otherwise answers that are not on disk stay there for the resumed run, and rows
   * that no worker has taken are taken back.
   */
  async close(isDone: boolean): Promise<readonly string[]> {
    const { client, run } = this.#options
    this.#closing.abort()
    this.#options.stop?.removeEventListener('abort', this.#stopped)
    for (const { timer } of this.#gathering.values()) clearTimeout(timer)
    this.#reader.stop()
    try {
      await withTimeout(5000, this.#leave(isDone))
    } catch (error) {
      this.#trouble(`the queue was not tidied up: ${describeProblem(error)}`)
    } finally {
      await this.#heartbeat.stop()
      await withTimeout(1000, releaseRun(client.redis, run, this.#lease)).catch(() => undefined)
      client.close()
      await withTimeout(1000, Promise.allSettled(this.#loops))
    }
    return this.#reader.remarks
  }

  async #leave(isDone: boolean): Promise<void> {
    await this.#settle()
    if (isDone) await removeRun(this.#options.client, this.#options.run, this.#queues)
    else await this.#removeJobs()
  }

  #sizeFor({ queue, total, last }: Gathering): number {
    const left = total === undefined ? Number.POSITIVE_INFINITY : Math.max(0, total - Math.floor(last / this.#options.shards) - 1)
    return jobSize(this.#crews.of(queue), left)
  }

  /** A job costs Redis, workers and this process more than a row: as long as workers have rows, jobs are filled. */
  #patienceFor({ queue }: Gathering): number {
    const { slots } = this.#crews.of(queue)
    return slots > 0 && this.#books.rowsIn(this.#queues[queue]!.name) >= 3 * slots ? gatherAtLeisure : gatherFor
  }

  #enqueue(gathering: Gathering): void {
    clearTimeout(gathering.timer)
    gathering.timer = undefined
    const { tasks, pair } = gathering
    gathering.tasks = []
    this.#put(pair, tasks, this.#sizeFor(gathering))
  }

  get #isStopping(): boolean {
    return this.#options.stop?.aborted ?? false
  }

  #put(pair: Pair, tasks: readonly RowTask[], size: number, isAlone = false): void {
    if (tasks.length === 0) return
    if (this.#isStopping) {
      this.#books.leave(tasks.map(({ key }) => key))
      return
    }
    const queue = this.#queues[this.#numberOf(pair.name)]!
    const { model, format, dataset } = pair.name
    const jobs = []
    for (let start = 0; start < tasks.length; start += size) {
      const rows = tasks.slice(start, start + size)
      const jobId = `${this.#name}-${this.#jobs++}`
      this.#books.enqueued(
        jobId,
        queue.name,
        rows.map(({ key }) => key),
      )
      const data = {
        setup: this.#setup,
        pair: { model, format, dataset },
        rows: packRows(rows, (shown) => this.#examples.of(shown)),
        ...(isAlone ? { alone: true } : {}),
      }
      jobs.push({ name: 'rows', data, opts: { jobId } })
    }
    // A lost job is detected as missing, and its rows are enqueued again.
    queue.addBulk(jobs).catch((error: Error) => this.#trouble(`jobs are not enqueued: ${describeProblem(error)}`))
  }

  #again(rows: readonly PendingRow[], isAlone: boolean): void {
    for (const [pair, wanted] of byPair(rows))
      this.#put(
        pair,
        wanted.map(({ task }) => task),
        1,
        isAlone,
      )
  }

  async #lookForWorkers(): Promise<void> {
    const waiting = new Map<number, string>()
    for (const { name } of this.#books.pairs) waiting.set(this.#numberOf(name), name.model)
    const seen = await this.#crews.look(waiting, performance.now(), (queue) => this.#books.answeredIn(queue))
    this.#options.onEvent({ kind: 'queue', ...seen })
    for (const look of this.#looks) look()
    if (seen.stops) this.#books.giveUp(seen.stops)
  }

  async #lookForJobs(): Promise<void> {
    const { client } = this.#options
    const known = this.#books.jobs
    if (known.length === 0) return
    const pipeline = client.redis.pipeline()
    for (const { id, queue } of known) pipeline.exists(this.#queues.find(({ name }) => name === queue)!.toKey(id))
    const found = (await pipeline.exec()) ?? []
    const { reads } = this.#reader
    for (const [index, { id }] of known.entries()) this.#again(this.#books.seen(id, found[index]?.[1] !== 0, reads), false)
  }

  /** While stopping, only waits for rows that a worker has taken: others may never be taken. */
  async #takeBack(): Promise<void> {
    if (!this.#isStopping) return
    const hasWorkers = this.#models.some((_, queue) => this.#crews.of(queue).workers > 0)
    if (!hasWorkers) {
      this.#books.leave()
      return
    }
    await this.#removeJobs()
    await this.#lookForJobs()
  }

  /** Removes answers from Redis once they are on disk. */
  async #settle(): Promise<void> {
    const { client, run, sync } = this.#options
    const entries = this.#books.takeRecorded()
    if (entries.length === 0) return
    await sync()
    for (let start = 0; start < entries.length; start += 1000) {
      await client.redis.xdel(keys.answers(run), ...entries.slice(start, start + 1000))
    }
  }

  async #removeJobs(): Promise<void> {
    for (const queue of this.#queues) await queue.drain(true)
  }
}
