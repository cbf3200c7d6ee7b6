/** What both threads see: a number that is odd while a template renders, which template that is, how many signals the program has heard, and a number that changes when earlier signals are forgotten. */
export const cell = { rendering: 0, template: 1, heard: 2, forgotten: 3 } as const

/** What the thread is told: the name of one more template, or signals (by number) of which the second ends the process. */
export type WatchMessage = { template: string } | { signals: readonly number[] }

export type WatchData = {
  cells: Int32Array
  cell: typeof cell
  /** How long the program has to hear a signal, in milliseconds. */
  patience: number
  /** How long a template may render, in milliseconds. */
  renderTime: number
}

/**
 * The code of the watchdog's thread. It is started from its own text, so that it starts in milliseconds and in every form of the code:
 * it must not use anything that is imported.
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
      // Nobody reads it.
    }
    process.kill(process.pid, 'SIGKILL')
  }

  const hear = (signals: readonly number[]) => {
    // Node hands signals to the main thread's loop alone, which may be busy; its own wrapper of libuv's signals works in any thread.
    process.noDeprecation = true
    type Handle = { start(signal: number): number; onsignal: () => void }
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
          if (Atomics.load(cells, at.heard) < seen) end('\nstopped at once: the program was too busy to hear the signal\n')
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
      const problem = `a render took more than ${renderTime / 1000} s, and the program was stopped`
      end(`\nerror ${where}\n  ${problem}\n  → look at the template: \`rolecall formats\` tries it in a thread of its own\n`)
    }
  }, renderTime / 10)
}
