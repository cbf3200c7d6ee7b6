import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type ZipOptions, zipOf } from '../../../../../proof/testing/zip-of.ts'
import { readArchive, unzip } from './unzip.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-unzip-'))
afterAll(() => rmSync(folder, { recursive: true }))

const text = '{"question": "2+2?"}\n'.repeat(100)
const archive = (name: string, options?: ZipOptions) => {
  const path = join(mkdtempSync(join(folder, 'zip-')), 'rows.zip')
  writeFileSync(path, zipOf({ [name]: text, 'other.txt': 'x' }, options))
  return path
}

test.for([false, true])('files are unpacked (ZIP64: %s)', async (isLong) => {
  const zip = archive('data/test.jsonl', { isLong })
  const paths = await unzip(zip, `${zip}.unpacked`)
  expect(paths).toEqual(['data/test.jsonl', 'other.txt'].map((name) => join(`${zip}.unpacked`, name)))
  expect(readFileSync(paths[0]!, 'utf8')).toBe(text)
})

test('a damaged ZIP64 directory is an error', async () => {
  const zip = archive('a', { isLong: true, directory: 7 })
  await expect(unzip(zip, `${zip}.unpacked`)).rejects.toThrow('its directory is damaged')
})

test('a path that leads out of the archive is an error', async () => {
  const zip = archive('../a')
  await expect(unzip(zip, `${zip}.unpacked`)).rejects.toThrow('leads out of it')
})

test('an archive with any byte changed is unpacked, or an error that names it', async () => {
  const whole = zipOf({ 'b.txt': 'hello hello hello' })
  const path = join(mkdtempSync(join(folder, 'zip-')), 'rows.zip')
  for (let at = 0; at < whole.length; at++) {
    for (const value of [0, 255]) {
      const changed = Buffer.from(whole)
      changed[at] = value
      writeFileSync(path, changed)
      try {
        await unzip(path, mkdtempSync(join(folder, 'unpacked-')))
      } catch (error) {
        expect(error).toMatchObject({ code: 'bad-zip', where: path })
      }
    }
  }
})

describe('an archive that unpacks to far more than its size is refused with the name of the member', () => {
  const bomb = (name: string) => {
    const path = join(mkdtempSync(join(folder, 'zip-')), 'log.zip')
    writeFileSync(path, zipOf({ 'small.json': '{}', [name]: '0'.repeat(24 << 20) }))
    return path
  }

  test('into a folder, which keeps nothing of it', async () => {
    const zip = bomb('rows.jsonl')
    await expect(unzip(zip, `${zip}.unpacked`)).rejects.toThrow('log.zip › rows.jsonl: it unpacks to more than 200 times its size')
    expect(readdirSync(`${zip}.unpacked`)).toEqual(['small.json'])
  })

  test('and in memory, in which no member is longer than it declares', () => {
    const zip = bomb('samples/1.json')
    const { content } = readArchive(zip)
    expect(content('small.json').toString()).toBe('{}')
    expect(() => content('samples/1.json')).toThrow('log.zip › samples/1.json: it unpacks to more than 200 times its size')
    const bytes = readFileSync(zip)
    const entry = bytes.lastIndexOf('samples/1.json') - 46
    bytes.writeUInt32LE(100, entry + 24)
    writeFileSync(zip, bytes)
    expect(() => readArchive(zip).content('samples/1.json')).toThrow('samples/1.json cannot be unpacked')
  })

  test('also if it is many members that are the same bytes of the archive', () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.txt`, 'x'.repeat(1 << 20)]))
    const path = join(mkdtempSync(join(folder, 'zip-')), 'log.zip')
    writeFileSync(path, zipOf(files))
    const { names, content } = readArchive(path)
    expect(() => names.map((name) => content(name))).toThrow('it unpacks to more than 200 times its size')
    // A member that is read again is charged once.
    const again = readArchive(path)
    for (let count = 0; count < 30; count++) again.content('0.txt')
  })
})
