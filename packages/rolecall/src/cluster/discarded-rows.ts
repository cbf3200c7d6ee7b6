/** After this many jobs with a row that comes out differently here, the worker refuses the run. */
const mostJobs = 10

/** Rows whose jobs are counted: a stranger may invent any number of keys. */
const mostRows = 1000

/**
 * Rows that come out differently on a worker that has answered others of the run. Their jobs are hardly the coordinator's, and are removed.
 * A row that keeps coming in new jobs is the coordinator's after all: removing its jobs would never end.
 */
export class DiscardedRows {
  readonly #jobs = new Map<string, Set<string>>()

  /** Whether a job with this row may be removed. */
  mayDiscard(key: string, job: string): boolean {
    const jobs = this.#jobs.get(key) ?? new Set()
    if (!this.#jobs.has(key) && this.#jobs.size >= mostRows) this.#jobs.delete(this.#jobs.keys().next().value!)
    this.#jobs.set(key, jobs.add(job))
    return jobs.size < mostJobs
  }
}
