import type { JavaScript, JavaScriptResult } from '../../../compat/promptfoo/call-javascript.ts'
import { KillableThread } from '../../killable-thread.ts'

export type JavaScriptQuestion = { javascript: JavaScript; args: readonly unknown[] }

/** The sandbox interrupts itself after 2 s, unless a single operation takes longer. */
const seconds = 5

let thread: KillableThread<undefined, JavaScriptQuestion, JavaScriptResult> | undefined

/** Calls a function of a config in the sandbox, in a thread that is stopped if it takes too long. */
export async function runInThread(javascript: JavaScript, args: readonly unknown[]): Promise<JavaScriptResult> {
  thread ??= new KillableThread({ script: 'node/interpreters/javascript/javascript-worker', megabytes: 256, begin: () => undefined })
  // The thread does not keep the process alive, and a command may wait for nothing else.
  const alive = setInterval(() => undefined, 60_000)
  const answer = await thread.ask(() => ({ javascript, args }), { client: 'config', seconds }).finally(() => clearInterval(alive))
  if (!('kind' in answer)) return answer
  return { problem: answer.reason === 'time' ? `it took more than ${seconds} s` : 'it needs more memory than it may have' }
}
