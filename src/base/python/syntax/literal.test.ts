import { expect, test } from 'vitest'
import { pyFloat } from '../index.ts'
import { literalOf } from './literal.ts'

test.each([
  ['[1, -2, "a"]', [1, -2, 'a']],
  [" {'a': (True, None)}", { a: [true, null] }],
  ['1.5', pyFloat(1.5)],
  ['-1.5', pyFloat(-1.5)],
])('%s is a literal', (text, value) => expect(literalOf(text)).toEqual(value))

test.each(['', '1 +', 'f(1)', '[x]', '{**a}', '1)(2', '__import__("os")', '[1, 2', '1 < 2'])('%s is none', (text) =>
  expect(literalOf(text)).toBeUndefined(),
)
