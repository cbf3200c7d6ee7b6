/** The workers of a model. */
export type Crew = { workers: number; slots: number }

/** Maximum rows per job, whatever the number of workers: a job is serialised, sent and retried as a whole. */
const mostRows = 64

/** Rows enqueued before any worker has been seen. */
const firstRoom = 64

/**
 * The number of rows of a model to keep enqueued: three times what workers process concurrently, so that none waits for the coordinator.
 * Maximum number of rows the coordinator holds.
 */
export function inFlightLimit({ slots }: Crew): number {
  return Math.max(firstRoom, 3 * slots)
}

/**
 * The number of rows of the next job: as many as a worker processes concurrently, and at most its share of half of the remaining rows.
 * Jobs thus shrink to single rows towards the end, and the run does not wait for one worker with many rows.
 *
 * @example
 * jobSize({ workers: 2, slots: 32 }, 10_000) // => 16
 * jobSize({ workers: 2, slots: 32 }, 40) // => 1
 */
export function jobSize({ workers, slots }: Crew, left: number): number {
  if (slots === 0) return 1
  const atOnce = Math.ceil(slots / Math.max(1, workers))
  return Math.max(1, Math.min(mostRows, atOnce, Math.ceil(left / (2 * slots))))
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
