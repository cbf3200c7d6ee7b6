import type { FileHandle } from 'node:fs/promises'
import { openRegularFile } from '../../node/regular-file.ts'

const blockSize = 1 << 20
const newline = 0x0a
const carriageReturn = 0x0d

/** An index of a file's lines for random access. A growing file can be scanned again. */
export class LineFile {
  readonly path: string
  #starts = new Float64Array(1024)
  #ends = new Float64Array(1024)
  #count = 0
  /** Where the next scan starts: after the last complete line. */
  #scanned = 0
  #handle: Promise<FileHandle> | undefined
  #isClosed = false
  #scanning: Promise<void> | undefined
  /** Whether some lines end with CR alone, which this index does not support. */
  hasLoneReturns = false

  constructor(path: string) {
    this.path = path
  }

  get count(): number {
    return this.#count
  }

  /** Indexes the lines added since the last scan. `isComplete`: the last line may lack a newline. */
  scan({ isComplete = false }: { isComplete?: boolean } = {}): Promise<void> {
    this.#scanning ??= this.#scan(isComplete).finally(() => {
      this.#scanning = undefined
    })
    return this.#scanning
  }

  async #scan(isComplete: boolean): Promise<void> {
    const handle = await this.#open()
    const block = Buffer.allocUnsafe(blockSize)
    let at = this.#scanned
    let start = this.#scanned
    // A byte order mark is not part of the first line.
    let isBlank = true
    for (;;) {
      const { bytesRead } = await handle.read(block, 0, blockSize, at)
      if (bytesRead === 0) break
      const bytes = block.subarray(0, bytesRead)
      if (at === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) start = 3
      this.#checkReturns(bytes)
      let from = Math.max(0, start - at)
      for (let end = bytes.indexOf(newline, from); end >= 0; end = bytes.indexOf(newline, from)) {
        isBlank &&= isBlankRange(bytes, from, end)
        if (!isBlank) this.#add(start, at + end)
        from = end + 1
        start = at + from
        isBlank = true
      }
      isBlank &&= isBlankRange(bytes, from, bytesRead)
      at += bytesRead
    }
    this.#scanned = start
    if (isComplete && at > start && !isBlank) {
      this.#add(start, at)
      this.#scanned = at
    }
  }

  #checkReturns(bytes: Buffer): void {
    if (this.hasLoneReturns) return
    for (let at = bytes.indexOf(carriageReturn); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(carriageReturn, at + 1)) {
      if (bytes[at + 1] !== newline) {
        this.hasLoneReturns = true
        return
      }
    }
  }

  #add(start: number, end: number): void {
    if (this.#count === this.#starts.length) {
      this.#starts = grown(this.#starts)
      this.#ends = grown(this.#ends)
    }
    this.#starts[this.#count] = start
    this.#ends[this.#count++] = end
  }

  /** The length of a line in bytes. */
  size(line: number): number {
    return line < this.#count ? this.#ends[line]! - this.#starts[line]! : 0
  }

  /** Reads consecutive lines; each is cut after `maxBytes`. */
  async read(from: number, count: number, maxBytes = Number.POSITIVE_INFINITY): Promise<string[]> {
    const end = Math.min(from + count, this.#count)
    if (end <= from) return []
    const handle = await this.#open()
    const lines: string[] = []
    for (let line = from; line < end; ) {
      // Long lines to be cut are read one by one, others in chunks of some megabytes.
      let last = line
      const start = this.#starts[line]!
      if (this.size(line) <= Math.max(maxBytes, 4096)) {
        while (last + 1 < end && this.#ends[last + 1]! - start <= 4 * blockSize && this.size(last + 1) <= Math.max(maxBytes, 4096)) last++
      }
      const length = last === line ? Math.min(this.size(line), maxBytes) : this.#ends[last]! - start
      const bytes = Buffer.allocUnsafe(length)
      const { bytesRead } = await handle.read(bytes, 0, length, start)
      for (; line <= last; line++) {
        const begin = this.#starts[line]! - start
        lines.push(bytes.toString('utf8', begin, Math.min(begin + Math.min(this.size(line), maxBytes), bytesRead)))
      }
    }
    return lines
  }

  /** All lines, in chunks. */
  async *chunks(): AsyncGenerator<{ first: number; lines: string[] }> {
    for (let first = 0; first < this.#count; ) {
      let last = first + 1
      while (last < this.#count && this.#ends[last]! - this.#starts[first]! < 4 * blockSize) last++
      yield { first, lines: await this.read(first, last - first) }
      first = last
    }
  }

  /** Pending and later reads fail instead of reopening the file. */
  async close(): Promise<void> {
    this.#isClosed = true
    const handle = this.#handle
    this.#handle = undefined
    await (await handle)?.close()
  }

  #open(): Promise<FileHandle> {
    if (this.#isClosed) return Promise.reject(new Error(`${this.path} is closed`))
    this.#handle ??= openRegularFile(this.path)
    return this.#handle
  }
}

function isBlankRange(bytes: Buffer, from: number, end: number): boolean {
  for (let at = from; at < end; at++) {
    const byte = bytes[at]!
    if (byte !== 0x20 && byte !== 0x09 && byte !== carriageReturn) return false
  }
  return true
}

function grown(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(numbers.length * 2)
  larger.set(numbers)
  return larger
}
