import { deflateRawSync, gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { gunzip } from './gunzip.ts'
import { unzipTexts } from './unzip-texts.ts'

/** A ZIP archive with one deflated file. */
function zipped(name: string, text: string): Uint8Array {
  const packed = deflateRawSync(text)
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(local.length + name.length + packed.length, 16)
  return Buffer.concat([local, Buffer.from(name), packed, entry, Buffer.from(name), end])
}

test('a text is read, also across the borders of its pieces', async () => {
  const text = '长文本 '.repeat(100_000)
  expect(await unzipTexts(zipped('a.txt', text), 'a.zip').text('a.txt')).toBe(text)
})

test('a text is read where streams cannot be iterated, as in Safari', async () => {
  vi.spyOn(ReadableStream.prototype, Symbol.asyncIterator).mockImplementation(() => {
    throw new TypeError('undefined is not a function')
  })
  expect(await unzipTexts(zipped('a.txt', 'text'), 'a.zip').text('a.txt')).toBe('text')
})

test('a text that unpacks to far more than the size of the archive is refused, and so is a file', async () => {
  const text = 'x'.repeat(24 << 20)
  await expect(unzipTexts(zipped('a.txt', text), 'a.zip').text('a.txt')).rejects.toThrow('a.zip › a.txt: it unpacks to more than 200 times')
  await expect(gunzip(gzipSync(text), 'a.json.gz')).rejects.toThrow('a.json.gz: it unpacks to more than 200 times')
  expect(await gunzip(gzipSync('{}'), 'a.json.gz')).toEqual(new TextEncoder().encode('{}'))
})
