import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { textBlocks } from './text-blocks.ts'

async function textOf(path: string, most: number): Promise<string> {
  let text = ''
  for await (const block of textBlocks(path, most)) text += block.text
  return text
}

test('an overlong line is reported with its number before it is fully read, even if compressed', async () => {
  const path = join(folderWith({}), 'rows.jsonl.gz')
  writeFileSync(path, gzipSync(`{}\n{}\n${'a'.repeat(2_000_000)}\n`))
  await expect(textOf(path, 1_000_000)).rejects.toThrow(`${path}:3: the line is longer than 1,000,000 bytes`)
  expect(await textOf(path, 2_100_000)).toHaveLength(2_000_007)
})

test('the limit does not apply to many lines together', async () => {
  const path = join(folderWith({}), 'rows.jsonl')
  writeFileSync(path, `${'b'.repeat(99_999)}\n`.repeat(30))
  expect(await textOf(path, 200_000)).toHaveLength(3_000_000)
})
