import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readWholeFile, readWholeText } from './read-whole-file.ts'

test('files are read whole; larger ones than allowed are refused by name, before they are read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-whole-'))
  try {
    const file = join(folder, 'template.jinja')
    for (const text of ['', '答案', 'x'.repeat(200_000)]) {
      writeFileSync(file, text)
      expect(readWholeText(file)).toBe(text)
    }
    expect(readWholeFile(file, 200_000)).toHaveLength(200_000)
    expect(() => readWholeFile(file, 199_999)).toThrow(/template\.jinja[\s\S]*larger than/)
    expect(() => readWholeFile(join(folder, 'none'))).toThrow('ENOENT')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a device that does not end is refused', () => {
  // Windows has none.
  const [device, problem] = existsSync('/dev/zero') ? ['/dev/zero', 'larger than 1 MiB'] : ['none', 'ENOENT']
  expect(() => readWholeFile(device, 1 << 20)).toThrow(problem)
})
