import { crc32, deflateRawSync } from 'node:zlib'

export type ZipOptions = {
  /** All numbers are in the longer records of ZIP64. */
  isLong?: boolean
  /** Where the list of files is said to be, if not where it is. */
  directory?: number
}

/** A ZIP archive of small files. Names must be ASCII. */
export function zipOf(files: Readonly<Record<string, string>>, { isLong = false, directory }: ZipOptions = {}): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text)
    const data = deflateRawSync(content)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(crc32(content), 14)
    local.writeUInt16LE(name.length, 26)
    entries.push(entryOf(name, { checksum: crc32(content), size: content.length, packed: data.length, offset, isLong }))
    locals.push(local, Buffer.from(name), data)
    offset += 30 + name.length + data.length
  }
  const list = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(isLong ? 0xffff : entries.length, 10)
  end.writeUInt32LE(isLong ? 0xffffffff : list.length, 12)
  end.writeUInt32LE(isLong ? 0xffffffff : (directory ?? offset), 16)
  const long = isLong ? [longEnd(entries.length, list.length, directory ?? offset, offset + list.length)] : []
  return Buffer.concat([...locals, list, ...long, end])
}

type Numbers = { checksum: number; size: number; packed: number; offset: number; isLong: boolean }

function entryOf(name: string, { checksum, size, packed, offset, isLong }: Numbers): Buffer {
  const extra = Buffer.alloc(isLong ? 28 : 0)
  if (isLong) {
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(24, 2)
    for (const [index, value] of [size, packed, offset].entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index)
  }
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(checksum, 16)
  entry.writeUInt32LE(isLong ? 0xffffffff : packed, 20)
  entry.writeUInt32LE(isLong ? 0xffffffff : size, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt16LE(extra.length, 30)
  entry.writeUInt32LE(isLong ? 0xffffffff : offset, 42)
  return Buffer.concat([entry, Buffer.from(name), extra])
}

/** The end record of ZIP64, and its locator. */
function longEnd(count: number, length: number, start: number, at: number): Buffer {
  const record = Buffer.alloc(76)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(length), 40)
  record.writeBigUInt64LE(BigInt(start), 48)
  record.writeUInt32LE(0x07064b50, 56)
  record.writeBigUInt64LE(BigInt(at), 64)
  return record
}
