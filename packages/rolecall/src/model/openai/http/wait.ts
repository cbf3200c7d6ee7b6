/** The clock, which tests replace. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  /** Rejects early when the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, given) =>
    new Promise((resolve, reject) => {
      if (given?.aborted) return reject(given.reason)
      // A derived signal: many may sleep at once, and Node reports many listeners on one signal as a leak.
      const signal = given && AbortSignal.any([given])
      const wake = () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }
      const timer = setTimeout(wake, milliseconds)
      const stop = () => {
        clearTimeout(timer)
        reject(signal!.reason)
      }
      signal?.addEventListener('abort', stop, { once: true })
    }),
}

/** Why a model waits, e.g. for a server's rate limit or before a retry; shown as progress. */
export type Wait = {
  /** For people: `rate limit`, `retry 2 of 6 (it answered 429)`. */
  reason: string
  milliseconds: number
  /** For programs; `server`: no server answers at the server's address; `batch`: a batch is being answered. */
  for: 'rate-limit' | 'retry' | 'server' | 'batch'
}

const first = 1000

/**
 * Exponential back-off with full jitter: requests that failed together are not retried together. `random` returns numbers from 0 up
 * to 1.
 *
 * @example
 * backoff(3, { longest: 60_000, random: () => 0.5 }) // => 4000
 */
export function backoff(attempt: number, { longest, random }: { longest: number; random: () => number }): number {
  return random() * Math.min(longest, first * 2 ** attempt)
}

/**
 * The milliseconds that a `Retry-After` header asks for, in seconds or as a date; undefined when it says neither.
 *
 * @example
 * retryAfter('Sun, 15 Nov 2026 10:00:30 GMT', Date.UTC(2026, 10, 15, 10)) // => 30000
 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
