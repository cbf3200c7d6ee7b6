/**
 * A text that grows by a few characters at a time. Its chunks are joined when they are needed: adding strings one by one would leave a
 * chain of as many strings in memory.
 */
export class GrowingText {
  #chunks: string[] = []
  length = 0

  add(chunk: string): void {
    this.#chunks.push(chunk)
    this.length += chunk.length
  }

  get value(): string {
    if (this.#chunks.length > 1) this.#chunks = [this.#chunks.join('')]
    return this.#chunks[0] ?? ''
  }

  set value(text: string) {
    this.#chunks = text === '' ? [] : [text]
    this.length = text.length
  }

  /** The text; what follows is another text. */
  take(): string {
    const text = this.value
    this.value = ''
    return text
  }
}
