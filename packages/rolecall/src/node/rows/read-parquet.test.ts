import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parquetValue } from './read-parquet.ts'

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

test('an image as Hugging Face writes it becomes a reference to a file with its bytes', () => {
  const reference = parquetValue({ bytes: png, path: 'cat.png' }, false) as string
  expect(reference).toMatch(/^file:.*[0-9a-f]{64}\.png#sha256=[0-9a-f]{64}$/)
  expect(new Uint8Array(readFileSync(fileURLToPath(reference.split('#')[0]!)))).toEqual(png)
  expect(parquetValue([{ bytes: png, path: null }], false)).toEqual([reference])
})

test('an image that is only a path stays one, and other objects stay objects', () => {
  expect(parquetValue({ bytes: null, path: 'cat.png' }, false)).toBe('cat.png')
  expect(parquetValue({ bytes: 'text', path: 'x' }, false)).toEqual({ bytes: 'text', path: 'x' })
  expect(parquetValue({ path: 'x' }, false)).toEqual({ path: 'x' })
})
