import { readSync } from 'node:fs'

const blockSize = 1 << 18

/** Reads lines by offset through a one-block buffer, because rows are mostly read in sequence. */
export class LineReader {
  readonly #descriptor: number
  readonly #block = Buffer.allocUnsafe(blockSize)
  #start = 0
  #end = 0

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  /** The line at an offset, without its newline. */
  read(offset: number, length: number): string {
    if (length > blockSize) {
      const bytes = Buffer.allocUnsafe(length)
      readSync(this.#descriptor, bytes, 0, length, offset)
      return bytes.toString('utf8', 0, length - 1)
    }
    this.#reach(offset, length)
    return this.#block.toString('utf8', offset - this.#start, offset - this.#start + length - 1)
  }

  /** Copies the bytes of neighbouring lines, with their newlines. */
  copy(offset: number, length: number, target: Buffer, at: number): void {
    if (length > blockSize) {
      readSync(this.#descriptor, target, at, length, offset)
      return
    }
    this.#reach(offset, length)
    this.#block.copy(target, at, offset - this.#start, offset - this.#start + length)
  }

  /** Rows that finish together are neighbours in any order, so the block starts a little before the offset. */
  #reach(offset: number, length: number): void {
    if (offset >= this.#start && offset + length <= this.#end) return
    this.#start = Math.max(0, offset - Math.min(blockSize / 4, blockSize - length))
    this.#end = this.#start + readSync(this.#descriptor, this.#block, 0, blockSize, this.#start)
  }
}
