import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from './redis.ts'
import { describeProblem } from './report-problem.ts'

/** Does something until Redis takes it, be it full or away for a while. False: the connection was closed for good, since this process ends. */
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
