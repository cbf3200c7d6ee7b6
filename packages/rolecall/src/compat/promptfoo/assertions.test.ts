import { expect, test } from 'vitest'
import { isFulfilled, whyUnsupported } from './assertions.ts'
import type { PromptfooHost } from './promptfoo-host.ts'
import { readAssertions } from './read-assertions.ts'

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
  ['is-json', { type: 'object', required: ['a'] }, '{"a": 1}', true],
  ['is-json', { type: 'object', required: ['a'] }, '{"b": 1}', false],
  ['contains-json', undefined, 'so: {"a": "}"} ok', true],
  ['contains-json', { required: ['a'] }, 'so: {"b": 1} or {"a": 1}', true],
  ['contains-json', undefined, 'so: {a', false],
  ['contains-any', 'a, "x, y"', 'x, y', true],
  ['levenshtein', 'kitten', 'sitting', true],
  ['levenshtein', 'kitten', 'a long sentence', false],
  ['word-count', { min: 2, max: 3 }, 'two words', true],
  ['word-count', 3, 'two words', false],
  ['not-contains', 'a', 'b', true],
  ['not-is-json', undefined, '1', false],
] as const)('%s %j of %j is %s', ([type, value, output, expected]) => {
  expect(isFulfilled({ type, value }, output)).toBe(expected)
})

test.for([
  ['contains', undefined, 'contains has no value'],
  ['not-regex', undefined, 'not-regex has no value'],
  ['python', 'x', 'python would run code'],
  ['rouge-n', 'x', 'rouge-n is not supported'],
] as const)('%s %j cannot be evaluated', ([type, value, reason]) => {
  expect(whyUnsupported({ type, value })).toContain(reason)
})

const host: PromptfooHost = {
  allowExec: false,
  matching: () => [],
  readText: (path) => (path === 'gold.txt' ? 'the gold\n' : '{"required": ["a"]}'),
  readScript: () => 'module.exports = () => true',
}
const vars = { gold: 'a', braces: '{{ braces }}' }

test.for([
  ['contains', '{{ env.HOME }}', 'it reads environment variables'],
  ['contains', '{{ gold | nothing }}', "No filter named 'nothing'"],
  ['javascript', 'file://check.js', 'pass --allow-exec'],
  ['javascript', 'file://check.py', 'a program in another language'],
  ['contains', 'file://make.py', 'a program'],
] as const)('%s with %s is not read', ([type, value, reason]) => {
  expect(readAssertions([{ type, value }], { vars, host, templates: {} })).toMatchObject({
    reason: expect.stringContaining(reason),
    index: 0,
  })
})

test.for([
  ['equals', '{{ gold | upper }}', 'A'],
  ['icontains', '{{gold}} and {{ braces }}', 'a and {{ braces }}'],
  ['contains-any', ['{{gold}}', 'file://gold.txt'], ['a', 'the gold']],
  ['is-json', 'file://schema.json', { required: ['a'] }],
  ['is-json', 'required: [a]', { required: ['a'] }],
  ['contains', '{{missing}}', ''],
] as const)('%s with %j compares with %j', ([type, value, expected]) => {
  expect(readAssertions([{ type, value }], { vars, host, templates: {} })).toMatchObject([{ value: expected }])
})

test('an assertion may be a template of the config, and code in one line may begin with declarations', () => {
  const templates = { polite: { type: 'not-contains', value: 'no' } }
  const read = readAssertions([{ $ref: '#/assertionTemplates/polite' }, { type: 'javascript', value: "const s = output; s === 'a;b'" }], {
    vars,
    host,
    templates,
  })
  expect(read).toMatchObject([{ type: 'not-contains', value: 'no' }, { javascript: { code: "const s = output; return s === 'a;b'" } }])
})

test('a regular expression that needs more than linear time runs in the sandbox', () => {
  expect(readAssertions([{ type: 'regex', value: '(a)\\1' }], { vars, host, templates: {} })).toMatchObject([
    { javascript: { kind: 'body' } },
  ])
})
