import { expect, test } from 'vitest'
import { isFulfilled, whyUnsupported } from './assertions.ts'

test.for([
  ['equals', '12', '12', true],
  ['equals', '12', '12 ', false],
  ['equals', { a: 1, b: [2] }, '{"b": [2], "a": 1}', true],
  ['equals', { a: 1 }, 'a', false],
  ['contains', 'Par', 'in Paris', true],
  ['icontains', 'PARIS', 'in Paris', true],
  ['contains-all', ['a', 'b'], 'ab', true],
  ['contains-all', 'a, z', 'ab', false],
  ['contains-any', 'a, z', 'ab', true],
  ['icontains-all', ['A', 'B'], 'ab', true],
  ['icontains-any', ['Z', 'B'], 'ab', true],
  ['starts-with', 'in', 'in Paris', true],
  ['regex', '\\d{2}', 'a12', true],
  ['is-json', undefined, '{"a": 1}', true],
  ['is-json', undefined, 'a', false],
  ['not-contains', 'a', 'b', true],
  ['not-is-json', undefined, '1', false],
] as const)('%s %j of %j is %s', ([type, value, output, expected]) => {
  expect(isFulfilled({ type, value }, output)).toBe(expected)
})

test.for([
  ['contains', undefined, 'contains has no value'],
  ['is-json', { type: 'object' }, 'is-json with a schema is not supported'],
  ['regex', '(a)\\1', 'the regular expression (a)\\1 is not supported'],
  ['python', 'x', 'python would run code'],
  ['rouge-n', 'x', 'rouge-n is not supported'],
] as const)('%s %j cannot be evaluated', ([type, value, reason]) => {
  expect(whyUnsupported({ type, value })).toContain(reason)
})
