/** Shared counters: odd while a template renders; the index of that template; signals handled by the program; incremented to reset the signal count. */
export const cell = { rendering: 0, template: 1, heard: 2, forgotten: 3 } as const

/** Messages to the thread: the name of another template, or signal numbers to watch, the second of which ends the process. */
export type WatchMessage = { template: string } | { signals: readonly number[] }

export type WatchData = {
  cells: Int32Array
  cell: typeof cell
  /** How long the program has to handle a signal, in milliseconds. */
  patience: number
  /** How long a template may render, in milliseconds. */
  renderTime: number
}

/**
 * The code of the watchdog thread. It is started from its source text, so that it starts in milliseconds whether bundled or not; it must
 * not use imports.
 */
export function watch(): void {
  const { workerData, parentPort } = process.getBuiltinModule('node:worker_threads')
  const { writeSync } = process.getBuiltinModule('node:fs')
  const { cells, cell: at, patience, renderTime } = workerData as WatchData
  const templates: string[] = []
  let seen = Atomics.load(cells, at.heard)
  let inRow = 0
  let forgotten = Atomics.load(cells, at.forgotten)
  const end = (text: string) => {
    try {
      writeSync(2, text)
    } catch {
      // stderr is closed.
    }
    process.kill(process.pid, 'SIGKILL')
  }

  const hear = (signals: readonly number[]) => {
    // Node delivers signals only to the main thread's event loop, which may be busy; its internal libuv wrapper works in any thread.
    process.noDeprecation = true
    type Handle = { start(signal: number): number; onsignal: () => void }
    // `process.binding` is not declared in @types/node.
    const { Signal } = (process as unknown as { binding(name: string): { Signal: new () => Handle } }).binding('signal_wrap')
    seen = Atomics.load(cells, at.heard)
    for (const signal of signals) {
      const handle = new Signal()
      handle.onsignal = () => {
        seen++
        inRow = forgotten === Atomics.load(cells, at.forgotten) ? inRow + 1 : 1
        forgotten = Atomics.load(cells, at.forgotten)
        if (inRow < 2) return
        setTimeout(() => {
          if (Atomics.load(cells, at.heard) < seen) end('\nkilled: the program was too busy to handle the signal\n')
        }, patience)
      }
      handle.start(signal)
    }
  }

  parentPort!.on('message', (message: WatchMessage) => {
    if ('template' in message) templates.push(message.template)
    else hear(message.signals)
  })
  let before = 0
  let since = Date.now()
  setInterval(() => {
    const now = Atomics.load(cells, at.rendering)
    if (now !== before || now % 2 === 0) {
      before = now
      since = Date.now()
    } else if (Date.now() - since > renderTime) {
      const where = templates[Atomics.load(cells, at.template)] ?? 'chat_template'
      const problem = `rendering took more than ${renderTime / 1000} s, so the program was killed`
      end(`\nerror ${where}\n  ${problem}\n  → check the template: \`rolecall list formats\` renders it in a separate thread\n`)
    }
  }, renderTime / 10)
}
