import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { folderWith } from '../proof/testing/folder-with.ts'
import { rolecall } from '../proof/testing/rolecall.ts'
import { blocksOf, readPage } from './page.ts'

test('the config of the first tutorial is the one that init writes for its rows', async () => {
  const blocks = blocksOf(readPage('docs/tutorial-first-score.md'))
  const codeOf = (wanted: string) => blocks.find(({ language }) => language === wanted)!.code
  const folder = folderWith({ 'rows.jsonl': codeOf('jsonl') })
  const { code, stderr } = await rolecall(['init', '--yes', '--data', 'rows.jsonl'], folder)
  expect(code, stderr).toBe(0)
  const written = readFileSync(join(folder, 'rolecall.config.yaml'), 'utf8')
  expect(parse(codeOf('yaml'))).toEqual(parse(written))
  expect(written).not.toMatch(/[&*]a\d/)
})
