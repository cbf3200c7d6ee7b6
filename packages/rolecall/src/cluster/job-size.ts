/** The workers of a model: how many, their concurrent rows, and how many rows they answer in a second. */
export type Crew = { workers: number; slots: number; rate: number }

export const noCrew: Crew = { workers: 0, slots: 0, rate: 0 }

/** Maximum rows per job, whatever the number of workers: a job is serialised, sent and retried as a whole. */
const mostRows = 64

/** Rows enqueued before any worker has been seen. */
const firstRoom = 64

/** Maximum rows that fast answers alone keep enqueued. */
const mostRoom = 2048

/** Seconds of work in a job, and in the queue. Jobs cost more than rows if answers are fast; half a second still balances the load. */
const jobSeconds = 0.5
const roomSeconds = 1.5

/**
 * The number of rows of a model to keep enqueued: three times what workers process concurrently, or what they answer in a moment, so that
 * none waits for the coordinator. Maximum number of rows the coordinator holds.
 */
export function inFlightLimit({ slots, rate }: Crew): number {
  return Math.max(firstRoom, 3 * slots, Math.min(mostRoom, Math.round(roomSeconds * rate)))
}

/**
 * The number of rows of the next job: as many as a worker processes concurrently, or in half a second, and at most its share of half of the
 * remaining rows. Jobs thus shrink to single rows towards the end, and the run does not wait for one worker with many rows.
 *
 * @example
 * jobSize({ workers: 2, slots: 32, rate: 6 }, 10_000) // => 16
 * jobSize({ workers: 2, slots: 8, rate: 200 }, 10_000) // => 50
 * jobSize({ workers: 2, slots: 32, rate: 6 }, 40) // => 1
 */
export function jobSize({ workers, slots, rate }: Crew, left: number): number {
  if (slots === 0) return 1
  const each = Math.max(1, workers)
  const wanted = Math.max(Math.ceil(slots / each), Math.round((jobSeconds * rate) / each))
  return Math.max(1, Math.min(mostRows, wanted, Math.ceil(left / (2 * slots))))
}

/**
 * The number of rows a worker prefetches beyond its concurrency: enough to cover the latency of the next job, which matters only if
 * answers are fast. If they are slow, another worker should take the row.
 *
 * @example
 * prefetchCount(16, 2) // => 16
 * prefetchCount(16, 1000) // => 0
 */
export function prefetchCount(slots: number, millisecondsPerRow: number): number {
  return Math.min(slots, Math.round((slots * takesToCome) / Math.max(1, millisecondsPerRow)))
}

const takesToCome = 25
