import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { folderWith } from '../../../testing/folder-with.ts'
import { onnxFiles, readUnpacked } from './onnx-files.ts'

test('the code of the runtime is WebAssembly, whether it lies there packed or not', () => {
  expect([...readUnpacked(onnxFiles!.code).slice(0, 4)]).toEqual([0, 0x61, 0x73, 0x6d])
})

test('a file is unpacked by its name', () => {
  const folder = folderWith({ 'a.txt': 'plain' })
  writeFileSync(join(folder, 'b.txt.gz'), gzipSync('packed'))
  expect(['a.txt', 'b.txt.gz'].map((name) => Buffer.from(readUnpacked(join(folder, name))).toString())).toEqual(['plain', 'packed'])
})
