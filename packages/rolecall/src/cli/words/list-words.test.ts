import { Command } from 'commander'
import { expect, test } from 'vitest'
import { withListWords } from './list-words.ts'

const run = new Command('run').argument('[config]').option('--models <names>').option('--limit <number>')

test('several words after the flag of a list are one value, up to the next flag or the config', () => {
  expect(withListWords(['run', '--models', 'a', 'b', 'eval.yaml'], run)).toEqual(['run', '--models', 'a,b', 'eval.yaml'])
  expect(withListWords(['run', '--models', 'a', 'b', '--limit', '3'], run)).toEqual(['run', '--models', 'a,b', '--limit', '3'])
})

test('the flag of one value takes one word, and nothing after -- is a list', () => {
  expect(withListWords(['run', '--limit', '3', 'b'], run)).toEqual(['run', '--limit', '3', 'b'])
  expect(withListWords(['run', '--', '--models', 'a', 'b'], run)).toEqual(['run', '--', '--models', 'a', 'b'])
})
