import { constants } from 'node:os'
import { Worker } from 'node:worker_threads'
import { limits } from '@rolecall/core/internal/errors'
import { compileTemplate, type TemplateCompiler } from '@rolecall/core/internal/jinja'
import { cell, type WatchData, type WatchMessage, watch } from './watch.ts'

/** `SIGHUP`: the terminal was closed. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/**
 * A thread that kills this process when its event loop is blocked: on the second signal it does not handle, or when a template renders
 * for too long. So Ctrl-C and `kill` always work, and written data stays.
 */
export class Watchdog {
  readonly #cells = new Int32Array(new SharedArrayBuffer(16))
  readonly #renderSeconds: number
  #worker: Worker | undefined
  #unhear: (() => void) | undefined
  #templates = 0

  constructor({ renderSeconds = limits.templateSeconds }: { renderSeconds?: number } = {}) {
    this.#renderSeconds = renderSeconds
  }

  /** Calls the handler for each signal, with the number received in a row and its name. */
  hear(handler: (count: number, signal: StopSignal) => void, signals: readonly StopSignal[] = ['SIGINT', 'SIGTERM']): void {
    let inRow = 0
    let forgotten = 0
    const heard = (signal: StopSignal) => {
      Atomics.add(this.#cells, cell.heard, 1)
      inRow = forgotten === this.#cells[cell.forgotten] ? inRow + 1 : 1
      forgotten = this.#cells[cell.forgotten]!
      handler(inRow, signal)
    }
    this.#tell({ signals: signals.map((signal) => constants.signals[signal]) })
    for (const signal of signals) process.on(signal, heard)
    this.#unhear = () => {
      for (const signal of signals) process.off(signal, heard)
    }
  }

  /** Resets the signal count, once the interrupted work has stopped. */
  forget(): void {
    Atomics.add(this.#cells, cell.forgotten, 1)
  }

  /** Compiles and renders in this process at full speed; a render that takes too long kills the process. */
  readonly compile: TemplateCompiler = (source, options) => {
    const number = this.#templates++
    this.#tell({ template: options?.name ?? 'chat_template' })
    const template = this.#watched(number, () => compileTemplate(source, options))
    return {
      names: template.names,
      render: (...given) => this.#watched(number, () => template.render(...given)),
      renderMarked: (...given) => this.#watched(number, () => template.renderMarked(...given)),
      renderPieces: (...given) => this.#watched(number, () => template.renderPieces(...given)),
    }
  }

  async stop(): Promise<void> {
    this.#unhear?.()
    this.#unhear = undefined
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  #watched<Result>(template: number, work: () => Result): Result {
    Atomics.store(this.#cells, cell.template, template)
    Atomics.add(this.#cells, cell.rendering, 1)
    try {
      return work()
    } finally {
      Atomics.add(this.#cells, cell.rendering, 1)
    }
  }

  #tell(message: WatchMessage): void {
    this.#worker ??= this.#start()
    this.#worker.postMessage(message)
  }

  #start(): Worker {
    const workerData: WatchData = { cells: this.#cells, cell, patience: 500, renderTime: this.#renderSeconds * 1000 }
    const worker = new Worker(`(${watch.toString()})()`, { eval: true, workerData, execArgv: [], env: {} })
    // If a future Node lacks the internal signal wrapper, the program runs without a watchdog.
    worker.on('error', () => undefined)
    worker.unref()
    return worker
  }
}
