import type { UnpackBudget } from '@rolecall/core/internal/errors'
import type { DataReader, PageHeader } from 'hyparquet'

/** What a column's pages are read with: how many levels say where lists begin and values are null, and the type of its values. */
export type ColumnShape = { name: string; repetition: number; definition: number; type: string }

/**
 * Lengths that a writer may round up: bit-packed groups have eight values, and some writers fill a whole run of 64 groups.
 * @see https://parquet.apache.org/docs/file-format/data-pages/encodings/
 */
const mostPadding = 512

/** Refuses a page whose header or levels would have a reader make more values than the header says, or read without an end. */
export class PageCheck {
  readonly #column: ColumnShape
  readonly #budget: UnpackBudget
  readonly #decoders: Decoders

  constructor(column: ColumnShape, budget: UnpackBudget, decoders: Decoders) {
    this.#column = column
    this.#budget = budget
    this.#decoders = decoders
  }

  /** Charges what a reader makes of a page, by its header. */
  header(header: PageHeader): void {
    const { uncompressed_page_size: size, compressed_page_size: packed, data_page_header_v2: second } = header
    if (!(packed >= 0)) throw damaged(this.#column, 'the size of a page')
    const values = valuesOf(header)
    if (second !== undefined && header.type === 'DATA_PAGE_V2') {
      const { num_nulls: nulls, definition_levels_byte_length: definition, repetition_levels_byte_length: repetition } = second
      const fits = isCount(nulls, values) && isCount(definition, packed) && isCount(repetition, packed - definition)
      if (!fits || definition + repetition > size) throw damaged(this.#column, 'a page of its second version')
    }
    this.#charge(size)
    // Lists in lists: each level is an array.
    this.#charge(values * 8 * (1 + this.#column.repetition))
  }

  /** Checks the levels of a page of the second version, which are never compressed. `bytes`: the whole page. */
  levels(header: PageHeader, bytes: Uint8Array): void {
    const page = header.data_page_header_v2
    if (header.type !== 'DATA_PAGE_V2' || page === undefined) return
    const { num_values: values, repetition_levels_byte_length: repetition, definition_levels_byte_length: definition } = page
    const reader = readerOf(bytes)
    if (this.#column.repetition > 0) this.#runs(reader, widthOf(this.#column.repetition), values)
    reader.offset = repetition
    if (this.#column.definition > 0 && definition > 0) this.#runs(reader, widthOf(this.#column.definition), values)
  }

  /** Checks the unpacked values of a page; those of the first version follow its levels. */
  values(header: PageHeader, bytes: Uint8Array): void {
    const reader = readerOf(bytes)
    if (header.type === 'DATA_PAGE_V2' && header.data_page_header_v2 !== undefined) {
      const { num_values: all, num_nulls: nulls, encoding } = header.data_page_header_v2
      this.#encoded(reader, encoding, all - nulls, 2)
    } else if (header.type === 'DATA_PAGE' && header.data_page_header !== undefined) {
      const { num_values: all, encoding } = header.data_page_header
      if (this.#column.repetition > 0) this.#sizedRuns(reader, this.#column.repetition, all)
      this.#encoded(reader, encoding, this.#column.definition > 0 ? this.#sizedRuns(reader, this.#column.definition, all) : all, 1)
    }
  }

  /** `count`: the values that are not null. What has another encoding is as long as its bytes. */
  #encoded(reader: DataReader, encoding: string, count: number, version: 1 | 2): void {
    if (count === 0) return
    const isBoolean = encoding === 'RLE' && (version === 2 || this.#column.type === 'BOOLEAN')
    if (isBoolean) {
      reader.offset += 4
      this.#runs(reader, 1, count)
    } else if (encoding === 'RLE' || encoding.endsWith('_DICTIONARY')) {
      const width = reader.view.getUint8(reader.offset++)
      if (width > 32) throw damaged(this.#column, 'the width of its indices')
      // A dictionary of one entry needs no indices in the first version.
      if (width > 0 || version === 2) this.#runs(reader, width, count)
    } else if (encoding === 'DELTA_BYTE_ARRAY') {
      // Each value repeats the start of the one before: a few bytes can stand for many long values.
      const [prefixes, suffixes] = [this.#lengths(reader, count), this.#lengths(reader, count)]
      this.#charge(sumOf(prefixes) + sumOf(suffixes))
    } else if (encoding.startsWith('DELTA_')) this.#deltaHeader(reader)
  }

  #lengths(reader: DataReader, count: number): Int32Array {
    this.#deltaHeader({ view: reader.view, offset: reader.offset })
    const lengths = new Int32Array(count)
    this.#decoders.deltaBinaryUnpack(reader, count, lengths)
    return lengths
  }

  /** Blocks without values, or that lead backwards, never end. */
  #deltaHeader(reader: DataReader): void {
    const [block, parts] = [varInt(reader), varInt(reader)]
    const isSound = block > 0 && block <= 1 << 24 && parts > 0 && parts <= block && block % parts === 0
    if (!isSound) throw damaged(this.#column, 'the size of its blocks')
  }

  /** Levels with their length before them; returns how many values are not null. */
  #sizedRuns(reader: DataReader, level: number, values: number): number {
    const length = reader.view.getUint32(reader.offset, true)
    const start = reader.offset + 4
    this.#runs({ view: reader.view, offset: start }, widthOf(level), values)
    const levels = new Array<number>(values)
    this.#decoders.readRleBitPackedHybrid({ view: reader.view, offset: start }, widthOf(level), levels, length)
    reader.offset = start + length
    return levels.reduce((count, found) => count + Number(found === level), 0)
  }

  /** Walks runs of repeated and of packed values: none may be longer than the values that are left. */
  #runs(reader: DataReader, width: number, values: number): void {
    for (let left = values; left > 0; ) {
      const header = varInt(reader)
      const isPacked = (header & 1) === 1
      const count = isPacked ? (header >>> 1) * 8 : header >>> 1
      if (count > left + (isPacked ? mostPadding : 0)) throw damaged(this.#column, 'the length of a run of values')
      reader.offset += isPacked ? (count / 8) * width : (width + 7) >> 3
      left -= count
    }
  }

  #charge(bytes: number): void {
    this.#budget.take(bytes, `column ${this.#column.name}`)
  }
}

/** The parts of hyparquet that decode lengths. */
export type Decoders = {
  deltaBinaryUnpack(reader: DataReader, count: number, output: Int32Array): void
  readRleBitPackedHybrid(reader: DataReader, width: number, output: number[], length?: number): void
}

function valuesOf(header: PageHeader): number {
  switch (header.type) {
    case 'DATA_PAGE':
      return header.data_page_header?.num_values ?? 0
    case 'DATA_PAGE_V2':
      return header.data_page_header_v2?.num_values ?? 0
    default:
      return header.dictionary_page_header?.num_values ?? 0
  }
}

function isCount(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= most
}

function widthOf(level: number): number {
  return 32 - Math.clz32(level)
}

function readerOf(bytes: Uint8Array): DataReader {
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 }
}

function sumOf(lengths: Int32Array): number {
  return lengths.reduce((sum, length) => sum + Math.max(0, length), 0)
}

/** A number of at most five bytes. */
function varInt(reader: DataReader): number {
  let result = 0
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = reader.view.getUint8(reader.offset++)
    result |= (byte & 0x7f) << shift
    if (byte < 0x80) return result >>> 0
  }
  throw new Error('a number in a page is damaged')
}

function damaged({ name }: ColumnShape, what: string): Error {
  return new Error(`column ${name}: ${what} is damaged`)
}
