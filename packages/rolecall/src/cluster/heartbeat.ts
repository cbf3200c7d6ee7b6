import { Worker } from 'node:worker_threads'
import { withoutLogin } from './address.ts'
import { type BeatData, type BeatMessage, type BeatNews, beat } from './beat.ts'
import type { Times } from './protocol.ts'
import type { QueueClient } from './redis.ts'
import { describeProblem } from './report-problem.ts'
import { holdJobs } from './scripts.ts'

type Listeners = {
  /** Another process has taken the lease. */
  lost?: (key: string) => void
  trouble: (problem: string) => void
}

/**
 * A thread that renews locks and leases however busy this process is: a local model, a long template or an evaluator may block the event
 * loop for longer than a lock lasts. It is also the first to notice that Redis is down.
 */
export class Heartbeat {
  readonly #thread: Worker
  readonly #address: QueueClient['address']
  readonly #on: Listeners
  /** Fire and forget, batched with the next message: a lost lock is not renewed. */
  #dropped: BeatMessage[] = []
  readonly #onLostJob = new Map<string, () => void>()
  #isReady: () => void = () => {}
  /** Renewals have begun: on a busy machine the thread may start later than a lock expires. */
  readonly ready = new Promise<void>((resolve) => {
    this.#isReady = resolve
  })

  constructor({ address, library }: Pick<QueueClient, 'address' | 'library'>, { lock, beat: every }: Times, on: Listeners) {
    this.#address = address
    this.#on = on
    const workerData: BeatData = { library, url: address.url, lock, beat: every, extend: holdJobs.lua }
    this.#thread = new Worker(`(${beat.toString()})()`, { eval: true, workerData, execArgv: [] })
    this.#thread.on('message', (news: BeatNews) => this.#hear(news))
    // Without the thread, locks expire and jobs run again: wasteful, but not wrong.
    this.#thread.on('error', (error) => {
      this.#say(`locks are no longer renewed, and rows may be run twice: ${error.message}`)
      this.#isReady()
    })
    this.#thread.unref()
  }

  /** `onLost`: called if the lock of a held job expires and the job goes back to the queue. */
  tell(message: BeatMessage, onLost?: () => void): void {
    if (message.kind === 'hold' && onLost) this.#onLostJob.set(`${message.base}${message.job}`, onLost)
    if (message.kind === 'drop') {
      this.#onLostJob.delete(`${message.base}${message.job}`)
      this.#dropped.push(message)
    } else {
      this.#thread.postMessage([...this.#dropped, message])
      this.#dropped = []
    }
  }

  async stop(): Promise<void> {
    await this.#thread.terminate()
  }

  #hear(news: BeatNews): void {
    switch (news.kind) {
      case 'ready':
        this.#isReady()
        return
      case 'lost':
        this.#on.lost?.(news.key)
        return
      case 'lost-job': {
        const key = `${news.base}${news.job}`
        const onLost = this.#onLostJob.get(key)
        // If the job was taken again while this message was on its way, the thread renews the lock that is given up here.
        this.tell({ kind: 'drop', base: news.base, job: news.job })
        onLost?.()
        return
      }
      default:
        this.#say(this.#wordsFor(news))
    }
  }

  #wordsFor(news: Extract<BeatNews, { kind: 'refused' | 'silent' | 'again' }>): string {
    switch (news.kind) {
      case 'refused':
        return describeProblem(news.problem)
      case 'silent':
        return `the queue ${this.#address.shown} does not answer${news.problem === undefined ? '' : ` (${news.problem})`}: waiting for it`
      case 'again':
        return `the queue answers again, after ${Math.round(news.milliseconds / 1000)} s`
      default:
        return news satisfies never
    }
  }

  #say(problem: string): void {
    this.#on.trouble(withoutLogin(problem, this.#address))
  }
}
