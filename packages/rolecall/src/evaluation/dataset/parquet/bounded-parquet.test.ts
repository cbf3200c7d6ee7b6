import { gzipSync } from 'node:zlib'
import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { UnpackBudget } from '../../../../../core/src/base/errors/unpack-budget.ts'
import { boundedParquet, unpackZstd } from './bounded-parquet.ts'

const write = (data: readonly string[]) =>
  parquetWriteBuffer({
    columnData: [{ name: 'text', data: [...data], type: 'STRING' }],
    codec: 'GZIP',
    compressors: { GZIP: (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes)) },
  })

async function read(buffer: ArrayBuffer, metadata: FileMetaData = parquetMetadata(buffer)): Promise<object[]> {
  const bounded = await boundedParquet(buffer, metadata, new UnpackBudget('rows.parquet', buffer.byteLength))
  return parquetReadObjects({ ...bounded, metadata })
}

test('a file is read as without a budget', async () => {
  expect(await read(write(['a', 'b', 'a']))).toEqual([{ text: 'a' }, { text: 'b' }, { text: 'a' }])
})

test('a page that unpacks to far more than the size of the file is refused with the name of its column', async () => {
  const buffer = write(['x'.repeat(24 << 20)])
  expect(buffer.byteLength).toBeLessThan(100_000)
  await expect(read(buffer)).rejects.toThrow('rows.parquet › column text: it unpacks to more than 200 times its size')
})

test('a number of rows that no file of this size has is refused', async () => {
  const buffer = write(['a'])
  const metadata = parquetMetadata(buffer)
  const many = { ...metadata, row_groups: metadata.row_groups.map((group) => ({ ...group, num_rows: 10n ** 9n })) }
  await expect(read(buffer, many)).rejects.toThrow('rows.parquet › its rows')
})

/** A Zstandard frame of blocks that each repeat one byte. */
const repeated = (blocks: number, length: number) => {
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
  expect(Buffer.from(unpackZstd(repeated(3, 5), 15, compressors)).toString()).toBe('x'.repeat(15))
  expect(() => unpackZstd(repeated(100_000, 128 << 10), 1000, compressors)).toThrow('not as long as announced')
  expect(() => unpackZstd(repeated(2, 10).subarray(0, 9), 20, compressors)).toThrow('not as long as announced')
})
