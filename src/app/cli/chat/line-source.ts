import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** Lines of a terminal or a pipe, one at a time; concurrent readers are served in order. */
export class LineSource {
  readonly #lines: string[] = []
  readonly #waiting: ((line: string | undefined) => void)[] = []
  readonly #readline: Interface
  #isOver = false

  constructor(input: Readable, output: Writable | undefined, onInterrupt: () => void) {
    this.#readline = createInterface({ input, ...(output ? { output, terminal: true } : { terminal: false }) })
    this.#readline.on('line', (line) => {
      const next = this.#waiting.shift()
      if (next) next(line)
      else this.#lines.push(line)
    })
    this.#readline.on('close', () => {
      this.#isOver = true
      for (const next of this.#waiting.splice(0)) next(undefined)
    })
    this.#readline.on('SIGINT', onInterrupt)
  }

  /** The next line, or undefined at the end. */
  next(prompt = ''): Promise<string | undefined> {
    if (this.#lines.length > 0) return Promise.resolve(this.#lines.shift())
    if (this.#isOver) return Promise.resolve(undefined)
    this.#readline.setPrompt(prompt)
    this.#readline.prompt()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  close(): void {
    this.#readline.close()
  }
}
