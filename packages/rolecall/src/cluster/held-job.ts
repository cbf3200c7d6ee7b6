import type { RowTask } from '../evaluation/run/run-types.ts'
import type { Job } from './client-types.ts'
import type { JobData } from './protocol.ts'

/** A job that a worker has taken. */
export type HeldJob = {
  job: Job<JobData>
  token: string
  /** Rows that are neither in flight nor answered. */
  waiting: RowTask[]
  underWay: number
  /** Rows whose answers are not yet in Redis, including those in flight. */
  left: number
  /** The keys of rows that wait or were sent. */
  known: Set<string>
  /** It went back to the queue; its rows in flight are still answered. */
  isLost: boolean
}

/** The rows of the jobs that a worker holds, in order of arrival. */
export class HeldJobs {
  readonly #jobs = new Map<string, HeldJob>()
  underWay = 0

  get waiting(): number {
    let rows = 0
    for (const { waiting } of this.#jobs.values()) rows += waiting.length
    return rows
  }

  get all(): readonly HeldJob[] {
    return [...this.#jobs.values()]
  }

  add(job: Job<JobData>, token: string, rows: readonly RowTask[]): HeldJob {
    const known = new Set(rows.map(({ key }) => key))
    const held: HeldJob = { job, token, waiting: [...rows], underWay: 0, left: rows.length, known, isLost: false }
    this.#jobs.set(job.id!, held)
    return held
  }

  /** The job, if this worker holds it: its lock had expired, and it was taken again while its rows are in flight. */
  get({ id }: Job<JobData>): HeldJob | undefined {
    return this.#jobs.get(id!)
  }

  /** The job went back to the queue: rows that were not sent are left to the worker that takes it. Returns how many. */
  lose(held: HeldJob): number {
    held.isLost = true
    const rows = held.waiting.splice(0)
    for (const { key } of rows) held.known.delete(key)
    return rows.length
  }

  /** Adds rows of a job that was lost and taken again. */
  regain(held: HeldJob, rows: readonly RowTask[]): void {
    held.isLost = false
    held.waiting.push(...rows)
    held.left += rows.length
    for (const { key } of rows) held.known.add(key)
  }

  /** Whether one of them must run alone: no other job is taken meanwhile. */
  get hasAlone(): boolean {
    for (const { job } of this.#jobs.values()) if (job.data.alone) return true
    return false
  }

  /** The next row to send; a row that must run alone waits until no other is held. */
  start(): { held: HeldJob; task: RowTask } | undefined {
    for (const held of this.#jobs.values()) {
      if (held.waiting.length === 0) continue
      if (held.job.data.alone && this.#jobs.size > 1) return undefined
      const task = held.waiting.shift()!
      held.underWay++
      this.underWay++
      return { held, task }
    }
    return undefined
  }

  /** A row is no longer in flight. */
  end(held: HeldJob): void {
    held.underWay--
    this.underWay--
  }

  remove({ job }: Pick<HeldJob, 'job'>): void {
    this.#jobs.delete(job.id!)
  }
}
