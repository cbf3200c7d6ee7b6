export type Stream = { write(bytes: Uint8Array): number; isatty: boolean }

const flushAfter = 50
const flushAbove = 4096

/** The output of code, in chunks rather than single writes; beyond the limit it is only counted. */
export class CapturedOutput {
  readonly #maxOutput: number
  readonly #send: (output: { stream: string; text: string }) => void
  readonly #streams: ReturnType<CapturedOutput['open']>[] = []
  #left = 0
  /** Characters beyond the limit. */
  cut = 0

  constructor(maxOutput: number, send: (output: { stream: string; text: string }) => void) {
    this.#maxOutput = maxOutput
    this.#send = send
  }

  open(stream: 'stdout' | 'stderr'): Stream & { begin(): void; flush(): void } {
    let decoder = new TextDecoder()
    let held = ''
    let last = 0
    const flush = () => {
      if (held !== '') this.#send({ stream, text: held })
      held = ''
      last = performance.now()
    }
    const opened = {
      isatty: false,
      flush,
      begin() {
        decoder = new TextDecoder()
        held = ''
        last = performance.now()
      },
      write: (bytes: Uint8Array) => {
        if (this.#left <= 0) this.cut += bytes.length
        else {
          const text = decoder.decode(bytes, { stream: true })
          held += text.slice(0, this.#left)
          if (text.length > this.#left) this.cut += text.length - this.#left
          this.#left -= text.length
          if (held.length > flushAbove || performance.now() - last > flushAfter) flush()
        }
        return bytes.length
      },
    }
    this.#streams.push(opened)
    return opened
  }

  begin(): void {
    this.#left = this.#maxOutput
    this.cut = 0
    for (const stream of this.#streams) stream.begin()
  }

  end(): void {
    for (const stream of this.#streams) stream.flush()
  }

  short(text: string): string {
    if (text.length <= this.#maxOutput) return text
    this.cut += text.length - this.#maxOutput
    return text.slice(0, this.#maxOutput)
  }
}
