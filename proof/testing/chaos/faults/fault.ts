import { setTimeout as sleep } from 'node:timers/promises'
import type { Process } from '../../queued-run.ts'
import { recorded, type Stage } from './stage.ts'

export type Fault = {
  name: string
  /** The guarantee under test. */
  holds: string
  /** Provokes the fault; throws if the guarantee is violated. Returns a summary. */
  attempt(stage: Stage, options: FaultOptions): Promise<string>
  /** Starts many processes. */
  isLong?: true
  /** The missing requirement, if any. */
  lacks?: (() => string | undefined) | undefined
}

export type FaultOptions = {
  /** Seconds that a worker is suspended. */
  stop: number
  /** Seconds that the queue is unreachable. */
  partition: number
}

/** Checks that the run succeeded: every row recorded once, as without a queue, and at most `most` requests repeated. */
export async function finished(stage: Stage, coordinator: Process, folder: string, atMost: number): Promise<void> {
  const code = await Promise.race([coordinator.ended, sleep(600_000, 'not in ten minutes', { ref: false })])
  expectTrue(code === 0, `the run ends: ${code} ${coordinator.said().slice(-1500)}`)
  expectTrue(recorded(folder) === stage.expected, 'records are those of a run without a queue')
  expectTrue(stage.repeated() <= atMost, `${stage.repeated()} asked again, and ${atMost} at most were under way`)
}

export function lastNotes({ said }: Process): string {
  const notes = said()
    .split('\n')
    .filter((line) => /note|refused|another coordinator/.test(line))
  return notes.slice(-3).join(' | ') || '(nothing)'
}

export function expectTrue(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`expected: ${what}`)
}
