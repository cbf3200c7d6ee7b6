import { expect, test } from 'vitest'
import { MarkFinder } from './later-constraint.ts'

const finder = (counts: (before: string) => boolean = () => true) =>
  new MarkFinder({ mark: '<call>', counts, constraint: { kind: 'json-object' } })

test('a mark is found at any chunking, with the text after it', () => {
  expect(finder().push('Hi <call>\n{')).toBe('\n{')
  const slow = finder()
  expect(
    Array.from('a <call><cal<call>', (character) => slow.push(character)).flatMap((rest, at) => (rest === undefined ? [] : [at])),
  ).toEqual([7, 17])
})

test('marks that do not count, and marks inside a value, are ignored', () => {
  const thinking = finder((before) => !before.includes('<think>') || before.includes('</think>'))
  expect(thinking.push('<think>I could <call>{}')).toBeUndefined()
  expect(thinking.push('</think><ca')).toBeUndefined()
  expect(thinking.push('ll>{')).toBe('{')
  thinking.skip('"a": "<call>"}')
  expect(thinking.push(' and')).toBeUndefined()
})
