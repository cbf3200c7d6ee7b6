import { expect, test } from 'vitest'
import { differentRevisions } from './different-revisions.ts'

const source = (repository: string, commit: string, files = {}) => ({
  repository,
  commit: commit.length === 1 ? commit.repeat(40) : commit,
  files,
})

test('a branch that has moved on', () => {
  expect(differentRevisions([source('hf://a/b', '1')], [source('hf://a/b', '2')])).toEqual([
    'hf://a/b at 111111111111 in the first run and at 222222222222 in the second',
  ])
  expect(differentRevisions([source('hf://a/b', '1')], [source('hf://a/b', '1'), source('hf://c/d', '2')])).toEqual([])
})

test('another revision of the same repository, unless it is the same commit', () => {
  expect(differentRevisions([source('hf://datasets/a/b', '1')], [source('hf://datasets/a/b@v2', '2')])).toEqual([
    'hf://datasets/a/b at 111111111111 in the first run and hf://datasets/a/b@v2 at 222222222222 in the second',
  ])
  expect(differentRevisions([source('hf://gpt2@v1', '1')], [source('hf://gpt2', '2')])).toHaveLength(1)
  expect(differentRevisions([source('hf://a/b', '1')], [source('hf://a/b@v2', '1')])).toEqual([])
  expect(differentRevisions([source('hf://a/b', '1')], [source('hf://datasets/a/b', '2')])).toEqual([])
})

test('a revision that both runs used does not replace one that only the first used', () => {
  const card = source('hf://datasets/a/b', '1')
  const converted = source('hf://datasets/a/b@refs/convert/parquet', '2')
  expect(differentRevisions([card, converted], [card])).toEqual([])
})

test('ModelScope has branches only: contents are compared', () => {
  const run = (hash: string) => [source('ms://a/b', 'master', { 'tokenizer.json': hash, 'config.json': 'same' })]
  expect(differentRevisions(run('x'), run('y'))).toEqual(['ms://a/b with different contents of tokenizer.json'])
})

test('runs without anything from a hub', () => {
  expect(differentRevisions(undefined, [source('hf://a/b', '1')])).toEqual([])
})
