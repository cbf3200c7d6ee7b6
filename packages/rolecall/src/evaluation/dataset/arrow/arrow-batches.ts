import { limits } from '@rolecall/core/internal/errors'
import { dictFromEntries, type PyDict } from '@rolecall/core/internal/python'
import { type ArrowField, arrowField, type Batch, BatchReader, type ColumnValues, type KeepMedia } from './arrow-columns.ts'
import { FlatTable } from './flat-table.ts'

const headers = { schema: 1, dictionary: 2, batch: 3 } as const

/** A batch that is larger is refused: lengths in the file decide how much memory is taken. */
const largest = 2 ** 31

/** Reads bytes of a file. Without `keepMedia`, images and audio are read as text. */
export type ArrowSource = {
  size: number
  bytes(position: number, length: number): Promise<Uint8Array<ArrayBuffer>>
  keepMedia?: KeepMedia
}

/**
 * The record batches of an Arrow file, one at a time: the stream format, in which the `datasets` library caches, and the file format.
 * @see https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc
 */
export async function* arrowBatches(file: ArrowSource): AsyncGenerator<PyDict[]> {
  let fields: ArrowField[] | undefined
  const dictionaries = new Map<number, ColumnValues>()
  for await (const { kind, header, body } of messagesOf(file)) {
    if (kind === headers.schema) fields = header.tables(1).map(arrowField)
    if (fields === undefined) break
    if (kind === headers.dictionary) {
      const id = header.int64(0)
      const field = allFields(fields).find(({ dictionary }) => dictionary?.id === id)
      if (field === undefined || header.uint8(2) !== 0) throw new Error(`dictionary ${id} is not supported`)
      const { dictionary: _, ...values } = field
      dictionaries.set(id, new BatchReader(batchOf(header.table(1)!, body), dictionaries).column(values))
    }
    if (kind !== headers.batch) continue
    const reader = new BatchReader(batchOf(header, body), dictionaries, file.keepMedia)
    const columns = fields.map((field) => [field.name, reader.column(field)] as const)
    const rows = header.int64(0)
    // Rows without a column that has bytes take no room in the file.
    if (rows > Math.max(limits.unpackedFloor, 8 * body.byteLength)) throw new Error(`a batch has ${rows} rows`)
    yield Array.from({ length: rows }, (_, row) => dictFromEntries(columns.map(([name, column]) => [name, column(row)])))
  }
  if (fields === undefined) throw new Error('it does not begin with a schema')
}

function allFields(fields: readonly ArrowField[]): ArrowField[] {
  return fields.flatMap((field) => [field, ...allFields(field.children)])
}

function batchOf(batch: FlatTable, body: Uint8Array): Batch {
  if (batch.table(3) !== undefined) throw new Error('compressed batches are not supported')
  return {
    nodes: batch.pairs(1),
    buffers: batch.pairs(2).map(([start, length]) => {
      if (start < 0 || length < 0 || start + length > body.byteLength) throw new Error('a column leads out of its batch')
      return body.subarray(start, start + length)
    }),
  }
}

type Message = { kind: number; header: FlatTable; body: Uint8Array }

async function* messagesOf({ size, bytes: bytesAt }: ArrowSource): AsyncGenerator<Message> {
  if (size < 8) throw new Error('it is too short')
  const isFile = await hasMagic(bytesAt, 0)
  // A stream may end after any batch, a file may not.
  if (isFile && !(await hasMagic(bytesAt, size - 6))) throw new Error('it is cut off')
  let at = isFile ? 8 : 0
  while (at + 8 <= size) {
    const start = new DataView((await bytesAt(at, 8)).buffer)
    // Before version 0.15, a message began with its length.
    const isOld = start.getUint32(0, true) !== 0xffffffff
    const length = start.getInt32(isOld ? 0 : 4, true)
    if (length === 0) return
    at += isOld ? 4 : 8
    if (length < 0 || at + length > size) throw new Error('it is cut off, or is another kind of file')
    const message = FlatTable.root(await bytesAt(at, length))
    at += length
    const bodyLength = message.int64(3)
    if (bodyLength > largest) throw new Error(`a batch has ${bodyLength} bytes`)
    if (bodyLength < 0 || at + bodyLength > size) throw new Error('it is cut off')
    yield { kind: message.uint8(1), header: message.table(2)!, body: await bytesAt(at, bodyLength) }
    at += bodyLength
  }
}

async function hasMagic(bytesAt: ArrowSource['bytes'], position: number): Promise<boolean> {
  return new TextDecoder().decode(await bytesAt(position, 6)) === 'ARROW1'
}
