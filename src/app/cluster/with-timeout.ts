import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for something, and no longer than this. The timer is gone afterwards: one that is left would keep the process from ending. */
export async function withTimeout(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  try {
    await Promise.race([work, sleep(milliseconds, undefined, { signal: over.signal }).catch(() => undefined)])
  } finally {
    over.abort()
  }
}
