import { describe, expect, test } from 'vitest'
import { extractBoxed, lastBoxed, mathEquivalent, normalizeFinalAnswer, stripMathV1, stripMathV2 } from './math-answer.ts'

// The rules of OpenCompass's MATH, one by one; cases/scoring covers whole answers.

describe('normalizes a final answer', () => {
  test.each([
    ['an apple', 'apple'],
    ['a 5', '5'],
    ['5.$', '5'],
    ['\\$5', '5'],
    ['1\\ 2', '12'],
    ['1 2', '12'],
    ['\\mbox{x}', 'x'],
    ['1,\\text{and}2', '12'],
    ['1\\text{and}2', '12'],
    ['5\\text{m}', '5'],
    ['x\\le 3', 'x<3'],
    ['\\text{(B)}', 'B'],
    ['\\text{abc}', 'abc'],
    ['\\textbf{abc}', 'abc'],
    ['\\overline{AB}', 'AB'],
    ['\\boxed{a}{b}', 'a}{b'],
    ['final answer is 7', '7'],
    ['the answer is: 8', '8'],
    ['the answer is 9', '9'],
    ['oxed{3}', '3'],
    ['$4$ and $5$', '5'],
    [' 7\t', '7'],
    ['\\rac12', '\\\\frac{1}{2}'],
    ['\\frac12', '\\frac{1}{2}'],
    ['\\sqrt3', '\\sqrt{3}'],
    ['\\frac{1}2', '\\frac{1}2'],
    ['$3', '3'],
    ['1,234', '1234'],
    ['1,2a', '1,2a'],
    ['\\dfrac{1}{2}', '\\df\\frac{1}{2}'],
    ['5^{\\circ}', '5'],
    ['5^\\circ', '5'],
    ['1{,}000', '1000'],
    ['1,\\!000', '1000'],
    ['5\\;x', '5x'],
    ['"x"', 'x'],
    ['\\ldots1', '1'],
    ['1\\dots', '1'],
    ['5\\text{ cm}', '5'],
    ['a\rb\fc\nd', 'abcd'],
    ['\\text{\n}1', '1'],
    ['5\\mathrm{th}', '5'],
    ['\\text{}^2', ''],
    ['3\\text{s}', '3'],
    ['3\\text{.}', '3'],
  ])('%j is %j', (answer, expected) => expect(normalizeFinalAnswer(answer)).toBe(expected))

  test.each([
    ...['square', 'ways', 'integers', 'dollars', 'mph', 'inches', 'ft', 'hours', 'km', 'units', 'sue', 'points', 'feet', 'minutes'],
    ...['digits', 'cents', 'degrees', 'cm', 'gm', 'pounds', 'meters', 'meals', 'edges', 'students', 'childrentickets', 'multiples'],
    ...['\\ldots', '\\text{s}', '\\text{.}', '\\text{\ns}', '\\text{}^2', '\\text{}^3', '\\text{\n}', '\\text{}', '\\mathrm{th}', '\\dots'],
  ])('without %j', (unit) => {
    expect(normalizeFinalAnswer(`7${unit}`)).toBe('7')
    expect(normalizeFinalAnswer(`7${unit}8${unit}`)).toBe('78')
  })

  test('a comma replaces the word between two answers', () => {
    expect(normalizeFinalAnswer('x,\\text{and}y')).toBe('x,y')
    expect(normalizeFinalAnswer('x\\text{and}y')).toBe('x,y')
    expect(normalizeFinalAnswer('x.$y$')).toBe('y')
  })
})

describe('the first stripping', () => {
  test.each([
    ['', ''],
    ['1\n2', '12'],
    ['1\\!2', '12'],
    ['\\\\frac12', '\\frac{1}{2}'],
    ['\\tfrac12', '\\frac{1}{2}'],
    ['\\dfrac{1}{2}', '\\frac{1}{2}'],
    ['\\left(1\\right)', '(1)'],
    ['5^{\\circ}', '5'],
    ['5^\\circ', '5'],
    ['\\$5', '5'],
    ['5\\text{ cm}', '5'],
    ['5\\%', '5'],
    [' .5', '\\frac{1}{2}'],
    ['{.5}', '{0.5}'],
    ['.5', '\\frac{1}{2}'],
    ['k=5', '5'],
    ['kk=5', '5'],
    ['kkk=5', 'kkk=5'],
    ['a=b=c', 'a=b=c'],
    ['\\sqrt3', '\\sqrt{3}'],
    ['\\sqrt{3}', '\\sqrt{3}'],
    ['2\\sqrt3+\\sqrt{x}y', '2\\sqrt{3}+\\sqrt{x}y'],
    ['1 2', '12'],
    ['\\frac1', '\\frac1'],
    ['\\frac', '\\frac'],
    ['\\frac12x', '\\frac{1}{2}x'],
    ['\\frac1{2}', '\\frac{1}{2}'],
    ['\\frac{1}{2}+\\frac34', '\\frac{1}{2}+\\frac{3}{4}'],
    ['0.5', '\\frac{1}{2}'],
    ['1/2', '\\frac{1}{2}'],
    ['12/34', '\\frac{12}{34}'],
    ['01/2', '01/2'],
    ['1/2/3', '1/2/3'],
  ])('%j is %j', (answer, expected) => expect(stripMathV1(answer)).toBe(expected))
  test.each([
    ['5\\text{ a}\\text{ b}', 'it has units in two places'],
    ['\\sqrt', 'it has a root of nothing'],
    ['a/2', 'it divides something that is not a whole number'],
    ['1/b', 'it divides something that is not a whole number'],
    ['a/b', 'it divides something that is not a whole number'],
  ])('%j cannot be read: %s', (answer, problem) =>
    expect(() => stripMathV1(answer)).toThrow(
      expect.objectContaining({ code: 'unreadable-answer', where: 'the answer', problem, fix: 'it is compared as it stands' }),
    ),
  )
})

