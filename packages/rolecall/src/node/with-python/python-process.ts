import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { importScript } from '../thread-script.ts'
import type { PythonReply, PythonRequest, PythonStart } from './python-messages.ts'

/** Beyond a call's limit, after which the thread itself counts as dead: it may start the process and import first. */
const graceSeconds = 700

/** Code that loads the thread's script, and answers for it if it cannot be loaded. */
const loading = `${importScript('node/with-python/python-thread')}.catch((error) => {
  const { port, counts } = require('node:worker_threads').workerData
  port.postMessage({ kind: 'not-started', problem: String(error) })
  Atomics.add(counts, 0, 1)
  Atomics.notify(counts, 0)
})`

/**
 * The user's own Python in a process of its own, asked from here as if it were a function: a thread owns the process, and this thread
 * waits, because scores and postprocessors are computed without waiting elsewhere, too.
 */
export class PythonProcess {
  readonly #start: PythonStart
  #running: { worker: Worker; port: MessagePort; counts: Int32Array } | undefined
  #ids = 0

  constructor(start: PythonStart) {
    this.#start = start
  }

  /** Blocks until the reply arrives. `request` is what the worker is asked, without its number. */
  ask(request: (id: number) => string, seconds: number): PythonReply {
    this.#running ??= this.#startThread()
    const { port, counts } = this.#running
    const before = Atomics.load(counts, 0)
    const id = ++this.#ids
    port.postMessage({ id, line: request(id), seconds } satisfies PythonRequest)
    const end = performance.now() + (seconds + graceSeconds) * 1000
    for (;;) {
      Atomics.wait(counts, 0, before, Math.max(0, end - performance.now()))
      const received = receiveMessageOnPort(port) as { message: PythonReply } | undefined
      if (received !== undefined) return received.message
      if (performance.now() < end) continue
      this.stop()
      return { kind: 'stopped', problem: `it took more than ${seconds} s, the limit of a call` }
    }
  }

  stop(): void {
    void this.#running?.worker.terminate()
    this.#running?.port.close()
    this.#running = undefined
  }

  #startThread(): { worker: Worker; port: MessagePort; counts: Int32Array } {
    const counts = new Int32Array(new SharedArrayBuffer(4))
    const { port1, port2 } = new MessageChannel()
    const worker = new Worker(loading, {
      eval: true,
      workerData: { port: port2, counts, start: this.#start },
      transferList: [port2],
      // Do not inherit flags of this process, such as a test loader.
      execArgv: [],
    })
    worker.on('error', () => undefined)
    worker.unref()
    port1.unref()
    return { worker, port: port1, counts }
  }
}
