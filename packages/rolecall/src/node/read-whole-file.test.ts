import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { programTimeout } from '../../../../proof/testing/run-program.ts'
import { readModule } from './config/read-module.ts'
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

test('a device that does not end is refused, and a pipe, which would block', () => {
  // Windows has neither.
  expect(() => readWholeFile(existsSync('/dev/zero') ? '/dev/zero' : 'none')).toThrow(
    existsSync('/dev/zero') ? 'this is a device, not a regular file' : 'ENOENT',
  )
  if (process.platform === 'win32') return
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-whole-'))
  try {
    execFileSync('mkfifo', [join(folder, 'pipe')], { timeout: programTimeout })
    symlinkSync('/dev/zero', join(folder, 'link'))
    expect(() => readWholeFile(join(folder, 'pipe'))).toThrow('this is a pipe, not a regular file')
    expect(() => readWholeFile(join(folder, 'link'))).toThrow('this is a device, not a regular file')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a config in TypeScript that is a pipe or a device is refused, instead of waiting for its end', async () => {
  if (process.platform === 'win32') return
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-whole-'))
  try {
    execFileSync('mkfifo', [join(folder, 'pipe.config.ts')], { timeout: programTimeout })
    symlinkSync('/dev/zero', join(folder, 'device.config.ts'))
    for (const [name, kind] of [
      ['pipe.config.ts', 'pipe'],
      ['device.config.ts', 'device'],
    ] as const)
      await expect(readModule(join(folder, name), name)).rejects.toThrow(`this is a ${kind}, not a regular file`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