describe('the second stripping', () => {
  test.each([
    ['', ''],
    ['1\n2.', '12'],
    [' 5. ', '5'],
    ['1\\!2', '12'],
    ['1\\ 2', '12'],
    ['\\\\\\\\frac12', '\\frac{1}{2}'],
    ['\\tfrac12', '\\frac{1}{2}'],
    ['\\dfrac{1}{2}', '\\frac{1}{2}'],
    ['\\left(1\\right)', '(1)'],
    ['5\\text{cm}', '5'],
    ['\\text{cm}', '{cm}'],
    ['5^{\\circ}', '5'],
    ['5^\\circ', '5'],
    ['\\$5', '5'],
    ['$5$', '5'],
    ['\\text{x}y', '{x}y'],
    ['x\\in[1]', '[1]'],
    ['5\\%', '5'],
    ['5%', '5'],
    [' .5', '0.5'],
    ['{.5}', '{0.5}'],
    ['.5', '0.5'],
    ['2\\cdot3', '23'],
    ['infinity', '\\infty'],
    ['inf', '\\infty'],
    ['-inf', '-\\infty'],
    ['+\\inity', '\\infty'],
    ['1and2', '12'],
    ['\\mathbf{x}', '{x}'],
    ['\\mbox{a}1', '1'],
    ['2j', '2i'],
    ['ij', 'ij'],
    ['1.0', '1'],
    ['1.00', '1'],
    ['1.05', '1.05'],
    ['1.0x', '1x'],
    ['10.0,2', '10,2'],
    ['k=5', '5'],
    ['kkk=5', 'kkk=5'],
    ['\\sqrt3', '\\sqrt{3}'],
    ['\\sqrt12', '\\sqrt{12}'],
    ['\\sqrt{3}', '\\sqrt{3}'],
    ['1 2', '12'],
    ['\\frac12', '\\frac{1}{2}'],
    ['1/2', '\\frac{1}{2}'],
  ])('%j is %j', (answer, expected) => expect(stripMathV2(answer)).toBe(expected))
})

describe('boxed content', () => {
  test.each([
    ['\\boxed{1}', '\\boxed{1}', '1', '1'],
    ['\\boxed{a{b}c} d', '\\boxed{a{b}c}', 'a{b}c', 'a{b}c'],
    ['\\boxed{1} \\boxed{2}', '\\boxed{2}', '2', '2'],
    ['\\fbox{3}', '\\fbox{3}', null, null],
    ['\\boxed 5', null, null, null],
    ['\\boxed{1', null, null, null],
    ['none', null, null, null],
    ['\\boxed{1}\\fbox{2}', '\\boxed{1}', '1', '1'],
    ['\\fbox{2} \\boxed{{1}}', '\\boxed{{1}}', '{1}', '1'],
    ['x}\\boxed{1}', '\\boxed{1}', '1', '1'],
    ['\\boxed{ {1} }', '\\boxed{ {1} }', ' {1} ', ' {1} '],
  ])('%j', (text, last, inside, withoutBraces) => {
    expect([lastBoxed(text), extractBoxed(text), extractBoxed(text, true)]).toEqual([last, inside, withoutBraces])
  })
})

describe('two equal answers', () => {
  test.each<[string | null, string | null, 'v1' | 'v2', boolean]>([
    [null, null, 'v1', true],
    [null, '1', 'v1', false],
    ['1', null, 'v1', false],
    ['0.5', '1/2', 'v1', true],
    ['0.5', '1/2', 'v2', false],
    ['1.0', '1', 'v2', true],
    ['1.0', '1', 'v1', false],
    ['5 cm', '5', 'v1', true],
    ['5', '6', 'v1', false],
    ['\\sqrt', '\\sqrt', 'v1', true],
    ['a/b', 'a/b cm', 'v1', true],
    ['a/b', 'a/c', 'v1', false],
    ['k=5', '5', 'v1', true],
    ['', '', 'v2', true],
  ])('%j and %j by %s: %s', (a, b, version, same) => expect(mathEquivalent(a, b, version)).toBe(same))
})
