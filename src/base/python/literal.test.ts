import { expect, test } from 'vitest'
import { numpyRound, pyRound } from './data/round.ts'
import { pyFloat } from './data/value.ts'
import { pythonLiteral } from './literal.ts'
import { guardedPattern } from './regex/index.ts'

test.each([
  [`"a\\n" 'b'`, 'a\nb'],
  [`['YES', "NO"]`, ['YES', 'NO']],
  [`(1, -2, None, True)`, [1, -2, null, true]],
  ['-1.0', pyFloat(-1)],
  [`{'a': [1]}`, new Map([['a', [1]]])],
])('%s is a value that is written out', (text, value) => expect(pythonLiteral(text)).toEqual(value))

test.each(['f(1)', 'x', 'a = 1', '[x]', '', '1\n2', "['a'] * 2", "{1: 'a'}", "f'{x}'", '[1'])('%j is none, and is not run', (text) =>
  expect(pythonLiteral(text)).toBeUndefined(),
)

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
