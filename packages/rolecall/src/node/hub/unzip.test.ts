import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type ZipOptions, zipOf } from '../../../../../proof/testing/zip-of.ts'
import { unzip } from './unzip.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-unzip-'))
afterAll(() => rmSync(folder, { recursive: true }))

const text = '{"question": "2+2?"}\n'.repeat(100)
const archive = (name: string, options?: ZipOptions) => {
  const path = join(mkdtempSync(join(folder, 'zip-')), 'rows.zip')
  writeFileSync(path, zipOf({ [name]: text, 'other.txt': 'x' }, options))
  return path
}

test.for([false, true])('files are unpacked (ZIP64: %s)', (isLong) => {
  const zip = archive('data/test.jsonl', { isLong })
  const paths = unzip(zip, `${zip}.unpacked`)
  expect(paths).toEqual(['data/test.jsonl', 'other.txt'].map((name) => join(`${zip}.unpacked`, name)))
  expect(readFileSync(paths[0]!, 'utf8')).toBe(text)
})

test('a damaged ZIP64 directory is an error', () => {
  const zip = archive('a', { isLong: true, directory: 7 })
  expect(() => unzip(zip, `${zip}.unpacked`)).toThrow('its directory is damaged')
})

test('a path that leads out of the archive is an error', () => {
  const zip = archive('../a')
  expect(() => unzip(zip, `${zip}.unpacked`)).toThrow('leads out of it')
})

test('an archive with any byte changed is unpacked, or an error that names it', () => {
  const whole = zipOf({ 'b.txt': 'hello hello hello' })
  const path = join(mkdtempSync(join(folder, 'zip-')), 'rows.zip')
  for (let at = 0; at < whole.length; at++) {
    for (const value of [0, 255]) {
      const changed = Buffer.from(whole)
      changed[at] = value
      writeFileSync(path, changed)
      try {
        unzip(path, mkdtempSync(join(folder, 'unpacked-')))
      } catch (error) {
        expect(error).toMatchObject({ code: 'bad-zip', where: path })
      }
    }
  }
})
