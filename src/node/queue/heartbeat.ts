import { Worker } from 'node:worker_threads'
import { type BeatData, type BeatMessage, type BeatNews, beat } from './beat.ts'
import type { Times } from './protocol.ts'
import type { QueueClient } from './redis.ts'

/**
 * A thread that keeps locks and leases alive, however busy this process is: a local model, a long template or an evaluator may keep the
 * event loop from turning for longer than a lock lasts.
 */
export class Heartbeat {
  readonly #thread: Worker

  constructor(
    { address, library }: Pick<QueueClient, 'address' | 'library'>,
    { lock, beat: every }: Times,
    onLost?: (key: string) => void,
  ) {
    const workerData: BeatData = { library, url: address.url, lock, beat: every }
    this.#thread = new Worker(`(${beat.toString()})()`, { eval: true, workerData, execArgv: [] })
    this.#thread.on('message', ({ lost }: BeatNews) => onLost?.(lost))
    // Without it, locks expire, and jobs are asked again: wasteful, and not wrong.
    this.#thread.on('error', () => undefined)
    this.#thread.unref()
  }

  tell(message: BeatMessage): void {
    this.#thread.postMessage(message)
  }

  async stop(): Promise<void> {
    await this.#thread.terminate()
  }
}
