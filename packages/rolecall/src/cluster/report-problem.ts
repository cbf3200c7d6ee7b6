import { PromptError } from '@rolecall/core/internal/errors'

/** Redis error codes, and what they mean for a run. */
const meanings: readonly [said: RegExp, means: string][] = [
  [
    /^OOM\b/,
    'the queue is full (maxmemory): nothing is lost, and what it does not take is sent again and again; raise maxmemory, or remove what else is in it',
  ],
  [/^MISCONF\b/, 'the queue cannot write to its disk (MISCONF): nothing is lost, and what it does not take is sent again; make room there'],
  [/^READONLY\b/, 'the queue is a replica, which takes nothing (READONLY): name the primary server'],
  [/^NOPERM\b/, 'the login of the queue may not use all commands (NOPERM): allow it those on keys that begin with rolecall:'],
  [/^LOADING\b/, 'the queue is reading its file after a start (LOADING): waiting for it'],
]

/** Describes an error of Redis or of the connection to it. */
export function describeProblem(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return meanings.find(([said]) => said.test(message))?.[1] ?? message
}

/** An unexpected error of a worker. */
export function workerFailure(queue: string, error: unknown): PromptError {
  const { message = String(error), stack = message } = error instanceof Error ? error : {}
  const problem = process.env.DEBUG ? stack : message
  return new PromptError('worker-failed', {
    where: queue,
    problem,
    fix: 'DEBUG=1 shows where it happened; please report it if it is a bug in Rolecall',
  })
}

/** Reports the same problem once a minute at most. */
export function problemReporter(tell: (problem: string) => void): (problem: string) => void {
  const reportedAt = new Map<string, number>()
  return (problem) => {
    const now = performance.now()
    if (now - (reportedAt.get(problem) ?? Number.NEGATIVE_INFINITY) < 60_000) return
    reportedAt.set(problem, now)
    tell(problem)
  }
}
