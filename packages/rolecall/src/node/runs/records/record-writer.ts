import { closeSync, fdatasync, fstatSync, ftruncateSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { compactJson, isPlainJson, JsonSyntaxError, type PyValue, parseCompactJson } from '@rolecall/core/internal/python'
import { outcomeBits } from '../../../evaluation/run/record/outcome.ts'
import type { RowRecord } from '../../../evaluation/run/record/run-record.ts'
import { KeyTable, type KeyWords, keyWords } from './key-table.ts'
import { LineReader } from './line-reader.ts'
import { RecordIndex } from './record-index.ts'
import { fits, indexFile } from './records.ts'
import { scanRecords } from './scan-records.ts'
import { copySorted } from './sorted-copy.ts'

/** Milliseconds between syncs of records and index to disk. */
const settleAfter = 1000
const blockSize = 1 << 20
/** Milliseconds for which lines are batched into one write. */
const gatherFor = 5
/** The usual size of the buffer for these lines. */
const waitingSize = 1 << 16
const newline = 0x0a

/**
 * Writes the records of one pair: one JSON line per row, in order of completion. Lines are written whole, so a killed run leaves at most
 * one torn line, which is cut off when the file is opened again.
 */
export class RecordWriter {
  readonly file: string
  readonly #descriptor: number
  readonly #lines: LineReader
  readonly #index: RecordIndex
  /** The position of each row's latest line, + 1. */
  #byId = new Uint32Array(1024)
  readonly #byKey = new KeyTable((place, half) => this.#index.keyAt(place, half))
  /** Bytes of a torn line cut off, and lines that are not records. */
  readonly repaired: { bytes: number; lines: number }
  #end: number
  #settled = performance.now()
  /** Lines that are not written yet. */
  #waiting = Buffer.allocUnsafe(waitingSize)
  #used = 0
  #timer: NodeJS.Timeout | undefined
  #flushed = Number.NEGATIVE_INFINITY
  #failure: unknown
  readonly #mayWrite: () => void

  /** `mayWrite` is called before each write and throws if another process has taken over the file. */
  constructor(file: string, mayWrite: () => void = () => {}) {
    this.file = file
    this.#mayWrite = mayWrite
    mkdirSync(dirname(file), { recursive: true })
    this.#descriptor = openSync(file, 'a+')
    this.#lines = new LineReader(this.#descriptor)
    const saved = RecordIndex.read(indexFile(file))
    this.#index = fits(saved, this.#descriptor) ? saved : new RecordIndex()
    const { end, bad } = scanRecords(this.#descriptor, this.#index)
    const { size } = fstatSync(this.#descriptor)
    if (size > end) ftruncateSync(this.#descriptor, end)
    this.repaired = { bytes: size - end, lines: bad }
    this.#end = end
    for (let place = 0; place < this.#index.length; place++) this.#know(place)
  }

  /** Returns which rows have a line, and whether they failed; undefined if there are none. */
  known(): ((id: number) => 'answered' | 'failed' | undefined) | undefined {
    if (this.#index.length === 0) return undefined
    const places = this.#byId.slice()
    return (id) => {
      const place = places[id] ?? 0
      return place === 0 ? undefined : this.#index.failedAt(place - 1) ? 'failed' : 'answered'
    }
  }

  /** The number of lines. */
  get lines(): number {
    return this.#index.length
  }

  has(id: number): boolean {
    return (this.#byId[id] ?? 0) > 0
  }

  /** The row's record, whatever its prompt was. */
  findRow(id: number): RowRecord | undefined {
    return this.has(id) ? this.#record(this.#byId[id]! - 1) : undefined
  }

  /** The row's record if its question is the same, regardless of model and settings. */
  findQuestion(id: number, key: string): RowRecord | undefined {
    const record = this.findRow(id)
    return record?.key.slice(0, 32) === key.slice(0, 32) ? record : undefined
  }

  /** The record with this key: the row's own or, with `anyRow`, that of another row with the same request. */
  find(id: number, key: string, anyRow: boolean): RowRecord | undefined {
    const words = keyWords(key)
    const own = this.has(id) ? this.#matching(this.#byId[id]! - 1, key, words) : undefined
    if (own || !anyRow) return own
    const other = this.#byKey.find(words)
    // Failures of other rows are not reused.
    return other === undefined || this.#index.at(other).failed ? undefined : this.#matching(other, key, words)
  }

  /**
   * Adds a line. Lines within a few milliseconds are batched into one write: a kill loses no more than it would have lost a moment
   * earlier, when these answers were still in flight.
   */
  add(record: RowRecord): void {
    const length = this.#append(jsonOf(record))
    this.#index.add({
      id: record.id,
      offset: this.#end,
      length,
      key: keyWords(record.key),
      score: record.score ?? Number.NaN,
      failed: record.error !== undefined,
      outcomes: outcomeBits(record),
    })
    this.#end += length
    this.#know(this.#index.length - 1)
    if (this.#failure !== undefined) throw this.#failure
    // Immediately if the last write is long enough ago: timers are late in a busy process.
    const wait = this.#flushed + gatherFor - performance.now()
    if (wait <= 0) this.flush()
    else this.#timer ??= setTimeout(this.#flushLater, wait)
  }

  /** Encodes a line into the buffer, and returns its length in bytes. */
  #append(json: string): number {
    // A UTF-16 unit takes at most three bytes.
    const most = this.#used + 3 * json.length + 1
    if (most > this.#waiting.length) {
      const grown = Buffer.allocUnsafe(Math.max(most, 2 * this.#waiting.length))
      this.#waiting.copy(grown, 0, 0, this.#used)
      this.#waiting = grown
    }
    const length = this.#waiting.write(json, this.#used) + 1
    this.#used += length
    this.#waiting[this.#used - 1] = newline
    return length
  }

  readonly #flushLater = () => {
    try {
      this.flush()
    } catch {
      // For example, a full disk; the next `add` throws it.
    }
  }

  /** Writes the buffered lines. After a failed write there is no other, because lines after a torn one would be lost. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#failure !== undefined) throw this.#failure
    if (this.#used === 0) return
    try {
      this.#mayWrite()
      const end = this.#used
      this.#used = 0
      for (let written = 0; written < end; ) written += writeSync(this.#descriptor, this.#waiting, written, end - written)
      if (this.#waiting.length > blockSize) this.#waiting = Buffer.allocUnsafe(waitingSize)
      // Not Date.now(), which may go backwards.
      const now = performance.now()
      this.#flushed = now
      if (now - this.#settled > settleAfter) {
        this.#settled = now
        this.#settle()
      }
    } catch (error) {
      this.#failure = error
      throw error
    }
  }

  /** Saves the index and flushes records to disk. */
  #settle(then = () => {}): void {
    this.#index.save(indexFile(this.file))
    // A failing disk is reported by the next write.
    fdatasync(this.#descriptor, then)
  }

  /** Writes buffered lines and flushes records to disk. */
  sync(): Promise<void> {
    this.flush()
    return new Promise((resolve, reject) => {
      fdatasync(this.#descriptor, (error) => (error ? reject(error) : resolve()))
    })
  }

  /** Resolves when a closed file is flushed to disk. */
  settled: Promise<void> = Promise.resolve()

  /** Closes the file. With `sort`, rows are sorted and deduplicated first. */
  close({ sort }: { sort: boolean }): void {
    const descriptor = this.#descriptor
    try {
      this.flush()
      this.#mayWrite()
      if (sort && !this.#isSorted()) {
        this.#sort()
        closeSync(descriptor)
      } else {
        this.settled = new Promise((resolve) => {
          this.#settle(() => {
            closeSync(descriptor)
            resolve()
          })
        })
      }
    } catch (error) {
      closeSync(descriptor)
      throw error
    }
  }

  #know(place: number): void {
    const id = this.#index.idAt(place)
    if (id >= this.#byId.length) {
      const grown = new Uint32Array(2 * id)
      grown.set(this.#byId)
      this.#byId = grown
    }
    this.#byId[id] = place + 1
    this.#byKey.add([this.#index.keyAt(place, 0), this.#index.keyAt(place, 1)], place)
  }

  #matching(place: number, key: string, [high, low]: KeyWords): RowRecord | undefined {
    if (this.#index.keyAt(place, 0) !== high || this.#index.keyAt(place, 1) !== low) return undefined
    const record = this.#record(place)
    return record?.key === key ? record : undefined
  }

  /** Undefined if the line is damaged: the row then counts as not run. */
  #record(place: number): RowRecord | undefined {
    this.flush()
    const { offset, length } = this.#index.at(place)
    try {
      return parseCompactJson(this.#lines.read(offset, length)) as RowRecord
    } catch (error) {
      if (error instanceof JsonSyntaxError || error instanceof SyntaxError) return undefined
      throw error
    }
  }

  #isSorted(): boolean {
    let [previous, bytes] = [-1, 0]
    for (let place = 0; place < this.#index.length; place++) {
      const id = this.#index.idAt(place)
      if (id <= previous) return false
      previous = id
      bytes += this.#index.lengthAt(place)
    }
    return bytes === this.#end
  }

  /** Writes the rows sorted to a new file and atomically replaces the old one. */
  #sort(): void {
    const temporary = `${this.file}.sorting`
    const sorted = copySorted(this.#lines, this.#index, this.#byId, temporary)
    // The index depends on the order of lines. If the run is killed here, none is better than a wrong one.
    rmSync(indexFile(this.file), { force: true })
    renameSync(temporary, this.file)
    sorted.save(indexFile(this.file))
  }
}

/** Values from rows, models and evaluators may need Python's JSON (NaN, floats); everything else in a record is plain JSON. */
function jsonOf(record: RowRecord): string {
  const { columns, gold, score, details, prediction } = record
  const isPlain =
    isPlainJson(columns as PyValue) && isPlainJson(gold) && isPlainJson(score) && isPlainJson(details) && isPlainJson(prediction)
  return isPlain ? JSON.stringify(record) : compactJson(record as PyValue)
}
