import { expect, test } from 'vitest'
import { pyFloat } from '../../../../core/src/base/python/values/data.ts'
import { numpyRound, pyRound } from '../../../../core/src/base/python/values/numbers.ts'
import { pyRepr, repr } from '../../../../core/src/base/python/values/repr.ts'
import { plainText } from '../../../../core/src/base/python/values/text.ts'
import { guardedPattern } from '../regex/index.ts'
import { evaluateLiteral, readLiteral } from './literal.ts'

/** What `repr(ast.literal_eval(text))` shows in Python 3.11. */
test.each([
  ['9007199254740993', '9007199254740993'],
  ['-9007199254740993', '-9007199254740993'],
  ['0x10', '16'],
  ['0o17', '15'],
  ['0b101', '5'],
  ['0xffffffffffffffffff', '4722366482869645213695'],
  ['1_000', '1000'],
  ['00', '0'],
  ['+1', '1'],
  ['-0', '0'],
  ['-0.0', '-0.0'],
  ['1e3', '1000.0'],
  ['1_0.5_0', '10.5'],
  ['.5', '0.5'],
  [`'''a\n"b"'''`, `'a\\n"b"'`],
  ['"""a"""', "'a'"],
  [`"a\\n" 'b'`, "'a\\nb'"],
  ["r'\\n'", "'\\\\n'"],
  ["u'é'", "'é'"],
  [`['a ''b''', "b's"]`, `['a b', "b's"]`],
  ['["\\u00e9", 1.0, None, True]', "['é', 1.0, None, True]"],
  ['{1, 2}', '{1, 2}'],
  ['{1, 1.0, True}', '{1}'],
  ['set()', 'set()'],
  ['()', '()'],
  ['1,', '(1,)'],
  ["(1, -2, ('x',))", "(1, -2, ('x',))"],
  ["{'a': [1], 2: (None, {3: {4}}), (5, 6): {}}", "{'a': [1], 2: (None, {3: {4}}), (5, 6): {}}"],
  ['  [1, # one\n  2,\n]\n', '[1, 2]'],
])('%j is a literal', (text, shown) => expect(plainText(repr(evaluateLiteral(text)))).toBe(shown))

const expressions = [
  '',
  'x',
  'f(1)',
  'a = 1',
  '[x]',
  '1 + 2',
  '--1',
  '-True',
  '~1',
  "-'a'",
  '1 < 2',
  '1\n2',
  "['a'] * 2",
  "f'{x}'",
  '{**a}',
]
const mistakes = ['1 +', '[1', '1)(2', '[1\n2]', "'a", '01', '0x', '1__0', '{[]: 1}', '{{1}}', '__import__("os")', 'set(1)']
const unsupported = ['1j', "b'a'", '...']
test.each([...expressions, ...mistakes, ...unsupported])('%j is not a literal, and is not run', (text) =>
  expect(readLiteral(text)).toBeUndefined(),
)

test('plain data has lists for tuples and sets, and strings for keys', () => {
  expect(pyRepr(readLiteral("{'a': (1, {2}), 3: None}"))).toBe("{'a': [1, [2]], '3': None}")
  expect(readLiteral('9007199254740993')).toBe(9007199254740993n)
  expect(readLiteral('-1.0')).toEqual(pyFloat(-1))
  expect(readLiteral('None')).toBeNull()
})

test.each([
  [2.675, 2, 2.67],
  [7.125, 2, 7.12],
  [7.375, 2, 7.38],
  [-0.5, 0, -0],
  [Number.NaN, 2, Number.NaN],
])('%d is rounded as Python does', (value, digits, rounded) => expect(pyRound(value, digits)).toBe(rounded))

test.each([
  [3.335, 3.34],
  [1.165, 1.16],
  [0.415, 0.42],
  [-0.125, -0.12],
])('%d is rounded as NumPy does', (value, rounded) => expect(numpyRound(value, 2)).toBe(rounded))

test('a guarded pattern replaces what it finds, and reads no pattern in what it puts there', () => {
  expect(guardedPattern(String.raw`(\d),(\d)`).replace('1,2 3,4', ({ groups }) => `${groups[0]}$&${groups[1]}`)).toBe('1$&2 3$&4')
})
