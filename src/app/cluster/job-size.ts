/** The workers of a model. */
export type Crew = { workers: number; slots: number }

/** However many workers there are, a job is not larger: it is written, sent and taken again as a whole. */
const mostRows = 64

/** So many rows wait for a crew that has not been seen yet. */
const firstRoom = 64

/**
 * How many rows of a model may be under way: those that workers ask and as many again twice, so that none waits for the coordinator.
 * The coordinator holds no more rows than that, however many there are.
 */
export function inFlightLimit({ slots }: Crew): number {
  return Math.max(firstRoom, 3 * slots)
}

/**
 * How many rows the next job has: as many as a worker asks at once, and at most its share of half of what is left. So jobs become
 * smaller towards the end, down to single rows, and nobody waits for a worker that has just taken many.
 *
 * @example
 * chunkSize({ workers: 2, slots: 32 }, 10_000) // => 16
 * chunkSize({ workers: 2, slots: 32 }, 40) // => 1
 */
export function jobSize({ workers, slots }: Crew, left: number): number {
  if (slots === 0) return 1
  const atOnce = Math.ceil(slots / Math.max(1, workers))
  return Math.max(1, Math.min(mostRows, atOnce, Math.ceil(left / (2 * slots))))
}

/**
 * How many rows a worker holds beyond those that it asks: enough for the time that the next job takes to come, which matters only
 * where answers are fast. Where they are slow, a row that waits here is better asked by somebody else.
 *
 * @example
 * rowsAhead(16, 2) // => 16
 * rowsAhead(16, 1000) // => 0
 */
export function prefetchCount(slots: number, millisecondsPerRow: number): number {
  return Math.min(slots, Math.round((slots * takesToCome) / Math.max(1, millisecondsPerRow)))
}

const takesToCome = 25
