import { dictFromEntries, type PyValue, pyFloat } from '@rolecall/core/internal/python'
import type { FlatTable } from './flat-table.ts'

// The columns of Arrow's record batches. @see https://arrow.apache.org/docs/format/Columnar.html

/** A column of a schema. */
export type ArrowField = { name: string; type: number; about: FlatTable | undefined; children: ArrowField[]; dictionary?: Dictionary }

/** Keeps the bytes of an image or audio, and gives a reference that takes their place in the row. */
export type KeepMedia = (bytes: Uint8Array) => string

type Dictionary = { id: number; bits: number; isSigned: boolean }

/** Buffers and lengths of a record batch, in the order of its columns. */
export type Batch = { nodes: [length: number, nulls: number][]; buffers: Uint8Array[] }

/** The values of a column, by row. */
export type ColumnValues = (row: number) => PyValue

const types = {
  nothing: 1,
  int: 2,
  float: 3,
  binary: 4,
  utf8: 5,
  bool: 6,
  date: 8,
  timestamp: 10,
  list: 12,
  struct: 13,
  fixedBinary: 15,
  fixedList: 16,
  largeBinary: 19,
  largeUtf8: 20,
  largeList: 21,
} as const

export function arrowField(field: FlatTable): ArrowField {
  const encoding = field.table(4)
  const index = encoding?.table(1)
  return {
    name: field.text(0),
    type: field.uint8(2),
    about: field.table(3),
    children: field.tables(5).map(arrowField),
    // Indices are signed 32-bit integers unless their type is given.
    ...(encoding
      ? { dictionary: { id: encoding.int64(0), bits: index?.int32(0) ?? 32, isSigned: index === undefined || index.uint8(1) !== 0 } }
      : {}),
  }
}

/** Reads the columns of one record batch, one after the other: each takes its buffers from the batch. */
export class BatchReader {
  readonly #nodes: Iterator<[number, number]>
  readonly #buffers: Iterator<Uint8Array>
  readonly #dictionaries: ReadonlyMap<number, ColumnValues>

  readonly #keepMedia: KeepMedia | undefined

  constructor({ nodes, buffers }: Batch, dictionaries: ReadonlyMap<number, ColumnValues>, keepMedia?: KeepMedia) {
    this.#nodes = nodes.values()
    this.#buffers = buffers.values()
    this.#dictionaries = dictionaries
    this.#keepMedia = keepMedia
  }

  column(field: ArrowField, keepMedia?: KeepMedia): ColumnValues {
    const { value: node } = this.#nodes.next()
    if (node === undefined) throw new Error(`no data for the column ${field.name}`)
    if (field.type === types.nothing) return () => null
    const validity = this.#buffer()
    const read = field.dictionary ? this.#coded(field.dictionary) : this.#values(field, keepMedia)
    const [, nulls] = node
    return nulls === 0 || validity.byteLength === 0 ? read : (row) => (bit(validity, row) ? read(row) : null)
  }

  #coded({ id, bits, isSigned }: Dictionary): ColumnValues {
    const index = integers(this.#buffer(), bits, isSigned)
    return (row) => {
      const values = this.#dictionaries.get(id)
      if (values === undefined) throw new Error(`no dictionary ${id}`)
      return values(Number(index(row)))
    }
  }

