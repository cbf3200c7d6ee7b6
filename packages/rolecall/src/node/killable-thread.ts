import { Worker } from 'node:worker_threads'
import { FairQueue } from './fair-queue.ts'
import { importScript } from './thread-script.ts'

/** Who asks, and until when the answer is wanted. */
export type ThreadTask = { client: string; signal?: AbortSignal | undefined; seconds: number }

/** The thread ended before it answered: the question took too much time or memory. */
export type Stopped = { kind: 'stopped'; reason: 'time' | 'memory' }

export type KillableThreadOptions<Held> = {
  /** Its path in `src`, without extension. The script posts `'ready'`, and then `{ id, answer }` for each `{ id, question }`. */
  script: string
  workerData?: unknown
  megabytes: number
  /** Environment variables; none by default, because threads do the work of strangers. */
  env?: Readonly<Record<string, string | undefined>>
  /** What a new thread holds, as far as the questions depend on it. */
  begin: () => Held
}

/** What a thread receives and posts. */
export type ThreadQuestion<Question> = { id: number; question: Question }
export type ThreadPost<Answer> = 'ready' | { id: number; answer: Answer }

/** How long an abandoned question may go on: restarting the thread takes about as long. */
const patience = 100

type Running<Held> = { worker: Worker; ready: Promise<void>; held: Held }

/**
 * A worker thread with separate memory for the work of strangers. One question at a time; clients take turns. A question that takes too
 * long, or whose client has gone, ends the thread, and the next question starts another.
 */
export class KillableThread<Held, Question, Answer> {
  readonly #options: KillableThreadOptions<Held>
  readonly #queue = new FairQueue(1)
  #running: Running<Held> | undefined
  #ids = 0

  constructor(options: KillableThreadOptions<Held>) {
    this.#options = options
  }

  /** What the current thread holds; undefined if none is running. */
  get held(): Held | undefined {
    return this.#running?.held
  }

  /** `question` is made when its turn has come, for the thread that answers it. */
  ask(question: (held: Held) => Question, task: ThreadTask): Promise<Answer | Stopped> {
    return this.#queue.run(() => this.#ask(question, task), task.signal, task.client)
  }

  /** Ends the thread. A question in progress fails. */
  async stop(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.worker.terminate()
  }

  async #ask(question: (held: Held) => Question, { signal, seconds }: ThreadTask): Promise<Answer | Stopped> {
    this.#running ??= this.#start()
    const { worker, ready, held } = this.#running
    // Start-up does not count against the time limit.
    await ready
    signal?.throwIfAborted()
    const id = this.#ids++
    return new Promise((resolve, reject) => {
      const started = performance.now()
      const settle = (work: () => void) => {
        clearTimeout(timer)
        worker.off('message', receive)
        worker.off('error', fail)
        worker.off('exit', end)
        signal?.removeEventListener('abort', leave)
        work()
      }
      const stop = (reason: Stopped['reason']) =>
        settle(() => {
          void this.stop()
          resolve({ kind: 'stopped', reason })
        })
      const receive = (post: ThreadPost<Answer>) => {
        if (post !== 'ready' && post.id === id) settle(() => resolve(post.answer))
      }
      const fail = (error: Error & { code?: string }) =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? stop('memory') : settle(() => void this.stop().then(() => reject(error)))
      const end = () => settle(() => reject(ended()))
      // The client has gone: short work is finished, so that clients that come and go do not restart the thread.
      const leave = () => {
        clearTimeout(timer)
        timer = setTimeout(() => stop('time'), Math.max(0, patience - (performance.now() - started)))
      }
      let timer = setTimeout(() => stop('time'), seconds * 1000)
      worker.on('message', receive)
      worker.on('error', fail)
      worker.on('exit', end)
      signal?.addEventListener('abort', leave, { once: true })
      worker.postMessage({ id, question: question(held) } satisfies ThreadQuestion<Question>)
    })
  }

  #start(): Running<Held> {
    const { script, workerData, megabytes, env = {}, begin } = this.#options
    const worker = new Worker(`${importScript(script)}.catch((error) => { setImmediate(() => { throw error }) })`, {
      eval: true,
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
      // Do not inherit flags of this process, such as a test loader.
      execArgv: [],
      env,
    })
    const ready = new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve())
      worker.once('error', reject)
      worker.once('exit', () => reject(ended()))
    })
    worker.on('error', () => undefined)
    ready.catch(() => undefined)
    worker.unref()
    const running = { worker, ready, held: begin() }
    worker.once('exit', () => {
      if (this.#running === running) this.#running = undefined
    })
    return running
  }
}

function ended(): Error {
  return new Error('the thread was stopped')
}
