import { PromptError } from '@rolecall/core/internal/errors'
import { addTokens, isAny, noTokens } from '../evaluation/run/record/cost.ts'
import type { ModelName } from '../evaluation/run/record/pair-name.ts'
import type { RowTask } from '../evaluation/run/run-types.ts'
import { stopsRun } from '../model/language-model/stops-run.ts'
import { AnswerSender } from './answer-sender.ts'
import type { Job } from './client-types.ts'
import { DiscardedRows } from './discarded-rows.ts'
import type { Heartbeat } from './heartbeat.ts'
import { type HeldJob, HeldJobs } from './held-job.ts'
import { prefetchCount } from './job-size.ts'
import { JobSource } from './job-source.ts'
import { packAnswer, type SentAnswer } from './pack-answer.ts'
import { ExampleLists, unpackRows } from './pack-rows.ts'
import { poisonRowError } from './pending-rows.ts'
import { type PreparedModel, type PrepareOptions, prepareModel, readSetup } from './prepare-run.ts'
import { type JobData, jobSchema, keys, type RunNotice, type Taking, type Times } from './protocol.ts'
import type { QueueClient } from './redis.ts'
import { workerFailure } from './report-problem.ts'
import { retryUntilStopped } from './retry-until-stopped.ts'
import { RowRate } from './row-rate.ts'
import { SharedSlots } from './shared-slots.ts'

/** After a job has killed this many workers, each of its rows is sent alone; a row that kills as many again fails. */
const mostDeaths = 3

export type ConsumerOptions = {
  client: QueueClient
  heartbeat: Heartbeat
  times: Times
  run: string
  queue: string
  model: ModelName
  notice: RunNotice
  /** Concurrent rows, shared with other runs of the model; as many as the model serves by default. */
  slots?: SharedSlots | undefined
  prepare: Omit<PrepareOptions, 'workers' | 'signal'>
  onTrouble: (problem: string) => void
}

/** Takes the jobs of one model of a run, sends their rows to the model, and returns the answers, until stopped or refusing. */
export class JobConsumer {
  readonly #options: ConsumerOptions
  readonly #held = new HeldJobs()
  readonly #slots: ReturnType<SharedSlots['join']>
  readonly #startRows: () => void
  readonly #sender: AnswerSender
  readonly #source: JobSource
  readonly #abort = new AbortController()
  readonly #examples = new ExampleLists()
  #model: PreparedModel | undefined
  #isStopping = false
  /** Whether a row has come out here as at the coordinator. */
  #hasMatched = false
  readonly #discarded = new DiscardedRows()
  #refusal: PromptError | undefined
  #waiters: (() => void)[] = []
  #millisecondsPerRow = 1000
  #done = 0
  #failed = 0
  readonly #rate = new RowRate()
  /** Jobs being dequeued: if dropped, they would count as another death of a worker. */
  readonly #completing = new Set<Promise<void>>()
  readonly ended: Promise<void>

  constructor(options: ConsumerOptions) {
    this.#options = options
    const { client, queue, times, run, slots = new SharedSlots(() => this.#model?.slots ?? 0) } = options
    this.#startRows = () => slots.fill()
    this.#slots = slots.join({ start: () => this.#startRow(), isBusy: () => this.#held.underWay + this.#held.waiting > 0 })
    this.#source = new JobSource(client, queue, times)
    this.#sender = new AnswerSender(client.redis, run, {
      jobKey: (job) => this.#source.keyOf(job),
      sent: (held, rows) => this.#sent(held, rows),
      trouble: options.onTrouble,
    })
    this.ended = this.#work()
  }

  get status(): Taking {
    const refusal = this.#refusal
    return {
      slots: refusal ? 0 : this.#slots.share(),
      underWay: this.#held.underWay,
      done: this.#done,
      failed: this.#failed,
      rate: this.#rate.after(this.#done),
      ...(refusal
        ? { refuses: { text: refusal.message, code: refusal.code, where: refusal.where, problem: refusal.problem, fix: refusal.fix } }
        : {}),
    }
  }

  get refusal(): PromptError | undefined {
    return this.#refusal
  }

