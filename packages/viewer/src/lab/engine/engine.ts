import type { Answers, Problem, Question } from './contract.ts'

/** A question that could not be answered, with what helps. */
export class EngineError extends Error {
  override readonly name = 'EngineError'

  constructor(readonly problem: Problem) {
    super(problem.problem)
  }
}

type Waiting = { resolve: (answer: never) => void; reject: (error: Error) => void; timer: ReturnType<typeof setTimeout> }

/** Templates come from strangers: one that takes longer is stopped. */
const mostSeconds = 5

let worker: Worker | undefined
let last = 0
let isLoaded = false
const waiting = new Map<number, Waiting>()

/** Asks the engine. Its worker starts with the first question, and again after one that did not end. */
export function ask<Kind extends Question['kind']>(question: Question & { kind: Kind }, seconds = mostSeconds): Promise<Answers[Kind]> {
  worker ??= started()
  const id = ++last
  return new Promise((resolve, reject) => {
    // Loading the code counts for the first answer only.
    const timer = setTimeout(() => stopAll(`it took more than ${seconds} s, and was stopped`), (isLoaded ? seconds : 60) * 1000)
    waiting.set(id, { resolve: resolve as (answer: never) => void, reject, timer })
    worker?.postMessage({ id, question })
  })
}

function started(): Worker {
  const made = new Worker(new URL('./lab-worker.js', document.baseURI), { type: 'module' })
  made.addEventListener('message', ({ data }: MessageEvent<{ id: number; answer?: unknown; problem?: Problem }>) => {
    isLoaded = true
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    clearTimeout(asked?.timer)
    if (data.problem) asked?.reject(new EngineError(data.problem))
    else asked?.resolve(data.answer as never)
  })
  made.addEventListener('error', () => stopAll('the engine failed to load'))
  return made
}

/** The worker cannot be interrupted, so that all its questions end with it. */
function stopAll(problem: string): void {
  worker?.terminate()
  worker = undefined
  // The next worker loads its code and the vocabularies again, which counts for its first answer only.
  isLoaded = false
  const error = new EngineError({
    where: 'chat_template',
    problem,
    fix: 'change the template, or the last thing you typed',
    code: 'template-limit',
  })
  for (const [id, { reject, timer }] of waiting) {
    clearTimeout(timer)
    waiting.delete(id)
    reject(error)
  }
}