  #values({ type, about, children, name }: ArrowField, keepMedia: KeepMedia | undefined): ColumnValues {
    switch (type) {
      case types.int:
        return integers(this.#buffer(), about?.int32(0) ?? 32, (about?.uint8(1) ?? 0) !== 0)
      case types.float:
        return floats(this.#buffer(), about?.int16(0) ?? 0)
      case types.bool: {
        const bits = this.#buffer()
        return (row) => bit(bits, row)
      }
      case types.utf8:
      case types.largeUtf8:
      case types.binary:
      case types.largeBinary: {
        const offset = offsets(this.#buffer(), type >= types.largeBinary)
        const data = this.#buffer()
        const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
        const value = keepMedia ?? ((bytes: Uint8Array) => decoder.decode(bytes))
        return (row) => value(part(data, offset(row), offset(row + 1)))
      }
      case types.date: {
        const isDays = about?.int16(0, 1) === 0
        const time = integers(this.#buffer(), isDays ? 32 : 64, true)
        return (row) => new Date(Number(time(row)) * (isDays ? 86_400_000 : 1)).toISOString()
      }
      case types.timestamp: {
        const perSecond = 1000 ** (about?.int16(0) ?? 0)
        const time = integers(this.#buffer(), 64, true)
        return (row) => new Date((Number(time(row)) * 1000) / perSecond).toISOString()
      }
      case types.list:
      case types.largeList: {
        const offset = offsets(this.#buffer(), type === types.largeList)
        const values = this.column(children[0]!)
        return (row) => range(offset(row), offset(row + 1), values)
      }
      case types.fixedList: {
        const size = about?.int32(0) ?? 0
        const values = this.column(children[0]!)
        return (row) => range(size * row, size * (row + 1), values)
      }
      case types.struct: {
        // Images and audio as Hugging Face writes them: the bytes, or the path of the file.
        if (this.#keepMedia && isMedia(children)) {
          const [bytes, path] = children.map((child) => this.column(child, child.name === 'bytes' ? this.#keepMedia : undefined))
          return (row) => bytes!(row) ?? path!(row)
        }
        const columns = children.map((child) => [child.name, this.column(child)] as const)
        return (row) => dictFromEntries(columns.map(([key, column]) => [key, column(row)]))
      }
      default:
        throw new Error(`the column ${name} has Arrow type ${type}, which is not supported`)
    }
  }

  #buffer(): Uint8Array {
    const { value } = this.#buffers.next()
    if (value === undefined) throw new Error('a column has too few buffers')
    return value as Uint8Array
  }
}

function isMedia([bytes, path, ...others]: readonly ArrowField[]): boolean {
  const isBinary = bytes?.type === types.binary || bytes?.type === types.largeBinary
  return isBinary && bytes.name === 'bytes' && path?.name === 'path' && others.length === 0
}

function bit(bytes: Uint8Array, index: number): boolean {
  const byte = bytes[index >> 3]
  if (byte === undefined) throw new Error('a column is too short')
  return ((byte >> (index & 7)) & 1) === 1
}

function part(bytes: Uint8Array, from: number, to: number): Uint8Array {
  if (from < 0 || to < from || to > bytes.byteLength) throw new Error('a text leads out of its column')
  return bytes.subarray(from, to)
}

/** One by one: a damaged length fails at the first value that is not there, and takes no memory. */
function range(from: number, to: number, values: ColumnValues): PyValue[] {
  if (to < from) throw new Error('a list ends before its start')
  const found: PyValue[] = []
  for (let index = from; index < to; index++) found.push(values(index))
  return found
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function offsets(bytes: Uint8Array, isLong: boolean): (index: number) => number {
  const view = viewOf(bytes)
  // A batch without rows may have no offsets.
  if (bytes.byteLength === 0) return () => 0
  return isLong ? (index) => Number(view.getBigInt64(8 * index, true)) : (index) => view.getInt32(4 * index, true)
}

function integers(bytes: Uint8Array, bits: number, isSigned: boolean): (index: number) => number | bigint {
  const view = viewOf(bytes)
  switch (bits) {
    case 8:
      return isSigned ? (index) => view.getInt8(index) : (index) => view.getUint8(index)
    case 16:
      return isSigned ? (index) => view.getInt16(2 * index, true) : (index) => view.getUint16(2 * index, true)
    case 32:
      return isSigned ? (index) => view.getInt32(4 * index, true) : (index) => view.getUint32(4 * index, true)
    default:
      return (index) => {
        const value = isSigned ? view.getBigInt64(8 * index, true) : view.getBigUint64(8 * index, true)
        return Number.isSafeInteger(Number(value)) ? Number(value) : value
      }
  }
}

/** Floats stay floats: 1.0 is written as 1.0. */
function floats(bytes: Uint8Array, precision: number): ColumnValues {
  const view = viewOf(bytes)
  if (precision === 0) return (row) => pyFloat(half(view.getUint16(2 * row, true)))
  return precision === 1 ? (row) => pyFloat(view.getFloat32(4 * row, true)) : (row) => pyFloat(view.getFloat64(8 * row, true))
}

function half(bits: number): number {
  const [sign, exponent, fraction] = [bits >> 15 === 0 ? 1 : -1, (bits >> 10) & 31, bits & 1023]
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}