  /** Stops: takes no more jobs, finishes the rows in flight and releases the others; with `now`, aborts the rows in flight as well. */
  stop(now = false): Promise<void> {
    this.#isStopping = true
    if (now) this.#abort.abort()
    this.#source.stop()
    this.#wake()
    return this.ended
  }

  async #work(): Promise<void> {
    try {
      this.#model = await this.#prepare()
      // A job whose lock is not renewed is taken by another worker, too.
      await this.#source.start(this.#options.heartbeat.ready)
      await this.#takeAll()
    } catch (error) {
      this.#refuse(error)
    }
    await this.#source.end((job) => this.#held.get(job)?.isLost === false)
    this.#slots.leave()
    while (this.#held.underWay > 0) await this.#oneEnds()
    await this.#giveBack()
    await Promise.all(this.#completing)
    await this.#model?.close().catch(() => undefined)
  }

  async #prepare(): Promise<PreparedModel> {
    const { client, run, notice, model, prepare, slots, times } = this.#options
    const setup = await readSetup(client.redis, run, notice.setup, times, () => this.#isOver())
    return prepareModel(setup, model, run, {
      ...prepare,
      signal: this.#abort.signal,
      ...(slots === undefined ? {} : { workers: slots.limit }),
    })
  }

  async #takeAll(): Promise<void> {
    while (!this.#isOver()) {
      const share = this.#slots.share()
      const isFull = this.#held.underWay + this.#held.waiting >= share + prefetchCount(share, this.#millisecondsPerRow)
      if (isFull || this.#held.hasAlone) {
        await this.#oneEnds()
        continue
      }
      const job = await this.#source.next(this.#options.onTrouble)
      if (job) await this.#begin(job).catch((error: Error) => this.#letGo(job, error))
    }
  }

