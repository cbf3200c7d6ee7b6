import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { PromptError } from '../../../base/errors/prompt-error.ts'

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
      if (entry.name.startsWith('/') || parts.includes('..') || /^[A-Za-z]:/.test(entry.name))
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
  } finally {
    closeSync(file)
  }
}

function entriesOf(file: number, archive: string): Entry[] {
  const { size } = fstatSync(file)
  const tail = bytes(file, Math.max(0, size - 65_557), Math.min(size, 65_557))
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0) throw broken(archive, 'it is not a ZIP archive, or it is cut off')
  const [count, length, start] = [tail.readUInt16LE(end + 10), tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  if (count === 0xffff || start === 0xffffffff) throw broken(archive, 'it is a ZIP64 archive, which is not supported')
  const directory = bytes(file, start, length)
  const entries: Entry[] = []
  for (let at = 0, number = 0; number < count; number++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50) throw broken(archive, 'its directory is damaged')
    const [names, extra, comment] = [directory.readUInt16LE(at + 28), directory.readUInt16LE(at + 30), directory.readUInt16LE(at + 32)]
    entries.push({
      name: directory.toString('utf8', at + 46, at + 46 + names),
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    })
    at += 46 + names + extra + comment
  }
  return entries
}

function contentOf(file: number, { name, method, packed, size, offset }: Entry, archive: string): Buffer {
  if (size > largest) throw broken(archive, `${name} is larger than 1 GB unpacked`)
  const header = bytes(file, offset, 30)
  const data = bytes(file, offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28), packed)
  if (method === 0) return data
  if (method !== 8) throw broken(archive, `${name} is packed by method ${method}, which is not supported`)
  try {
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
