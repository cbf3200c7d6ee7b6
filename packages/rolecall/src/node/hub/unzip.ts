import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { PromptError } from '@rolecall/core/internal/errors'

type Entry = { name: string; method: number; packed: number; size: number; offset: number }

/** Larger files are refused: a small archive can hold a huge one. */
const largest = 2 ** 30

/**
 * The files of a ZIP archive, unpacked once into a folder. Names that lead out of the folder are refused.
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export function unzip(archive: string, folder: string): string[] {
  const file = openSync(archive, 'r')
  try {
    const entries = entriesOf(file, archive).filter(
      ({ name }) => !name.endsWith('/') && !basename(name).startsWith('.') && !name.startsWith('__MACOSX/'),
    )
    return entries.map((entry) => {
      const place = join(folder, entry.name)
      const parts = entry.name.split(/[\\/]/)
      if (entry.name.startsWith('/') || parts.includes('..') || /^[A-Za-z]:|\0/.test(entry.name))
        throw broken(archive, `the path ${JSON.stringify(entry.name)} leads out of it`)
      if (existsSync(place)) return place
      mkdirSync(dirname(place), { recursive: true })
      const temporary = `${place}.${process.pid}.incomplete`
      try {
        writeFileSync(temporary, contentOf(file, entry, archive))
        renameSync(temporary, place)
      } finally {
        rmSync(temporary, { force: true })
      }
      return place
    })
  } catch (error) {
    // Numbers in it lead out of the file.
    throw error instanceof RangeError ? broken(archive, 'it is damaged') : error
  } finally {
    closeSync(file)
  }
}

/** Unpackers by the number of their method, besides stored and deflate. */
export type Unpackers = Readonly<Record<number, (packed: Uint8Array, size: number) => Buffer>>

/** The members of a ZIP archive, each read when asked for. */
export function readArchive(archive: string, unpackers: Unpackers = {}): { names: readonly string[]; content(name: string): Buffer } {
  const inFile = <Result>(use: (file: number) => Result): Result => {
    const file = openSync(archive, 'r')
    try {
      return use(file)
    } catch (error) {
      throw error instanceof RangeError ? broken(archive, 'it is damaged') : error
    } finally {
      closeSync(file)
    }
  }
  const entries = new Map(inFile((file) => entriesOf(file, archive)).map((entry) => [entry.name, entry]))
  return {
    names: [...entries.keys()],
    content(name) {
      const entry = entries.get(name)
      if (!entry) throw broken(archive, `it has no ${name}`)
      return inFile((file) => contentOf(file, entry, archive, unpackers))
    },
  }
}

function entriesOf(file: number, archive: string): Entry[] {
  const { size } = fstatSync(file)
  const tail = bytes(file, Math.max(0, size - 65_557), Math.min(size, 65_557))
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0) throw broken(archive, 'it is not a ZIP archive, or it is cut off')
  const { count, length, start } = directoryOf(file, tail, end, archive)
  const directory = bytes(file, start, length)
  const entries: Entry[] = []
  for (let at = 0, number = 0; number < count; number++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50) throw broken(archive, 'its directory is damaged')
    const [names, extra, comment] = [directory.readUInt16LE(at + 28), directory.readUInt16LE(at + 30), directory.readUInt16LE(at + 32)]
    const long = longNumbers(directory.subarray(at + 46 + names, at + 46 + names + extra))
    const number32 = (value: number) => (value === 0xffffffff ? long() : value)
    // The extra field has the long numbers in this order.
    const size = number32(directory.readUInt32LE(at + 24))
    const packed = number32(directory.readUInt32LE(at + 20))
    const offset = number32(directory.readUInt32LE(at + 42))
    const [name, method] = [directory.toString('utf8', at + 46, at + 46 + names), directory.readUInt16LE(at + 10)]
    entries.push({ name, method, packed, size, offset })
    at += 46 + names + extra + comment
  }
  return entries
}

/** Where the list of files is. A ZIP64 archive has a second, longer end record, and a locator before the first. */
function directoryOf(file: number, tail: Buffer, end: number, archive: string): { count: number; length: number; start: number } {
  const [count, length, start] = [tail.readUInt16LE(end + 10), tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  if (count !== 0xffff && length !== 0xffffffff && start !== 0xffffffff) return { count, length, start }
  const hasLocator = end >= 20 && tail.readUInt32LE(end - 20) === 0x07064b50
  const record = hasLocator ? bytes(file, Number(tail.readBigUInt64LE(end - 12)), 56) : Buffer.alloc(0)
  if (record.length < 56 || record.readUInt32LE(0) !== 0x06064b50) throw broken(archive, 'its ZIP64 directory is damaged')
  const [longCount, longLength, longStart] = [32, 40, 48].map((at) => Number(record.readBigUInt64LE(at))) as [number, number, number]
  if (longLength > largest) throw broken(archive, 'its directory is larger than 1 GB')
  return { count: longCount, length: longLength, start: longStart }
}

/** Reads the numbers of the ZIP64 extra field one after the other; 0xffffffff if there are no more. */
function longNumbers(extra: Buffer): () => number {
  let at = 0
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2)
  const field = at + 4 <= extra.length ? extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2)) : Buffer.alloc(0)
  let read = 0
  return () => {
    if (read + 8 > field.length) return 0xffffffff
    const value = Number(field.readBigUInt64LE(read))
    read += 8
    return value
  }
}

function contentOf(file: number, { name, method, packed, size, offset }: Entry, archive: string, unpackers: Unpackers = {}): Buffer {
  if (Math.max(size, packed) > largest) throw broken(archive, `${name} is larger than 1 GB`)
  const header = bytes(file, offset, 30)
  const data = bytes(file, offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28), packed)
  if (method === 0) return data
  const unpack = unpackers[method]
  if (method !== 8 && !unpack) throw broken(archive, `${name} is packed by method ${method}, which is not supported`)
  try {
    if (unpack) return unpack(data, size)
    return inflateRawSync(data, { maxOutputLength: Math.max(size, 1) })
  } catch (error) {
    throw broken(archive, `${name} cannot be unpacked (${(error as Error).message})`)
  }
}

function bytes(file: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  const read = readSync(file, buffer, 0, length, position)
  return buffer.subarray(0, read)
}

function broken(archive: string, problem: string): PromptError {
  return new PromptError('bad-zip', { where: archive, problem, fix: 'unpack it by hand and give the files inside' })
}
