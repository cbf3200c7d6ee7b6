import { type FileHandle, open } from 'node:fs/promises'

const blockSize = 1 << 20
const newline = 0x0a
const carriageReturn = 0x0d

/** The places of a file's lines, so that any of them is read without those before it. A file that grows is looked at again. */
export class LineFile {
  readonly path: string
  #starts = new Float64Array(1024)
  #ends = new Float64Array(1024)
  #count = 0
  /** Up to where the file was looked at: behind the last whole line. */
  #seen = 0
  #handle: Promise<FileHandle> | undefined
  #isClosed = false
  #scanning: Promise<void> | undefined
  /** Lines that end with a CR alone, which only old programs write: they are not found here. */
  hasLoneReturns = false

  constructor(path: string) {
    this.path = path
  }

  get count(): number {
    return this.#count
  }

  /** Finds the lines that were written since the last look. `whole`: nothing will be added, so that the last line may lack its end. */
  scan({ whole = false }: { whole?: boolean } = {}): Promise<void> {
    this.#scanning ??= this.#look(whole).finally(() => {
      this.#scanning = undefined
    })
    return this.#scanning
  }

  async #look(whole: boolean): Promise<void> {
    const handle = await this.#open()
    const block = Buffer.allocUnsafe(blockSize)
    let at = this.#seen
    let start = this.#seen
    // A byte order mark is not part of the first line.
    let isBlank = true
    for (;;) {
      const { bytesRead } = await handle.read(block, 0, blockSize, at)
      if (bytesRead === 0) break
      const bytes = block.subarray(0, bytesRead)
      if (at === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) start = 3
      this.#noteReturns(bytes)
      let from = Math.max(0, start - at)
      for (let end = bytes.indexOf(newline, from); end >= 0; end = bytes.indexOf(newline, from)) {
        isBlank &&= blank(bytes, from, end)
        if (!isBlank) this.#add(start, at + end)
        from = end + 1
        start = at + from
        isBlank = true
      }
      isBlank &&= blank(bytes, from, bytesRead)
      at += bytesRead
    }
    this.#seen = start
    if (whole && at > start && !isBlank) {
      this.#add(start, at)
      this.#seen = at
    }
  }

  #noteReturns(bytes: Buffer): void {
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

  /** How many bytes a line has. */
  size(line: number): number {
    return line < this.#count ? this.#ends[line]! - this.#starts[line]! : 0
  }

  /** Lines in one go where they lie together; `most` cuts each after so many bytes. */
  async read(from: number, count: number, most = Number.POSITIVE_INFINITY): Promise<string[]> {
    const end = Math.min(from + count, this.#count)
    if (end <= from) return []
    const handle = await this.#open()
    const lines: string[] = []
    for (let line = from; line < end; ) {
      // Long lines that are to be cut are read one by one, others in chunks of some megabytes.
      let last = line
      const start = this.#starts[line]!
      if (this.size(line) <= Math.max(most, 4096)) {
        while (last + 1 < end && this.#ends[last + 1]! - start <= 4 * blockSize && this.size(last + 1) <= Math.max(most, 4096)) last++
      }
      const length = last === line ? Math.min(this.size(line), most) : this.#ends[last]! - start
      const bytes = Buffer.allocUnsafe(length)
      const { bytesRead } = await handle.read(bytes, 0, length, start)
      for (; line <= last; line++) {
        const begin = this.#starts[line]! - start
        lines.push(bytes.toString('utf8', begin, Math.min(begin + Math.min(this.size(line), most), bytesRead)))
      }
    }
    return lines
  }

  /** Every line, a chunk at a time, for those who look through all. */
  async *chunks(): AsyncGenerator<{ first: number; lines: string[] }> {
    for (let first = 0; first < this.#count; ) {
      let last = first + 1
      while (last < this.#count && this.#ends[last]! - this.#starts[first]! < 4 * blockSize) last++
      yield { first, lines: await this.read(first, last - first) }
      first = last
    }
  }

  /** For good: who is still reading then fails, and opens nothing that nobody would close. */
  async close(): Promise<void> {
    this.#isClosed = true
    const handle = this.#handle
    this.#handle = undefined
    await (await handle)?.close()
  }

  #open(): Promise<FileHandle> {
    if (this.#isClosed) return Promise.reject(new Error(`${this.path} is closed`))
    this.#handle ??= open(this.path, 'r')
    return this.#handle
  }
}

function blank(bytes: Buffer, from: number, end: number): boolean {
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
