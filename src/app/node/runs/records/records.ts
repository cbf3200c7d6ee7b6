import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { parseCompactJson } from '../../../../base/python/index.ts'
import type { RowRecord } from '../../../../evaluation/run/record/run-record.ts'
import { LineReader } from './line-reader.ts'
import { RecordIndex } from './record-index.ts'
import { scanRecords } from './scan-records.ts'

/** Index data of a row, available without reading its line. */
export type RecordOutline = { id: number; score?: number; failed: boolean; outcomes: number }

/** The index file beside a records file. */
export function indexFile(file: string): string {
  return `${file.replace(/\.jsonl$/, '')}.index`
}

/**
 * Reads the rows of one model on one dataset by range and by number, also during a run: `refresh` picks up new rows. Rows are
 * ordered by number, however they were written; the last line of a row wins.
 */
export class Records {
  readonly file: string
  #descriptor: number
  #lines: LineReader
  #index: RecordIndex
  /** Index positions in the order of row numbers. */
  #order: Uint32Array

  constructor(file: string) {
    this.file = file
    this.#descriptor = openSync(file, 'r')
    this.#lines = new LineReader(this.#descriptor)
    ;[this.#index, this.#order] = this.#load()
  }

  /** The number of rows. */
  get count(): number {
    return this.#order.length
  }

  /** Index data of the row at a position. */
  outline(place: number): RecordOutline {
    const { id, score, failed, outcomes } = this.#entry(place)
    return { id, ...(Number.isNaN(score) ? {} : { score }), failed, outcomes }
  }

  /** The rows from one position up to, not including, another. */
  read(from: number, to: number): RowRecord[] {
    const rows: RowRecord[] = []
    for (let place = Math.max(0, from); place < Math.min(to, this.count); place++) rows.push(this.#record(place))
    return rows
  }

  /** The raw line at a position, for scanning all rows for a few fields. */
  line(place: number): string {
    const { offset, length } = this.#entry(place)
    return this.#lines.read(offset, length)
  }

  /** The row with this number. */
  find(id: number): RowRecord | undefined {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#entry(middle).id < id) low = middle + 1
      else high = middle
    }
    return low < this.count && this.#entry(low).id === id ? this.#record(low) : undefined
  }

  /** Lines that are not records, as a crash or an editor leaves them. `isComplete`: the last line should have a newline. */
  unreadable({ isComplete }: { isComplete: boolean }): number {
    let [end, lines] = [0, 0]
    for (let place = 0; place < this.#index.length; place++) {
      const { offset, length } = this.#index.at(place)
      if (offset > end) lines += countLines(this.#descriptor, end, offset)
      end = offset + length
    }
    const { size } = fstatSync(this.#descriptor)
    return lines + countLines(this.#descriptor, end, this.#index.covered) + (isComplete && size > this.#index.covered ? 1 : 0)
  }

  /** Picks up new rows; returns whether there were any. */
  refresh(): boolean {
    const now = statSync(this.file)
    const opened = fstatSync(this.#descriptor)
    // The file is replaced when a finished pair is sorted.
    if (now.ino !== opened.ino || now.size < this.#index.covered) {
      closeSync(this.#descriptor)
      this.#descriptor = openSync(this.file, 'r')
      this.#lines = new LineReader(this.#descriptor)
      ;[this.#index, this.#order] = this.#load()
      return true
    }
    const before = this.#index.length
    scanRecords(this.#descriptor, this.#index)
    if (this.#index.length === before) return false
    this.#order = orderOf(this.#index)
    return true
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #load(): [RecordIndex, Uint32Array] {
    const saved = RecordIndex.read(indexFile(this.file))
    const index = !isNewer(this.file) && fits(saved, this.#descriptor) ? saved : new RecordIndex()
    scanRecords(this.#descriptor, index)
    return [index, orderOf(index)]
  }

  #entry(place: number) {
    return this.#index.at(this.#order[place]!)
  }

  #record(place: number): RowRecord {
    return parseCompactJson(this.line(place)) as RowRecord
  }
}

/** Opens the records of a pair, with its index if that matches. */
export function openRecords(file: string): Records {
  return new Records(file)
}

/** The number of lines with text between two offsets, in blocks: a line may be longer than a string. */
function countLines(descriptor: number, from: number, to: number): number {
  const block = Buffer.allocUnsafe(Math.min(to - from, 1 << 20))
  let [lines, hasText] = [0, false]
  for (let position = from; position < to; ) {
    const read = readSync(descriptor, block, 0, Math.min(block.length, to - position), position)
    if (read === 0) break
    position += read
    for (const [place, part] of block.toString('latin1', 0, read).split('\n').entries()) {
      if (place > 0) hasText = false
      if (hasText || part.trim() === '') continue
      hasText = true
      lines++
    }
  }
  return lines
}

/** A copy may set the times of both files in either order. */
const clockSlack = 2_000

/** Whether a file was changed after its index was saved: then every line is read again. */
function isNewer(file: string): boolean {
  const index = statSync(indexFile(file), { throwIfNoEntry: false })
  return index !== undefined && statSync(file).mtimeMs > index.mtimeMs + clockSlack
}

/** Whether an index matches the file, which may have been replaced since. */
export function fits(index: RecordIndex, descriptor: number): boolean {
  if (index.covered > fstatSync(descriptor).size) return false
  // A sorted file has the same lines at other offsets: checking three lines detects that.
  return [0, index.length >> 1, index.length - 1].every((place) => {
    if (place < 0 || place >= index.length) return index.length === 0
    const { id, offset, length } = index.at(place)
    const bytes = Buffer.alloc(Math.min(length, 24))
    readSync(descriptor, bytes, 0, bytes.length, offset)
    return bytes.toString('latin1').replace('"id": ', '"id":').startsWith(`{"id":${id},`)
  })
}

/** Positions in the order of row numbers, the last entry for each row. */
export function orderOf(index: RecordIndex): Uint32Array {
  let [previous, isSorted] = [-1, true]
  for (let place = 0; place < index.length && isSorted; place++) {
    const id = index.idAt(place)
    isSorted = id > previous
    previous = id
  }
  const places = new Uint32Array(index.length)
  for (let place = 0; place < places.length; place++) places[place] = place
  if (isSorted) return places
  places.sort((one, other) => index.idAt(one) - index.idAt(other) || one - other)
  return places.filter((place, at) => at + 1 === places.length || index.idAt(places[at + 1]!) !== index.idAt(place))
}
