/** Time, as it passes or as a test wants it. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  /** Ends early, with an error, when the signal is given. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, given) =>
    new Promise((resolve, reject) => {
      if (given?.aborted) return reject(given.reason)
      // A signal of its own: many may sleep at once, and many listeners on one signal are taken for a leak.
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

/** What a model waits for, e.g. a server's rate limit or the next try of a request; progress shows it. */
export type Wait = {
  /** For people: `rate limit`, `retry 2 of 6 (it answered 429)`. */
  reason: string
  milliseconds: number
  /** For programs; `server`: no server answers at the server's address. */
  for: 'rate-limit' | 'retry' | 'server'
}

const first = 1000

/**
 * How long to wait before a request is sent again: any time up to a limit that doubles (full jitter), so that those who
 * failed together do not come back together. `random` gives numbers from 0 up to 1.
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
