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
    const index = fits(saved, this.#descriptor) ? saved : new RecordIndex()
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
