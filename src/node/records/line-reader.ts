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
    if (offset < this.#start || offset + length > this.#end) {
      this.#start = offset
      this.#end = offset + readSync(this.#descriptor, this.#block, 0, blockSize, offset)
    }
    return this.#block.toString('utf8', offset - this.#start, offset - this.#start + length - 1)
  }
}
