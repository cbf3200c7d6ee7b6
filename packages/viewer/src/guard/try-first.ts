import { limits, PromptError } from '@rolecall/core/internal/errors'
import type { Trial } from './trial.ts'

export { isForeign, rowTrial } from './trial.ts'

let worker: Worker | undefined
let last = 0
let previous: Promise<unknown> = Promise.resolve()

type TryOptions = {
  seconds?: number
  /** Once aborted, a trial that has not started is skipped: the page shows something else by now. */
  signal?: AbortSignal
}

/** Renders in a worker first and throws if that takes too long, because the page itself could not be stopped. One trial at a time. */
export function tryFirst(trial: Trial, { seconds = limits.templateSeconds, signal }: TryOptions = {}): Promise<void> {
  const tried = previous.then(() => {
    signal?.throwIfAborted()
    return tryNow(trial, seconds)
  })
  previous = tried.catch(() => undefined)
  return tried
}

function tryNow(trial: Trial, seconds: number): Promise<void> {
  worker ??= new Worker(new URL('./trial-worker.ts', import.meta.url), { type: 'module' })
  const own = worker
  const id = ++last
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer)
      own.removeEventListener('message', hear)
      own.removeEventListener('error', fail)
      settle()
    }
    const hear = ({ data }: MessageEvent<number>) => data === id && end(resolve)
    const stop = (problem: string) => {
      own.terminate()
      if (worker === own) worker = undefined
      const fix = 'look at the template: `rolecall list formats` tries it, too'
      end(() => reject(new PromptError('template-limit', { where: 'chat_template', problem, fix })))
    }
    const fail = () => stop('the worker that tries chat templates first failed')
    const timer = setTimeout(() => stop(`to render it took more than ${seconds} s, and it was stopped`), seconds * 1000)
    own.addEventListener('message', hear)
    own.addEventListener('error', fail)
    own.postMessage({ id, trial })
  })
}
