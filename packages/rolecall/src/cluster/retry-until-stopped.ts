import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from './redis.ts'
import { describeProblem } from './report-problem.ts'

/** Retries until Redis accepts it, even if it is out of memory or down for a while. False if the connection was closed because this process exits. */
export async function retryUntilStopped(
  redis: Redis,
  work: () => Promise<unknown>,
  onTrouble: (problem: string) => void,
): Promise<boolean> {
  for (let wait = 100; ; wait = Math.min(2000, 2 * wait)) {
    try {
      await work()
      return true
    } catch (error) {
      onTrouble(describeProblem(error))
      if (redis.status === 'end') return false
      await sleep(wait)
    }
  }
}
