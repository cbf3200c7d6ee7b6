import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { LineFile } from './line-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-lines-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function linesOf(content: string | Buffer, isComplete = true): Promise<LineFile> {
  const path = join(folder, `${Math.random()}.jsonl`)
  writeFileSync(path, content)
  const file = new LineFile(path)
  await file.scan({ isComplete })
  return file
}

test('any lines can be read; blank lines and a byte order mark are skipped', async () => {
  const file = await linesOf('\ufeff{"a": 1}\n\n  \r\n{"b": "二"}\r\n{"c": 3}')
  expect(file.count).toBe(3)
  expect(await file.read(1, 1)).toEqual(['{"b": "二"}\r'])
  expect(await file.read(0, 9)).toEqual(['{"a": 1}', '{"b": "二"}\r', '{"c": 3}'])
  expect(await file.read(3, 1)).toEqual([])
  expect(file.hasLoneReturns).toBe(false)
  await file.close()
})

test('lines longer than a block or across its boundary are complete unless cut', async () => {
  const long = 'x'.repeat(3_000_000)
  const lines = ['short', long, ...Array.from({ length: 300_000 }, (_, index) => `line ${index}`)]
  const file = await linesOf(`${lines.join('\n')}\n`)
  expect(file.count).toBe(lines.length)
  expect((await file.read(1, 1))[0]).toHaveLength(3_000_000)
  expect(await file.read(0, 3, 10)).toEqual(['short', 'xxxxxxxxxx', 'line 0'])
  expect(await file.read(200_002, 2)).toEqual(['line 200000', 'line 200001'])
  await file.close()
})

test('an incomplete line is not indexed until it is complete', async () => {
  const file = await linesOf('{"a": 1}\n{"b"', false)
  expect(file.count).toBe(1)
  appendFileSync(file.path, ': 2}\n')
  await file.scan()
  expect(await file.read(0, 5)).toEqual(['{"a": 1}', '{"b": 2}'])
  await file.close()
})

test('lines that end with CR alone are detected', async () => {
  const file = await linesOf('{"a": 1}\r{"b": 2}\r')
  expect(file.hasLoneReturns).toBe(true)
  await file.close()
})

test('a closed file stays closed, even for pending reads', async () => {
  const file = await linesOf('{"a": 1}\n{"b": 2}\n')
  const chunks = file.chunks()
  await chunks.next()
  await file.close()
  await expect(file.read(0, 1)).rejects.toThrow('is closed')
})
