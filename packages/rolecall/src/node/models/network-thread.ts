import { Worker } from 'node:worker_threads'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Network } from '../../model/embedded/network.ts'
import type { TransformerShape } from '../../model/embedded/transformer.ts'
import { importScript } from '../thread-script.ts'

export type NetworkWorkerData = { weights: string; shape: TransformerShape }

export type NetworkRequest = {
  id: number
  /** Each opened model reads its own texts. */
  reader: number
  ask:
    | { kind: 'score'; ids: readonly number[]; topTokens: number }
    | { kind: 'begin'; ids: readonly number[] }
    | { kind: 'append'; id: number }
    | { kind: 'close' }
}

export type NetworkReply = { id: number; value: unknown } | { id: number; problem: string }

type Waiting = { resolve: (value: never) => void; reject: (error: Error) => void }

/** A worker thread with the embedded model's network. It keeps the process alive only while a reply is pending. */
export class NetworkThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #ids = 0
  #readers = 0
  #end: Error | undefined

  constructor(data: NetworkWorkerData) {
    // The flags of this process, such as a test loader, are not meant for the thread.
    this.#worker = new Worker(`${importScript('node/models/network-worker')}.catch((error) => { setImmediate(() => { throw error }) })`, {
      eval: true,
      workerData: data,
      execArgv: [],
      env: {},
    })
    this.#worker.on('message', (reply: NetworkReply) => this.#receive(reply))
    this.#worker.on('error', (error) => this.#fail(error.message))
    this.#worker.on('exit', () => this.#fail('it ended'))
    this.#worker.unref()
  }

  /** The network of this thread for one opened model. */
  network(): Network {
    const reader = this.#readers++
    return {
      score: (ids, topTokens) => this.#ask(reader, { kind: 'score', ids, topTokens }),
      begin: (ids) => this.#ask(reader, { kind: 'begin', ids }),
      append: (id) => this.#ask(reader, { kind: 'append', id }),
      close: () => this.#ask(reader, { kind: 'close' }),
    }
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }

  #ask<Value>(reader: number, ask: NetworkRequest['ask']): Promise<Value> {
    if (this.#end) return Promise.reject(this.#end)
    const id = this.#ids++
    return new Promise<Value>((resolve, reject) => {
      if (this.#waiting.size === 0) this.#worker.ref()
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, reader, ask } satisfies NetworkRequest)
    })
  }

  #receive(reply: NetworkReply): void {
    const { resolve, reject } = this.#waiting.get(reply.id)!
    this.#waiting.delete(reply.id)
    if (this.#waiting.size === 0) this.#worker.unref()
    if ('problem' in reply) reject(new Error(reply.problem))
    else resolve(reply.value as never)
  }

  #fail(problem: string): void {
    this.#end ??= new PromptError('thread-ended', {
      where: 'the embedded model',
      problem: `a thread that runs it failed: ${problem}`,
      fix: 'run it in one thread: --max-num-workers 1',
    })
    for (const { reject } of this.#waiting.values()) reject(this.#end)
    this.#waiting.clear()
  }
}
