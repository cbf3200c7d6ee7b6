import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for a promise with a timeout. Clears the timer, which would keep the process alive. */
export async function withTimeout(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  try {
    await Promise.race([work, sleep(milliseconds, undefined, { signal: over.signal }).catch(() => undefined)])
  } finally {
    over.abort()
  }
}
