import { expect, test } from 'vitest'
import { isFulfilled, whyUnsupported } from './assertions.ts'
import { readTests } from './read-tests.ts'

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
  ['not-regex', undefined, 'not-regex has no value'],
  ['is-json', { type: 'object' }, 'is-json with a schema is not supported'],
  ['regex', '(a)\\1', 'the regular expression (a)\\1 is not supported'],
  ['python', 'x', 'python would run code'],
  ['rouge-n', 'x', 'rouge-n is not supported'],
] as const)('%s %j cannot be evaluated', ([type, value, reason]) => {
  expect(whyUnsupported({ type, value })).toContain(reason)
})

test.for([
  ['equals', '{{ gold | upper }}', 'equals with {{ gold | upper }} is not supported'],
  ['contains', '{{missing}}', 'contains with {{missing}} is not supported'],
  ['contains-any', ['a', 'file://answers.txt'], 'contains-any with file://answers.txt is not supported'],
  ['javascript', 'file://check.js', 'javascript would run code'],
  ['equals', '{{ gold }}', undefined],
  ['icontains', '{{gold}} and {{ braces }}', undefined],
] as const)('%s of the template %j', ([type, value, reason]) => {
  const vars = { gold: 'a', braces: '{{ braces }}' }
  const [row] = readTests({ tests: [{ vars, assert: [{ type, value }] }] }, () => {})
  const found = whyUnsupported(row!.assert[0]!)
  if (reason === undefined) expect(found).toBeUndefined()
  else expect(found).toContain(reason)
})
