import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw, inflateRawSync } from 'node:zlib'
import { PromptError, UnpackBudget } from '@rolecall/core/internal/errors'

type Entry = { name: string; method: number; packed: number; size: number; offset: number }

/** A longer list of files is refused: its length is only a number in the archive. */
const longestDirectory = 2 ** 28

/**
 * The files of a ZIP archive, unpacked once into a folder. Names that lead out of the folder are refused.
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export async function unzip(archive: string, folder: string): Promise<string[]> {
  const { entries, size } = withArchive(archive, (file) => ({ entries: entriesOf(file, archive), size: fstatSync(file).size }))
  const budget = new UnpackBudget(archive, size)
  const paths: string[] = []
  for (const entry of entries) {
    if (entry.name.endsWith('/') || basename(entry.name).startsWith('.') || entry.name.startsWith('__MACOSX/')) continue
    const place = join(folder, entry.name)
    const parts = entry.name.split(/[\\/]/)
    if (entry.name.startsWith('/') || parts.includes('..') || /^[A-Za-z]:|\0/.test(entry.name))
      throw broken(archive, `the path ${JSON.stringify(entry.name)} leads out of it`)
    if (!existsSync(place)) await writeEntry(archive, entry, place, budget)
    paths.push(place)
  }
  return paths
}

/** Streams a member to its place, which has it whole or not at all. */
async function writeEntry(archive: string, { name, method, packed, offset }: Entry, place: string, budget: UnpackBudget): Promise<void> {
  checkMethod(archive, name, method)
  const start = withArchive(archive, (file) => startOf(file, { name, packed, offset }, archive))
  mkdirSync(dirname(place), { recursive: true })
  const temporary = `${place}.${process.pid}.incomplete`
  const charge = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      budget.take(chunk.length, name)
      yield chunk
    }
  }
  const source = packed === 0 ? Readable.from([]) : createReadStream(archive, { start, end: start + packed - 1 })
  try {
    const out = createWriteStream(temporary)
    await (method === 0 ? pipeline(source, charge, out) : pipeline(source, createInflateRaw(), charge, out))
    renameSync(temporary, place)
  } catch (error) {
    throw /^Z_/.test((error as NodeJS.ErrnoException).code ?? '') ? cannotUnpack(archive, name, error) : error
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Unpackers by the number of their method, besides stored and deflate; they give no more than `size` bytes. */
export type Unpackers = Readonly<Record<number, (packed: Uint8Array, size: number) => Buffer>>

/** The members of a ZIP archive, each read when asked for. */
export function readArchive(archive: string, unpackers: Unpackers = {}): { names: readonly string[]; content(name: string): Buffer } {
  const { entries, budget } = withArchive(archive, (file) => ({
    entries: new Map(entriesOf(file, archive).map((entry) => [entry.name, entry])),
    budget: new UnpackBudget(archive, fstatSync(file).size),
  }))
  /** Members are read again and again, and charged once. */
  const charged = new Set<string>()
  return {
    names: [...entries.keys()],
    content(name) {
      const entry = entries.get(name)
      if (!entry) throw broken(archive, `it has no ${name}`)
      const own = charged.has(name) ? new UnpackBudget(archive, Number.POSITIVE_INFINITY) : budget
      charged.add(name)
      return withArchive(archive, (file) => contentOf(file, entry, archive, own, unpackers))
    },
  }
}

function withArchive<Result>(archive: string, use: (file: number) => Result): Result {
  const file = openSync(archive, 'r')
  try {
    return use(file)
  } catch (error) {
    // Numbers in it lead out of the file.
    throw error instanceof RangeError ? broken(archive, 'it is damaged') : error
  } finally {
    closeSync(file)
  }
}

function entriesOf(file: number, archive: string): Entry[] {
  const { size } = fstatSync(file)
  const tail = bytes(file, Math.max(0, size - 65_557), Math.min(size, 65_557))
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0) throw broken(archive, 'it is not a ZIP archive, or it is cut off')
  const { count, length, start } = directoryOf(file, tail, end, archive)
  if (length > Math.min(size, longestDirectory)) throw broken(archive, 'its directory is damaged')
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

function contentOf(
  file: number,
  { name, method, packed, size, offset }: Entry,
  archive: string,
  budget: UnpackBudget,
  unpackers: Unpackers,
): Buffer {
  const unpack = unpackers[method]
  if (!unpack) checkMethod(archive, name, method)
  const start = startOf(file, { name, packed, offset }, archive)
  budget.takeWhole(method === 0 ? packed : size, name)
  const data = bytes(file, start, packed)
  if (method === 0) return data
  try {
    if (unpack) return unpack(data, size)
    return inflateRawSync(data, { maxOutputLength: Math.max(size, 1) })
  } catch (error) {
    throw cannotUnpack(archive, name, error)
  }
}

/** Where the data of a member is. */
function startOf(file: number, { name, packed, offset }: Pick<Entry, 'name' | 'packed' | 'offset'>, archive: string): number {
  const header = bytes(file, offset, 30)
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (start + packed > fstatSync(file).size) throw broken(archive, `${name} is cut off`)
  return start
}

function checkMethod(archive: string, name: string, method: number): void {
  if (method !== 0 && method !== 8) throw broken(archive, `${name} is packed by method ${method}, which is not supported`)
}

function cannotUnpack(archive: string, name: string, error: unknown): PromptError {
  return broken(archive, `${name} cannot be unpacked (${(error as Error).message})`)
}

function bytes(file: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  const read = readSync(file, buffer, 0, length, position)
  return buffer.subarray(0, read)
}

function broken(archive: string, problem: string): PromptError {
  return new PromptError('bad-zip', { where: archive, problem, fix: 'unpack it by hand and give the files inside' })
}
