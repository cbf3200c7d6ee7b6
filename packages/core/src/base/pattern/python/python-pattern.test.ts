import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../../proof/testing/sampling.ts'
import { UnsupportedPattern } from '../index.ts'
import { InvalidPattern } from './parse-python-pattern.ts'
import { noMatch, PythonPattern, undecided } from './python-pattern.ts'

function spanOf(source: string, text: string): [number, number] | null {
  const pattern = new PythonPattern(source)
  pattern.begin(text)
  const start = pattern.find(0)
  return start < 0 ? null : [start, pattern.end]
}

// Recorded from Python's regex 2026.9.29 with DOTALL.
test.each<[string, string, [number, number] | null]>([
  ['a.c', 'a\nc', [0, 3]],
  ['<a|<ab>', '<ab>', [0, 2]],
  [String.raw`\s`, '\x85', [0, 1]],
  [String.raw`\s`, '\x1c', null],
  [String.raw`\w`, '\u0301', [0, 1]],
  [String.raw`\w`, '²', null],
  [String.raw`\d`, '٣', [0, 1]],
  ['x{', 'x{', [0, 2]],
  ['x{,2}', 'xxx', [0, 2]],
  ['[]a]', ']', [0, 1]],
  ['[[a]]', 'a]', [0, 2]],
  ['[[:alpha:]]', 'a', [0, 1]],
  ['(?P<a>x)(?P=a)', 'xx', [0, 2]],
  ['(?x) a b # c', 'ab', [0, 2]],
  ['(?<=a|bc)d', 'bcd', [2, 3]],
  ['(?>a|ab)c', 'abc', null],
  ['a++b', 'aab', [0, 3]],
  ['$', 'a\n', [1, 1]],
  [String.raw`\Z`, 'a\n', [2, 2]],
  ['(?m)a$', 'a\nb', [0, 1]],
  ['(?|(a)|(b))\\1', 'bb', [0, 2]],
  ['(?i)k', '\u212a', [0, 1]],
  [String.raw`\p{Script=Han}`, '好', [0, 1]],
  [String.raw`\p{IsHan}`, '好', [0, 1]],
  ['(?a)\\w', 'é', null],
])('/%s/ in %j', (source, text, span) => expect(spanOf(source, text)).toEqual(span))

test.each([
  '(',
  ')',
  '*a',
  'a**',
  'a{2,1}',
  '(?P<n>',
  '(?P<1>a)',
  '(?z)a',
  String.raw`\p{Nope}`,
  '\\',
  String.raw`\1`,
  '[a',
  '[z-a]',
  String.raw`\q`,
  '(?(1)',
])('/%s/ is no pattern, as in Python', (source) =>
  expect(() => new PythonPattern(source)).toThrow(source === '(?(1)' ? UnsupportedPattern : InvalidPattern),
)

test.each(['(?R)', '(?:ab){e<=1}', String.raw`a\Kb`, '(*SKIP)', String.raw`\X`, '(?r)a', 'a{30000}'])('/%s/ is refused by name', (source) =>
  expect(() => new PythonPattern(source)).toThrow(UnsupportedPattern),
)

describe('a text that grows', () => {
  const parts = [
    'a',
    'b',
    '<',
    '.',
    '[ab]',
    String.raw`\s`,
    '(?=a)',
    '(?!b)',
    '(?!ab)',
    '(?<=a)',
    String.raw`\b`,
    '^',
    '$',
    String.raw`\Z`,
    '(?:a|ab)',
    '(?>a|ab)',
  ]
  const sign = fc.constantFrom('', '', '*', '+', '?', '*?', '??', '{1,2}', '++')
  const pattern = fc
    .array(fc.tuple(fc.constantFrom(...parts), sign), { minLength: 1, maxLength: 5 })
    .map((all) => all.map(([part, repeated]) => `(?:${part})${repeated}`).join(''))
  const alternatives = fc.array(pattern, { minLength: 1, maxLength: 3 }).map((all) => all.join('|'))
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '<', ' ', '\n', '😀'), maxLength: 9 })

  test('what is decided is never changed by what follows', () => {
    fc.assert(
      fc.property(alternatives, text, fc.nat(9), (source, text, cut) => {
        const matcher = new PythonPattern(source)
        const start = [...text.slice(0, cut)].join('')
        const early = matcher.match(start, 0, { isEnd: false })
        if (early !== undecided) expect(matcher.match(text.startsWith(start) ? text : start, 0)).toBe(early)
      }),
      { numRuns: propertyRuns(5000) },
    )
  })
})

test.each<[string, string, number]>([
  ['.', '\ud83d', 0],
  ['a.|a', 'a\ud83d', 0],
  ['.{1,2}', 'a\ud83d', 0],
  ['a(?!\ud83d)', 'a\ud83d', 0],
  [String.raw`a\b`, 'a\ud83d', 0],
  ['a*.', 'a\ud83d', 1],
])('/%s/ waits for the second half of a character that is cut in %j', (source, text, at) => {
  const pattern = new PythonPattern(source)
  pattern.begin(text, false)
  expect(pattern.matchAt(at)).toBe(undecided)
})

test('an optional tail that is cut is undecided, where Python commits', () => {
  expect(new PythonPattern('<e>(?:<f>)?').match('<e><', 0, { isEnd: false })).toBe(undecided)
  expect(new PythonPattern('<e>(?:<f>)?').match('<e>x', 0, { isEnd: false })).toBe(3)
  expect(new PythonPattern('<e>').match('<x', 0, { isEnd: false })).toBe(noMatch)
})

test.each([
  [String.raw`\s*<tool_call>`, ' '.repeat(200_000)],
  ['(a*)*b', 'a'.repeat(200_000)],
  ['(?:a|a)*b', 'a'.repeat(200_000)],
  ['<p>.*?</p>', '<p>'.repeat(70_000)],
  [String.raw`(?=[\s\S]*?</think>)`, 'a'.repeat(200_000)],
  ['.*x.*y', 'x'.repeat(200_000)],
])('/%s/ takes linear time', (source, text) => {
  const pattern = new PythonPattern(source)
  pattern.begin(text)
  expect(pattern.find(0)).toBe(noMatch)
  expect(pattern.steps / text.length).toBeLessThan(60)
})
