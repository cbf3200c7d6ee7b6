import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeAbandoned } from '../../scripts/build-if-needed.mjs'
import { folderWith } from './folder-with.ts'

test('of two that saw a dead build lock, the second leaves the lock that the first has taken since', () => {
  const folder = folderWith({})
  const file = join(folder, 'build.lock')
  // No process has this number.
  writeFileSync(file, '4194999')
  removeAbandoned(file)
  expect(existsSync(file)).toBe(false)
  writeFileSync(file, String(process.pid))
  removeAbandoned(file)
  expect(readFileSync(file, 'utf8')).toBe(String(process.pid))
})

test('only one at a time removes a dead lock', () => {
  const folder = folderWith({ 'build.lock': '4194999', 'build.lock.guard': '' })
  removeAbandoned(join(folder, 'build.lock'))
  expect(existsSync(join(folder, 'build.lock'))).toBe(true)
})
