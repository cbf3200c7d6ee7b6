import { closeSync, fstatSync, readSync, type Stats, statSync } from 'node:fs'
import { parseCompactJson } from '@rolecall/core/internal/python'
import type { RowRecord } from '../../../evaluation/run/record/run-record.ts'
import { openRegular } from '../../regular-file.ts'
import { LineReader } from './line-reader.ts'
import { RecordIndex } from './record-index.ts'
import { scanRecords } from './scan-records.ts'

/** Index data of a row, available without reading its line. */
export type RecordOutline = { id: number; score?: number; failed: boolean; outcomes: number }

/** The index file beside a records file. */
export function indexFile(file: string): string {
  return `${file.replace(/\.jsonl$/, '')}.index`
}

/** The open file, its index, and index positions in the order of row numbers. */
type OpenFile = { descriptor: number; lines: LineReader; index: RecordIndex; order: Uint32Array }

/**
 * Reads the rows of one model on one dataset by range and by number, also during a run: `refresh` picks up new rows. Rows are
 * ordered by number, however they were written; the last line of a row wins.
 */
export class Records {
  readonly file: string
  readonly #onOpen: (records: Records) => void
  /** Undefined at rest. */
  #open: OpenFile | undefined
  #isClosed = false
  /** Known at rest, too: the number of rows, and the state of the file when they were counted. */
  #count = 0
  #stamp = ''
  #unreadable: { of: string; lines: number } | undefined

  /** Rows from this number on are not read. */
  readonly #end: number

  /** `onOpen` is called when the file is opened: at first, and after each rest. */
  constructor(file: string, onOpen: (records: Records) => void = () => undefined, end = Number.POSITIVE_INFINITY) {
    this.file = file
    this.#onOpen = onOpen
    this.#end = end
    this.#now()
  }

  /** The number of rows. */
  get count(): number {
    return this.#count
  }

  /** Changes when rows are added or replaced. */
  get stamp(): string {
    return this.#stamp
  }

  get isOpen(): boolean {
    return this.#open !== undefined
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

  /** All rows, read one by one. */
  *rows(): Generator<RowRecord> {
    for (let place = 0; place < this.count; place++) yield this.#record(place)
  }

  /** The raw line at a position, for scanning all rows for a few fields. */
  line(place: number): string {
    const { offset, length } = this.#entry(place)
    return this.#now().lines.read(offset, length)
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
    const of = `${this.#stamp} ${isComplete}`
    if (this.#unreadable?.of === of) return this.#unreadable.lines
    const { descriptor, index } = this.#now()
    let [end, lines] = [0, 0]
    for (let place = 0; place < index.length; place++) {
      const { offset, length } = index.at(place)
      if (offset > end) lines += countLines(descriptor, end, offset)
      end = offset + length
    }
    const { size } = fstatSync(descriptor)
    lines += countLines(descriptor, end, index.covered) + (isComplete && size > index.covered ? 1 : 0)
    this.#unreadable = { of, lines }
    return lines
  }

  /** Picks up new rows; returns whether there were any. */
  refresh(): boolean {
    const now = statSync(this.file)
    if (stampOf(now) === this.#stamp) return false
    const open = this.#open
    // The file is replaced when a finished pair is sorted.
    if (!open || now.ino !== fstatSync(open.descriptor).ino || now.size < open.index.covered) {
      this.rest()
      this.#now()
      return true
    }
    this.#stamp = stampOf(now)
    const before = open.index.length
    scanRecords(open.descriptor, open.index)
    if (open.index.length === before) return false
    open.order = orderOf(open.index)
    this.#count = this.#countOf(open)
    return true
  }

  /** Closes the file and drops its index, until rows are read again. */
  rest(): void {
    if (!this.#open) return
    closeSync(this.#open.descriptor)
    this.#open = undefined
  }

  close(): void {
    this.rest()
    this.#isClosed = true
  }

  #now(): OpenFile {
    if (this.#open) return this.#open
    if (this.#isClosed) throw new Error(`${this.file} is closed`)
    const descriptor = openRegular(this.file)
    // Before the file is read: what is appended meanwhile is found by the next refresh.
    this.#stamp = stampOf(fstatSync(descriptor))
    const saved = RecordIndex.read(indexFile(this.file))
    const index = !isNewer(this.file) && fits(saved, descriptor) ? saved : new RecordIndex()
    scanRecords(descriptor, index)
    this.#open = { descriptor, lines: new LineReader(descriptor), index, order: orderOf(index) }
    this.#count = this.#countOf(this.#open)
    this.#onOpen(this)
    return this.#open
  }

  #countOf({ index, order }: OpenFile): number {
    let count = order.length
    while (count > 0 && index.idAt(order[count - 1]!) >= this.#end) count--
    return count
  }

  #entry(place: number) {
    const { index, order } = this.#now()
    return index.at(order[place]!)
  }

  #record(place: number): RowRecord {
    return parseCompactJson(this.line(place)) as RowRecord
  }
}

/** Changes when a file does. */
function stampOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`
}

/** Opens the records of a pair, with its index if that matches; rows from number `end` on are not read. */
export function openRecords(file: string, end?: number): Records {
  return new Records(file, undefined, end)
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
