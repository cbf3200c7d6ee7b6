import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { limits } from '@rolecall/core/internal/errors'
import { importScript } from '../thread-script.ts'
import { ready } from './thread-messages.ts'

/** Beside `TemplateThread`, whose declarations must not need Node's types. */
export type StartedThread = { worker: Worker; port: MessagePort; counts: Int32Array }

/** Value of `ready`: the thread failed to start. */
export const failed = 2

/** Code that loads the thread's script and signals failure. */
function loading(script: string): string {
  return `const { counts, ready } = require('node:worker_threads').workerData
${importScript(script)}.catch(() => { Atomics.store(counts, ready, ${failed}); Atomics.notify(counts, ready) })`
}

/** Starts a thread that waits for questions. */
export function startTemplateThread(): StartedThread {
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
