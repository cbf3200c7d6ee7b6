import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { KeyWords } from './key-table.ts'

/** What is known of a line without reading it. */
export type IndexEntry = {
  /** The row's number. */
  id: number
  /** Where its line starts in the file, and its bytes with the newline. */
  offset: number
  length: number
  /** The first 64 bits of its key. */
  key: KeyWords
  /** NaN where a row has none. */
  score: number
  failed: boolean
  /** What became of its answers, as `outcomeBits` has it; 0 where all were read. */
  outcomes: number
}

const magic = 'rolecall index 2\n'.padEnd(24, '\n')
const headerSize = 32
const entrySize = 40
const partLength = 4096

/**
 * The lines of a records file, 40 bytes each: it can be read by range, filtered by score and searched by key without being
 * parsed. Lies beside the records as `<dataset>.index`; it may lag behind, and is made anew where it is missing or wrong.
 *
 * Layout, little endian: 24 bytes of magic, then a double with the bytes of records that are covered; for each line a double
 * offset, a double score, then six unsigned 32-bit numbers: id, length, two of the key, 1 for a failed row; then one with
 * a bit for each outcome that is not `answered`.
 */
export class RecordIndex {
  /** Entries in parts of one size: an index that grows is never copied. */
  readonly #parts: Buffer[] = []
  #count = 0
  /** Entries up to here, and the covered bytes, are on disk. */
  #saved = 0
  /** Bytes of the records file that the entries describe. */
  covered = 0

  /** What is on disk, or an empty index where that is none. */
  static read(file: string): RecordIndex {
    const index = new RecordIndex()
    let bytes: Buffer
    try {
      bytes = readFileSync(file)
    } catch {
      return index
    }
    if (bytes.length < headerSize || bytes.toString('latin1', 0, magic.length) !== magic) return index
    const covered = bytes.readDoubleLE(magic.length)
    // Entries are written before the header that counts their bytes: what lies behind is not told yet. A crash of the machine may
    // have kept the header and lost entries: lines that no entry describes are read again from the file.
    let [count, end] = [0, 0]
    for (let at = headerSize; at + entrySize <= bytes.length; at += entrySize) {
      const stop = bytes.readDoubleLE(at) + bytes.readUInt32LE(at + 20)
      if (bytes.readDoubleLE(at) < end || stop > covered) break
      end = stop
      count++
    }
    for (let from = 0; from < count; from += partLength) {
      const part = Buffer.alloc(partLength * entrySize)
      bytes.copy(part, 0, headerSize + from * entrySize, headerSize + Math.min(from + partLength, count) * entrySize)
      index.#parts.push(part)
    }
    index.#count = count
    index.#saved = count
    index.covered = end
    return index
  }

  get length(): number {
    return this.#count
  }

  at(place: number): IndexEntry {
    const part = this.#partOf(place)
    const at = offsetOf(place)
    return {
      offset: part.readDoubleLE(at),
      score: part.readDoubleLE(at + 8),
      id: part.readUInt32LE(at + 16),
      length: part.readUInt32LE(at + 20),
      key: [part.readUInt32LE(at + 24), part.readUInt32LE(at + 28)],
      failed: part.readUInt32LE(at + 32) === 1,
      outcomes: part.readUInt32LE(at + 36),
    }
  }

  /** The row's number. */
  idAt(place: number): number {
    return this.#partOf(place).readUInt32LE(offsetOf(place) + 16)
  }

  /** The first half of the key's first 64 bits, or the second. */
  keyAt(place: number, half: 0 | 1): number {
    return this.#partOf(place).readUInt32LE(offsetOf(place) + 24 + 4 * half)
  }

  add({ id, offset, length, key, score, failed, outcomes }: IndexEntry): void {
    const place = this.#count++
    if (place % partLength === 0) this.#parts.push(Buffer.alloc(partLength * entrySize))
    const part = this.#partOf(place)
    const at = offsetOf(place)
    part.writeDoubleLE(offset, at)
    part.writeDoubleLE(score, at + 8)
    part.writeUInt32LE(id, at + 16)
    part.writeUInt32LE(length, at + 20)
    part.writeUInt32LE(key[0], at + 24)
    part.writeUInt32LE(key[1], at + 28)
    part.writeUInt32LE(failed ? 1 : 0, at + 32)
    part.writeUInt32LE(outcomes, at + 36)
    this.covered = offset + length
  }

  /** Writes what is new. Entries first: a header that counts bytes without entries would lose rows. */
  save(file: string): void {
    const descriptor = openSync(file, this.#saved === 0 ? 'w' : 'r+')
    try {
      for (let place = this.#saved; place < this.#count; ) {
        const next = Math.min(this.#count, place - (place % partLength) + partLength)
        writeSync(descriptor, this.#partOf(place), offsetOf(place), (next - place) * entrySize, headerSize + place * entrySize)
        place = next
      }
      const header = Buffer.alloc(headerSize)
      header.write(magic, 'latin1')
      header.writeDoubleLE(this.covered, magic.length)
      writeSync(descriptor, header, 0, headerSize, 0)
      this.#saved = this.#count
    } finally {
      closeSync(descriptor)
    }
  }

  #partOf(place: number): Buffer {
    return this.#parts[Math.floor(place / partLength)]!
  }
}

function offsetOf(place: number): number {
  return (place % partLength) * entrySize
}
