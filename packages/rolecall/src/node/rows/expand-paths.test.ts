import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { expandPaths } from './expand-paths.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-paths-'))
afterAll(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'a/b'), { recursive: true })
for (const name of ['10.jsonl', '2.jsonl', 'x.csv', '.hidden.jsonl', 'odd[*].jsonl', 'a/1.jsonl', 'a/b/3.jsonl'])
  writeFileSync(join(folder, name), '')

const expand = (given: string | string[]) => expandPaths(given, folder, 'sums › path').map((path) => relative(folder, path))

test('a list keeps its order', () => {
  expect(expand(['x.csv', '2.jsonl'])).toEqual(['x.csv', '2.jsonl'])
})

test('matches are sorted by name, without hidden files', () => {
  expect(expand('*.jsonl')).toEqual(['10.jsonl', '2.jsonl', 'odd[*].jsonl'])
  expect(expand('?.jsonl')).toEqual(['2.jsonl'])
  expect(expand('{x.csv,2.*}')).toEqual(['2.jsonl', 'x.csv'])
  expect(expand('.*.jsonl')).toEqual(['.hidden.jsonl'])
})

test('two stars match subfolders', () => {
  expect(expand('**/*.jsonl')).toEqual(['10.jsonl', '2.jsonl', 'a/1.jsonl', 'a/b/3.jsonl', 'odd[*].jsonl'])
  expect(expand('a/*/*.jsonl')).toEqual(['a/b/3.jsonl'])
})

test('an existing file whose name looks like a pattern is taken literally', () => {
  expect(expand('odd[*].jsonl')).toEqual(['odd[*].jsonl'])
})

test('a pattern without matches is an error; a missing path is reported when read', () => {
  expect(() => expand('*.parquet')).toThrow('sums › path: no file matches *.parquet')
  expect(expand('none.jsonl')).toEqual(['none.jsonl'])
})
