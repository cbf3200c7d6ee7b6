import { setTimeout as sleep } from 'node:timers/promises'
import { describeProblem } from './report-problem.ts'

/** Does something at an interval in milliseconds until `signal` is aborted. Failures are reported, and it goes on. */
export async function repeatUntil(
  signal: AbortSignal,
  every: number,
  work: () => Promise<void>,
  onTrouble: (problem: string) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work()
    } catch (error) {
      if (!signal.aborted) onTrouble(describeProblem(error))
    }
    await sleep(every, undefined, { ref: false, signal }).catch(() => undefined)
  }
}
