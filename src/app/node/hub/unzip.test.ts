import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { unzip } from './unzip.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-unzip-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** An archive with one file; as ZIP64, all its numbers are in the longer records. */
function archive(name: string, text: string, { isLong = false, directory = 0 } = {}): string {
  const data = deflateRawSync(Buffer.from(text))
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(name.length, 26)
  const extra = Buffer.alloc(isLong ? 28 : 0)
  if (isLong) {
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(24, 2)
    for (const [index, value] of [text.length, data.length, 0].entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index)
  }
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  for (const [at, value] of [
    [20, data.length],
    [24, text.length],
    [42, 0],
  ] as const)
    entry.writeUInt32LE(isLong ? 0xffffffff : value, at)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt16LE(extra.length, 30)
  const files = Buffer.concat([local, Buffer.from(name), data])
  const list = Buffer.concat([entry, Buffer.from(name), extra])
  const long = Buffer.alloc(isLong ? 76 : 0)
  if (isLong) {
    long.writeUInt32LE(0x06064b50, 0)
    for (const [at, value] of [
      [32, 1],
      [40, list.length],
      [48, directory || files.length],
    ] as const)
      long.writeBigUInt64LE(BigInt(value), at)
    long.writeUInt32LE(0x07064b50, 56)
    long.writeBigUInt64LE(BigInt(files.length + list.length), 64)
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(isLong ? 0xffff : 1, 10)
  end.writeUInt32LE(isLong ? 0xffffffff : list.length, 12)
  end.writeUInt32LE(isLong ? 0xffffffff : files.length, 16)
  const path = join(mkdtempSync(join(folder, 'zip-')), 'rows.zip')
  writeFileSync(path, Buffer.concat([files, list, long, end]))
  return path
}

const text = '{"question": "2+2?"}\n'.repeat(100)

test.for([false, true])('a file is unpacked (ZIP64: %s)', (isLong) => {
  const zip = archive('data/test.jsonl', text, { isLong })
  const [path] = unzip(zip, `${zip}.unpacked`)
  expect(path).toBe(join(`${zip}.unpacked`, 'data/test.jsonl'))
  expect(readFileSync(path!, 'utf8')).toBe(text)
})

test('a damaged ZIP64 directory is an error', () => {
  const zip = archive('a', text, { isLong: true, directory: 7 })
  expect(() => unzip(zip, `${zip}.unpacked`)).toThrow('its directory is damaged')
})

test('a path that leads out of the archive is an error', () => {
  const zip = archive('../a', text)
  expect(() => unzip(zip, `${zip}.unpacked`)).toThrow('leads out of it')
})
