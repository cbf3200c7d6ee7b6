import { gzipSync } from 'node:zlib'
import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { encodings, parquetBombs, parquetFile, repeated, withLength } from '../../../../../../proof/testing/parquet-file.ts'
import { UnpackBudget } from '../../../../../core/src/base/errors/unpack-budget.ts'
import { parquetRows, unpackZstd } from './parquet-rows.ts'

type Column = Parameters<typeof parquetWriteBuffer>[0]['columnData'][number]

const write = (columnData: Column[], rowGroupSize = 1000) =>
  parquetWriteBuffer({
    columnData,
    codec: 'GZIP',
    rowGroupSize,
    compressors: { GZIP: (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes)) },
  })
const texts = (...data: string[]) => write([{ name: 'text', data, type: 'STRING' }])

async function read(buffer: ArrayBuffer, metadata?: FileMetaData): Promise<object[]> {
  const rows: object[] = []
  const budget = new UnpackBudget('rows.parquet', buffer.byteLength)
  for await (const group of parquetRows(buffer, { metadata: metadata ?? parquetMetadata(buffer), budget })) rows.push(...group)
  return rows
}

test('a file is read as without checks: groups, pages, nulls, dictionaries, lists and numbers', async () => {
  const numbers = Array.from({ length: 2500 }, (_, index) => index)
  const buffer = write([
    { name: 'text', data: numbers.map((index) => (index % 7 === 0 ? null : `row ${index % 11}`)), type: 'STRING', nullable: true },
    { name: 'number', data: numbers.map(BigInt), type: 'INT64' },
    { name: 'float', data: numbers.map((index) => index / 3), type: 'DOUBLE' },
    { name: 'flag', data: numbers.map((index) => index % 3 === 0), type: 'BOOLEAN' },
    { name: 'value', data: numbers.map((index) => ({ a: [index, { b: null }] })), type: 'JSON' },
  ])
  const metadata = parquetMetadata(buffer)
  expect(metadata.row_groups).toHaveLength(3)
  const { compressors } = await import('hyparquet-compressors')
  expect(await read(buffer)).toEqual(await parquetReadObjects({ file: buffer, metadata, compressors }))
})

test('levels and runs that are as long as their page says are read', async () => {
  const bytes = [...withLength([...repeated(3, 1), ...repeated(2, 0)]), 1, 0, 0, 0, 97, 1, 0, 0, 0, 98, 1, 0, 0, 0, 99]
  const file = parquetFile(5, [
    { name: 'text', type: 6, repetition: 1, pages: [{ kind: 'data', values: 5, encoding: encodings.plain, bytes }] },
  ])
  expect(await read(file.buffer as ArrayBuffer)).toEqual(['a', 'b', 'c', null, null].map((text) => ({ text })))
})

test('a page that unpacks to far more than the size of the file is refused with the name of its column', async () => {
  const buffer = texts('x'.repeat(24 << 20))
  expect(buffer.byteLength).toBeLessThan(100_000)
  await expect(read(buffer)).rejects.toThrow('rows.parquet › column text: it unpacks to more than 200 times its size')
})

test('a number of rows that no file of this size has is refused', async () => {
  const buffer = texts('a')
  const metadata = parquetMetadata(buffer)
  const many = { ...metadata, row_groups: metadata.row_groups.map((group) => ({ ...group, num_rows: 10n ** 9n })) }
  await expect(read(buffer, many)).rejects.toThrow('rows.parquet › its rows')
})

test.each(Object.entries(parquetBombs))('%s: refused by name, at once and in little memory', { timeout: 20_000 }, async (_, make) => {
  const bytes = make()
  const before = process.memoryUsage().rss
  await expect(read(bytes.buffer as ArrayBuffer)).rejects.toThrow(/column (?:text|flag|number|second)|its rows/)
  expect(process.memoryUsage().rss - before).toBeLessThan(100 << 20)
})

/** A Zstandard frame of blocks that each repeat one byte. */
const zstd = (blocks: number, length: number) => {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])
  const block = (isLast: boolean) => {
    const bytes = Buffer.alloc(4, 'x')
    bytes.writeUIntLE((length << 3) | (1 << 1) | Number(isLast), 0, 3)
    return bytes
  }
  return Buffer.concat([header, ...Array.from({ length: blocks }, (_, index) => block(index === blocks - 1))])
}

test('Zstandard data is unpacked, and refused if it is longer than announced', async () => {
  const { compressors } = await import('hyparquet-compressors')
  expect(Buffer.from(unpackZstd(zstd(3, 5), 15, compressors)).toString()).toBe('x'.repeat(15))
  expect(() => unpackZstd(zstd(100_000, 128 << 10), 1000, compressors)).toThrow('not as long as announced')
  expect(() => unpackZstd(zstd(2, 10).subarray(0, 9), 20, compressors)).toThrow('not as long as announced')
})
