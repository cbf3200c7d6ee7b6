import { closeSync, openSync, writeSync } from 'node:fs'
import { readWholeFile } from '../../read-whole-file.ts'
import type { KeyWords } from './key-table.ts'

/** The index entry of a line. */
export type IndexEntry = {
  /** The row's number. */
  id: number
  /** Byte offset of the line, and its length with the newline. */
  offset: number
  length: number
  /** The first 64 bits of its key. */
  key: KeyWords
  /** NaN if the row has no score. */
  score: number
  failed: boolean
  /** `outcomeBits` of its answers. */
  outcomes: number
}

const magic = 'rolecall index 3\n'.padEnd(24, '\n')
const headerSize = 32
const entrySize = 40
const partLength = 4096
/** Of 25 million rows. */
const mostBytes = 1 << 30

/**
 * An index of a records file, 40 bytes per line, for reading by range, filtering by score and searching by key without parsing. Stored
 * beside the records as `<dataset>.index`; it may lag behind, and is rebuilt if it is missing or wrong.
 *
 * Layout, little endian: 24 bytes of magic, a double with the number of record bytes covered; then for each line a double offset, a
 * double score and six uint32: id, length, two words of the key, 1 for a failed row, and a bit for each outcome.
 */
export class RecordIndex {
  /** Entries in fixed-size parts, so that growing copies nothing. */
  readonly #parts: Buffer[] = []
  #count = 0
  /** The number of entries saved on disk. */
  #saved = 0
  /** Bytes of the records file that the entries describe. */
  covered = 0

  /** Reads the index from disk; empty if it is missing or invalid. */
  static read(file: string): RecordIndex {
    const index = new RecordIndex()
    let bytes: Buffer
    try {
      bytes = readWholeFile(file, mostBytes)
    } catch {
      return index
    }
    if (bytes.length < headerSize || bytes.toString('latin1', 0, magic.length) !== magic) return index
    const covered = bytes.readDoubleLE(magic.length)
    // Entries are written before the header, so entries beyond `covered` are not committed. A machine crash may have kept the header and
    // lost entries: lines without an entry are scanned again.
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
      failed: this.failedAt(place),
      outcomes: part.readUInt32LE(at + 36),
    }
  }

  /** The row's number. */
  idAt(place: number): number {
    return this.#partOf(place).readUInt32LE(offsetOf(place) + 16)
  }

  /** The byte offset of the line. */
  offsetAt(place: number): number {
    return this.#partOf(place).readDoubleLE(offsetOf(place))
  }

  /** The length of the line, with its newline. */
  lengthAt(place: number): number {
    return this.#partOf(place).readUInt32LE(offsetOf(place) + 20)
  }

  /** The first or second 32-bit word of the key. */
  keyAt(place: number, half: 0 | 1): number {
    return this.#partOf(place).readUInt32LE(offsetOf(place) + 24 + 4 * half)
  }

  failedAt(place: number): boolean {
    return this.#partOf(place).readUInt32LE(offsetOf(place) + 32) === 1
  }

  add({ id, offset, length, key, score, failed, outcomes }: IndexEntry): void {
    const place = this.#grow()
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

  /** Adds the entry of a line that another index has, for its copy at the end. */
  addCopy(other: RecordIndex, place: number): void {
    const copy = this.#grow()
    const part = this.#partOf(copy)
    const from = offsetOf(place)
    other.#partOf(place).copy(part, offsetOf(copy), from, from + entrySize)
    part.writeDoubleLE(this.covered, offsetOf(copy))
    this.covered += this.lengthAt(copy)
  }

  /** Makes room for an entry, and returns its place. */
  #grow(): number {
    if (this.#count % partLength === 0) this.#parts.push(Buffer.alloc(partLength * entrySize))
    return this.#count++
  }

  /** Writes new entries, then the header: a header that covers missing entries would lose rows. */
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
