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
}

const magic = 'rolecall index 1\n'.padEnd(24, '\n')
const headerSize = 32
const entrySize = 40

/**
 * The lines of a records file, 40 bytes each: it can be read by range, filtered by score and searched by key without being
 * parsed. Lies beside the records as `<dataset>.index`; it may lag behind, and is made anew where it is missing or wrong.
 *
 * Layout, little endian: 24 bytes of magic, then a double with the bytes of records that are covered; for each line a double
 * offset, a double score, then five unsigned 32-bit numbers: id, length, two of the key, 1 for a failed row; 4 bytes unused.
 */
export class RecordIndex {
  #bytes: Buffer
  #count = 0
  /** Entries up to here, and the covered bytes, are on disk. */
  #saved = 0
  /** Bytes of the records file that the entries describe. */
  covered = 0

  constructor(capacity = 64) {
    this.#bytes = Buffer.alloc(headerSize + capacity * entrySize)
  }

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
    // Entries are written before the header that counts their bytes: what lies behind is not told yet.
    let [count, end] = [0, 0]
    for (let at = headerSize; at + entrySize <= bytes.length; at += entrySize) {
      const stop = bytes.readDoubleLE(at) + bytes.readUInt32LE(at + 20)
      if (bytes.readDoubleLE(at) < end || stop > covered) break
      end = stop
      count++
    }
    if (!(covered >= end)) return index
    index.#bytes = bytes
    index.#count = count
    index.#saved = count
    index.covered = covered
    return index
  }

  get length(): number {
    return this.#count
  }

  at(place: number): IndexEntry {
    const at = headerSize + place * entrySize
    const bytes = this.#bytes
    return {
      offset: bytes.readDoubleLE(at),
      score: bytes.readDoubleLE(at + 8),
      id: bytes.readUInt32LE(at + 16),
      length: bytes.readUInt32LE(at + 20),
      key: [bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 28)],
      failed: bytes.readUInt32LE(at + 32) === 1,
    }
  }

  add({ id, offset, length, key, score, failed }: IndexEntry): void {
    const at = headerSize + this.#count++ * entrySize
    if (at + entrySize > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], at + entrySize + this.#bytes.length)
    const bytes = this.#bytes
    bytes.writeDoubleLE(offset, at)
    bytes.writeDoubleLE(score, at + 8)
    bytes.writeUInt32LE(id, at + 16)
    bytes.writeUInt32LE(length, at + 20)
    bytes.writeUInt32LE(key[0], at + 24)
    bytes.writeUInt32LE(key[1], at + 28)
    bytes.writeUInt32LE(failed ? 1 : 0, at + 32)
    this.covered = offset + length
  }

  /** Writes what is new. Entries first: a header that counts bytes without entries would lose rows. */
  save(file: string): void {
    const descriptor = openSync(file, this.#saved === 0 ? 'w' : 'r+')
    try {
      const from = headerSize + this.#saved * entrySize
      const to = headerSize + this.#count * entrySize
      if (to > from) writeSync(descriptor, this.#bytes, from, to - from, from)
      this.#bytes.write(magic, 'latin1')
      this.#bytes.writeDoubleLE(this.covered, magic.length)
      writeSync(descriptor, this.#bytes, 0, headerSize, 0)
      this.#saved = this.#count
    } finally {
      closeSync(descriptor)
    }
  }
}