  async #letGo(job: Job<JobData>, { message }: Error): Promise<void> {
    this.#options.onTrouble(message)
    this.#drop(job)
    await this.#source.giveBackLater(job)
  }

  /** Forgets a job, whose lock is no longer renewed. */
  #drop(job: Job<JobData>): void {
    this.#held.remove({ job })
    this.#options.heartbeat.tell({ kind: 'drop', job: job.id!, base: this.#source.keyOf('') })
  }

  #isOver(): boolean {
    return this.#isStopping || this.#refusal !== undefined
  }

  async #begin(job: Job<JobData>): Promise<void> {
    const { client, run, notice, heartbeat } = this.#options
    if (await this.#source.isLate(job)) return
    let isLost = false
    const lost = () => {
      isLost = true
      this.#lose(job)
    }
    heartbeat.tell({ kind: 'hold', job: job.id!, base: this.#source.keyOf(''), token: this.#source.token }, lost)
    let rows: RowTask[]
    try {
      const data = jobSchema.parse(job.data)
      if (data.setup !== notice.setup) throw new Error('it is of another set-up')
      rows = unpackRows(data.rows, (text) => this.#examples.read(text))
    } catch (error) {
      // An invalid job is removed: the coordinator notices if it was its own, and enqueues the rows again.
      this.#options.onTrouble(`a job that cannot be read was removed: ${(error as Error).message}`)
      this.#failed++
      this.#drop(job)
      await job.moveToFailed(error as Error, this.#source.token).catch(() => undefined)
      return
    }
    const before = this.#held.get(job)
    if (before) rows = rows.filter(({ key }) => !before.known.has(key))
    if (job.attemptsStarted > 1 && rows.length > 0) {
      const done = new Set(await client.redis.smembers(keys.done(run, job.id!)))
      rows = rows.filter(({ key }) => !done.has(key))
    }
    if (isLost) return
    if (before && this.#held.get(job) === before) {
      this.#held.regain(before, rows)
      this.#startRows()
      return
    }
    const held = this.#held.add(job, this.#source.token, rows)
    if (rows.length === 0) await this.#complete(held)
    else if (job.stalledCounter >= mostDeaths) await this.#disarm(held)
    else this.#startRows()
  }

  /** Another worker may take the job: it also sends the rows in flight again, but those that wait are left to it. */
  #lose(job: Job<JobData>): void {
    const held = this.#held.get(job)
    const rows = held ? this.#held.lose(held) : 0
    if (rows > 0) this.#release(held!, rows)
    this.#wake()
  }

  /** A job that has killed several workers is not retried as a whole. */
  async #disarm(held: HeldJob): Promise<void> {
    const { client, run } = this.#options
    if (held.job.data.alone) {
      for (const row of held.waiting.splice(0)) this.#send(held, row, { error: poisonRowError(row.id, held.job.stalledCounter) })
      return
    }
    const split = () => client.redis.xadd(keys.answers(run), '*', 'split', held.job.id!)
    if (await retryUntilStopped(client.redis, split, this.#options.onTrouble)) await this.#complete(held)
  }

  #startRow(): boolean {
    const next = this.#isOver() ? undefined : this.#held.start()
    if (!next) return false
    void this.#ask(next.held, next.task).finally(() => {
      this.#held.end(next.held)
      this.#slots.end()
      this.#wake()
    })
    return true
  }

  async #ask(held: HeldJob, task: RowTask): Promise<void> {
    const started = performance.now()
    const paid = noTokens()
    try {
      const { pair } = held.job.data
      const asker = this.#model!.askerOf(pair)
      if (!asker)
        throw new PromptError('other-config', {
          where: pair.dataset,
          problem: 'the run’s config has no such pair',
          fix: 'start the coordinator again',
        })
      const answer = await asker.ask(task, (tokens) => addTokens(paid, tokens))
      if (!answer) return
      this.#hasMatched = true
      this.#send(held, task, { answer })
      this.#millisecondsPerRow += (performance.now() - started - this.#millisecondsPerRow) / 8
    } catch (error) {
      if (this.#abort.signal.aborted) return
      // A different config or tokenizer would affect every row: after a row that matched, the job is hardly the coordinator's.
      const isOther = error instanceof PromptError && /^other-(key|config)$/.test(error.code)
      if (isOther && this.#hasMatched && this.#discarded.mayDiscard(task.key, held.job.id!)) return this.#discard(held, error)
      // An error that affects every row is this worker's, and not recorded for the row.
      if (error instanceof PromptError && !stopsRun(error)) this.#send(held, task, { error, ...(isAny(paid) ? { tokens: paid } : {}) })
      else this.#refuse(error)
    }
  }

  #send(held: HeldJob, { key }: RowTask, sent: SentAnswer): void {
    if ('error' in sent) this.#failed++
    this.#sender.add(held, key, packAnswer(sent))
  }

  /** A job that cannot be the coordinator's ends without answers; if it was, the coordinator finds it missing and enqueues its rows again. */
  #discard(held: HeldJob, { message }: PromptError): void {
    this.#options.onTrouble(`a job was removed, because one of its rows is not of this run: ${message}`)
    this.#failed++
    this.#release(held, 1 + held.waiting.splice(0).length)
  }

  #sent(held: HeldJob, rows: number): void {
    this.#done += rows
    this.#release(held, rows)
  }

  #release(held: HeldJob, rows: number): void {
    held.left -= rows
    if (held.left > 0) return
    const completing = this.#complete(held).finally(() => this.#completing.delete(completing))
    this.#completing.add(completing)
  }

  async #complete(held: HeldJob): Promise<void> {
    const { client, run } = this.#options
    const { job, isLost } = held
    // A lost job is completed by the worker that takes it: perhaps this one, which is about to begin it again.
    if (isLost) this.#held.remove(held)
    else {
      this.#drop(job)
      await job
        .moveToCompleted('', this.#source.token, false)
        .then(() => client.redis.del(keys.done(run, job.id!)))
        .catch(() => undefined)
    }
    // A row that must run alone may be the only one left.
    this.#startRows()
    this.#wake()
  }

  /** Releases unanswered rows without waiting for a lock to expire. */
  async #giveBack(): Promise<void> {
    await this.#sender.flush()
    for (const held of this.#held.all) {
      if (held.left === 0) continue
      this.#drop(held.job)
      await this.#source.giveBack(held.job)
    }
  }

  #refuse(error: unknown): void {
    this.#refusal ??= error instanceof PromptError ? error : workerFailure(this.#options.queue, error)
    this.#source.stop()
    this.#wake()
  }

  #oneEnds(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve))
  }

  #wake(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const resolve of waiters) resolve()
  }
}
