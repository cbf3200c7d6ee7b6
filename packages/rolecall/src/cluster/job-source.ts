import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from './client-types.ts'
import type { JobData, Times } from './protocol.ts'
import { type JobTaker, type QueueClient, runScript } from './redis.ts'
import { describeProblem } from './report-problem.ts'
import { holdJobs } from './scripts.ts'

/** Milliseconds before a command that Redis refused is tried again. */
const pause = 500

/** The jobs of a queue, taken one after the other until `end`. */
export class JobSource {
  /** What locks the jobs taken here. */
  readonly token = randomUUID()
  readonly #client: QueueClient
  readonly #times: Times
  readonly #taker: JobTaker
  readonly #over: Promise<undefined>
  #endTaking: () => void = () => {}
  /** The blocking command that waits for the next job. */
  #taking: Promise<Job<JobData> | undefined> = Promise.resolve(undefined)
  #checking: NodeJS.Timeout | undefined

  constructor(client: QueueClient, queue: string, times: Times) {
    this.#client = client
    this.#times = times
    this.#taker = client.taker(queue, times)
    this.#over = new Promise((resolve) => {
      this.#endTaking = () => resolve(undefined)
    })
  }

  /** Checks for jobs whose lock has expired, from when `ready` is settled. */
  async start(ready: Promise<unknown>): Promise<void> {
    await Promise.race([ready, this.#over])
    // BullMQ's own timer ends at the first failure, e.g. if Redis is out of memory, so it is restarted here.
    const check = () => void this.#taker.startStalledCheckTimer().catch(() => undefined)
    check()
    this.#checking = setInterval(check, this.#times.check)
  }

  /** The next job; undefined after `stop`, or if the queue cannot be read now. */
  async next(onTrouble: (problem: string) => void): Promise<Job<JobData> | undefined> {
    this.#taking = this.#taker.getNextJob(this.token, { block: true })
    try {
      return await Promise.race([this.#taking, this.#over])
    } catch (error) {
      onTrouble(describeProblem(error))
      await sleep(pause)
      return undefined
    }
  }

  /** Ends the waiting for a job. */
  stop(): void {
    this.#endTaking()
  }

  /** Leaves the queue. A job may arrive at the moment of stopping. */
  async end(isHeld: (job: Job<JobData>) => boolean): Promise<void> {
    clearInterval(this.#checking)
    const closing = this.#taker.close(true).catch(() => undefined)
    const late = await this.#taking.catch(() => undefined)
    if (late && !isHeld(late)) await this.giveBack(late)
    await closing
  }

  /** Releases a job without waiting for its lock to expire. */
  async giveBack(job: Job<JobData>): Promise<void> {
    await job.moveToWait(this.token).catch(() => undefined)
  }

  /** Releases a job for which Redis refused a command, perhaps because it is out of memory: this worker may take it again. */
  async giveBackLater(job: Job<JobData>): Promise<void> {
    await this.giveBack(job)
    await sleep(pause)
  }

  /**
   * Whether a job went back to the queue before this busy process had its reply: another worker takes it, or this one again. As long as
   * it has not, an expired lock is acquired again: otherwise the job would go back, as if a worker had died of it.
   */
  async isLate({ id, processedOn }: Job<JobData>): Promise<boolean> {
    if (processedOn === undefined || Date.now() - processedOn < this.#times.lock / 2) return false
    const lost = await runScript<number[]>(this.#client.redis, holdJobs, [this.keyOf(''), this.#times.lock, id!, this.token])
    return lost.length > 0
  }

  keyOf(job: string): string {
    return this.#taker.toKey(job)
  }
}
