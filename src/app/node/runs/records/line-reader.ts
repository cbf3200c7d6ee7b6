import { readSync } from 'node:fs'

const blockSize = 1 << 18

/** Lines of a file by their place. Rows are mostly read one after the other: a block is kept, so that few reads are needed. */
export class LineReader {
  readonly #descriptor: number
  readonly #block = Buffer.allocUnsafe(blockSize)
  #start = 0
  #end = 0

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  /** The line at a place, without its newline. */
  read(offset: number, length: number): string {
    if (length > blockSize) {
      const bytes = Buffer.allocUnsafe(length)
      readSync(this.#descriptor, bytes, 0, length, offset)
      return bytes.toString('utf8', 0, length - 1)
    }
    this.#reach(offset, length)
    return this.#block.toString('utf8', offset - this.#start, offset - this.#start + length - 1)
  }

  /** Copies the bytes of a line, with its newline. */
  copy(offset: number, length: number, target: Buffer, at: number): void {
    if (length > blockSize) {
      readSync(this.#descriptor, target, at, length, offset)
      return
    }
    this.#reach(offset, length)
    this.#block.copy(target, at, offset - this.#start, offset - this.#start + length)
  }

  /** Rows that are done together lie side by side in any order: what comes before is read, too. */
  #reach(offset: number, length: number): void {
    if (offset >= this.#start && offset + length <= this.#end) return
    this.#start = Math.max(0, offset - Math.min(blockSize / 4, blockSize - length))
    this.#end = this.#start + readSync(this.#descriptor, this.#block, 0, blockSize, this.#start)
  }
}
