import { expect, test } from 'vitest'
import { codeBlocks, testsFor } from './lcbench.ts'

test.each<[answer: string, blocks: string[]]>([
  ['```python\na = 1\n```\nor\n```python\nb\n```', ['a = 1', 'b']],
  ['```py\na\n```', ['a']],
  ['```\na\n```', ['a']],
  ['see ```a = 1', ['a = 1']],
  ["[BEGIN]\n'a = 1'\n[DONE] x", ['a = 1']],
  ["'def f():\\n  return 1'", ['def f():\n  return 1']],
  ['a\\_b', ['a_b']],
])('the code of %j', (answer, blocks) => {
  expect(codeBlocks(answer)).toEqual(blocks)
})

test('tests call the methods of a class Solution', () => {
  expect(testsFor('class Solution: pass', 'assert f(f(1)) == 2\nassert  f(3)')).toBe(
    'assert Solution().f(f(1)) == 2\nassert  Solution().f(3)',
  )
  expect(testsFor('def f(): pass', 'assert f()')).toBe('assert f()')
})
