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
