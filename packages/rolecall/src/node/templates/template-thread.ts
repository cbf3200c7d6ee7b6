import { receiveMessageOnPort } from 'node:worker_threads'
import { limits } from '@rolecall/core/internal/errors'
import { failed, type StartedThread, startTemplateThread } from './start-template-thread.ts'
import { answered, asked, changed, ready, type TemplateThreadReply, type TemplateThreadRequest } from './thread-messages.ts'

/** The thread was stopped before it answered. */
export type Unanswered = { kind: 'stopped'; seconds: number }

/**
 * A worker thread with its own heap that renders templates while this thread blocks. If it does not answer in time it is terminated,
 * and the next question starts a new one.
 */
export class TemplateThread {
  #running: StartedThread | undefined

  /** Blocks until the answer arrives. */
  ask(question: TemplateThreadRequest, seconds: number = limits.templateSeconds): TemplateThreadReply | Unanswered {
    this.#running ??= startTemplateThread()
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
