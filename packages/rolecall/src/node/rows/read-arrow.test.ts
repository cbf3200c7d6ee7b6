import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { stringifyJson } from '../../../../core/src/base/python/index.ts'
import { readRows } from './read-rows.ts'

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'rolecall-arrow-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function textOf(path: string): Promise<string[]> {
  const lines: string[] = []
  for await (const row of readRows(path)) lines.push(stringifyJson(row, { ensureAscii: false }))
  return lines
}

const rows = [
  '{"text": "a", "large": "x", "whole": 1, "small": 0, "short": -1, "half": 1.0, "real": 1.0, "double": 1.0, "yes": true, "nothing": null, "list": ["x", "y"], "two": [1, 2], "nested": {"a": 1.0, "b": [{"c": "d"}]}, "coded": "red", "time": "1970-01-01T00:00:00.000Z", "date": "1970-01-01T00:00:00.000Z"}',
  '{"text": null, "large": "", "whole": -2, "small": 1, "short": null, "half": -0.5, "real": 0.25, "double": 0.5, "yes": false, "nothing": null, "list": [], "two": [3, 4], "nested": {"a": null, "b": []}, "coded": "blue", "time": "2023-11-14T22:13:20.123Z", "date": "2022-01-08T00:00:00.000Z"}',
  '{"text": "ü😀", "large": null, "whole": 1152921504606846976, "small": 255, "short": 7, "half": null, "real": null, "double": null, "yes": null, "nothing": null, "list": null, "two": null, "nested": null, "coded": "red", "time": null, "date": null}',
]

test.for(['values.arrow', 'file.arrow'])('%s: every kind of value, in two batches', async (name) => {
  expect(await textOf(fixture(name))).toEqual(rows)
})

const whole = readFileSync(fixture('values.arrow'))
const damaged = (bytes: Uint8Array) => {
  const path = join(mkdtempSync(join(folder, 'x-')), 'rows.arrow')
  writeFileSync(path, bytes)
  return path
}

test.for([
  ['an empty file', Buffer.alloc(0)],
  ['another file', Buffer.from('{"question": "2+2?"}')],
  ['a file of zeros', Buffer.alloc(64)],
  ['a stream cut in a batch', whole.subarray(0, whole.length - 200)],
  ['a file without its end', readFileSync(fixture('file.arrow')).subarray(0, -10)],
] as const)('%s is an error', async ([, bytes]) => {
  await expect(textOf(damaged(bytes))).rejects.toThrow('the file is not readable as Arrow')
})

test('a missing file is an error', async () => {
  await expect(textOf(join(folder, 'no.arrow'))).rejects.toThrow('there is no such file')
})
