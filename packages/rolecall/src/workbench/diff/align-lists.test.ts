import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alignLists } from './align-lists.ts'
import { changeBetween, sayChange } from './change.ts'

test('finds a longest common subsequence in order', () => {
  expect(alignLists(['a', 'b', 'c', 'd'], ['b', 'x', 'd', 'a'])).toEqual([
    [1, 0],
    [3, 2],
  ])
  expect(alignLists([], ['a'])).toEqual([])
  const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 })
  fc.assert(
    fc.property(list, list, (first, second) => {
      const pairs = alignLists(first, second)
      expect(pairs.map(([one]) => first[one])).toEqual(pairs.map(([, other]) => second[other]))
      expect(pairs.every(([one, other], index) => index === 0 || (one > pairs[index - 1]![0] && other > pairs[index - 1]![1]))).toBe(true)
      expect(pairs.length).toBe(longest(first, second))
    }),
  )
})

/** A reference implementation. */
function longest(first: readonly string[], second: readonly string[]): number {
  if (first.length === 0 || second.length === 0) return 0
  if (first[0] === second[0]) return 1 + longest(first.slice(1), second.slice(1))
  return Math.max(longest(first.slice(1), second), longest(first, second.slice(1)))
}

test('changes are extended to whole markers', () => {
  const say = (first: string, second: string) => sayChange(changeBetween(first, second))
  expect(say('<|im_start|>user\n', '<s><|im_start|>user\n')).toBe('the second has "<s>" in addition')
  expect(say('<|im_end|>\n', '<|im_end|>')).toBe('the second lacks "\\n"')
  expect(say('<|im_end|>\n', '<|eot_id|>\n')).toBe('"<|im_end|>" becomes "<|eot_id|>"')
})

test('applying a change to one text gives the other', () => {
  const text = fc.string({ unit: fc.constantFrom('<', '>', 's', 'a', '\n', ' '), maxLength: 12 })
  fc.assert(
    fc.property(text, text, (first, second) => {
      const change = changeBetween(first, second)
      expect(first.slice(0, change.start) + change.second + first.slice(change.start + change.first.length)).toBe(second)
    }),
  )
})
