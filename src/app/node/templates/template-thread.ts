import { createRequire } from 'node:module'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { limits } from '../../../base/errors/limits.ts'
import { codeFile } from '../own-files.ts'
import { type Answer, answered, asked, changed, type Question, ready } from './wire.ts'

/** Why a thread gave no answer. */
export type Unanswered = { kind: 'stopped'; seconds: number }

/**
 * A thread with a memory of its own that renders templates while this one waits. It is ended when it does not answer in time, whatever
 * it does meanwhile, and the next question starts another one.
 */
export class TemplateThread {
  #running: { worker: Worker; port: MessagePort; counts: Int32Array } | undefined

  /** Waits for the answer, as a call of a function would. */
  ask(question: Question, seconds: number = limits.templateSeconds.value): Answer | Unanswered {
    this.#running ??= startThread()
    const { port, counts } = this.#running
    // To start takes a moment, from source seconds; that is not the template's.
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
    const received = isAnswered ? (receiveMessageOnPort(port) as { message: Answer } | undefined) : undefined
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
/** Of `ready`: there will be no thread. */
const failed = 2

/** The code that loads the thread's script, and says when it cannot. Sources go through jiti: Node does not read them as they are. */
function loading(script: string): string {
  const url = JSON.stringify(script)
  const jiti = () => JSON.stringify(createRequire(import.meta.url).resolve('jiti'))
  const load = script.endsWith('.ts') ? `require(${jiti()}).createJiti(${url}).import(${url})` : `import(${url})`
  return `const { counts, ready } = require('node:worker_threads').workerData
${load}.catch(() => { Atomics.store(counts, ready, ${failed}); Atomics.notify(counts, ready) })`
}

/** A thread that waits for questions, and how to ask it. */
export function startThread() {
  const counts = new Int32Array(new SharedArrayBuffer(12))
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(loading(codeFile('app/node/templates/template-worker').href), {
    eval: true,
    workerData: { port: port2, counts, ready },
    transferList: [port2],
    resourceLimits: { maxOldGenerationSizeMb: limits.templateMemory.value },
    // What this process was started with, such as a loader of tests, is not for it.
    execArgv: [],
    env: {},
  })
  // It ends with the process, and what ends it otherwise is noticed by whoever waits.
  worker.on('error', () => undefined)
  worker.unref()
  port1.unref()
  return { worker, port: port1, counts }
}
