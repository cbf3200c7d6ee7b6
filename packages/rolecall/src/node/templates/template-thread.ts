import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { limits } from '@rolecall/core/internal/errors'
import { importScript } from '../thread-script.ts'
import { answered, asked, changed, ready, type TemplateThreadReply, type TemplateThreadRequest } from './thread-messages.ts'

/** The thread was stopped before it answered. */
export type Unanswered = { kind: 'stopped'; seconds: number }

/**
 * A worker thread with its own heap that renders templates while this thread blocks. If it does not answer in time it is terminated,
 * and the next question starts a new one.
 */
export class TemplateThread {
  #running: { worker: Worker; port: MessagePort; counts: Int32Array } | undefined

  /** Blocks until the answer arrives. */
  ask(question: TemplateThreadRequest, seconds: number = limits.templateSeconds): TemplateThreadReply | Unanswered {
    this.#running ??= startThread()
    const { port, counts } = this.#running
    // Start-up (seconds, from source) does not count against the template's time limit.
    const state = changed(counts, ready, 0, startSeconds * 1000)
    const isLate = state === 0
    if (isLate || state === failed) {
      this.stop()
      throw new Error(`the thread that renders chat templates did not start${isLate ? ` within ${startSeconds} s` : ''}`)
    }
    const before = Atomics.load(counts, answered)
    port.postMessage(question)
    Atomics.add(counts, asked, 1)
    Atomics.notify(counts, asked)
    const isAnswered = changed(counts, answered, before, seconds * 1000) !== before
    const received = isAnswered ? (receiveMessageOnPort(port) as { message: TemplateThreadReply } | undefined) : undefined
    if (received) return received.message
    this.stop()
    return { kind: 'stopped', seconds }
  }

  stop(): void {
    void this.#running?.worker.terminate()
    this.#running?.port.close()
    this.#running = undefined
  }
}

const startSeconds = 120
/** Value of `ready`: the thread failed to start. */
const failed = 2

/** Code that loads the thread's script and signals failure. */
function loading(script: string): string {
  return `const { counts, ready } = require('node:worker_threads').workerData
${importScript(script)}.catch(() => { Atomics.store(counts, ready, ${failed}); Atomics.notify(counts, ready) })`
}

/** Starts a thread that waits for questions. */
export function startThread() {
  const counts = new Int32Array(new SharedArrayBuffer(12))
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(loading('node/templates/template-worker'), {
    eval: true,
    workerData: { port: port2, counts, ready },
    transferList: [port2],
    resourceLimits: { maxOldGenerationSizeMb: limits.templateMemory },
    // Do not inherit flags of this process, such as a test loader.
    execArgv: [],
    env: {},
  })
  // If it dies, the waiting `ask` times out.
  worker.on('error', () => undefined)
  worker.unref()
  port1.unref()
  return { worker, port: port1, counts }
}
