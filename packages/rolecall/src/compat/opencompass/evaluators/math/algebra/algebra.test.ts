import { describe, expect, test } from 'vitest'
import { numberFor } from './expression.ts'
import { readMath } from './math-value.ts'
import { parseLatex } from './parse-latex.ts'
import { sameMath } from './same-math.ts'
import { treeDistance } from './tree-distance.ts'

const same = (a: string, b: string) => {
  const [left, right] = [readMath(a), readMath(b)]
  return left !== undefined && right !== undefined && sameMath(left, right)
}

describe('equal answers', () => {
  test.each([
    ['\\frac{1}{2}', '0.5'],
    ['x^2+2x+1', '(x+1)^2'],
    ['\\sqrt{8}', '2\\sqrt{2}'],
    ['\\sqrt[3]{-8}', '-2'],
    ['50\\%', '0.5'],
    ['3 \\text{ cm}', '3'],
    ['1{,}000', '1000'],
    ['x=5', '5'],
    ['\\{1,2\\}', '\\{2,1\\}'],
    ['[0,1)', '\\left[0, 1\\right)'],
    ['(-\\infty, 0) \\cup (1, 2]', '(1,2] \\cup (-\\infty,0)'],
    ['\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}', '\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}'],
    ['\\text{Yes}', 'yes'],
    ['\\sin^2 x + \\cos^2 x', '1'],
    ['\\log_2 8', '3'],
    ['90^\\circ', '90'],
    ['2\\pi r', '2 r \\pi'],
    ['5!', '120'],
    ['-\\frac{a}{b}', '\\frac{-a}{b}'],
    ['e^{i}', 'e^{i}'],
    ['1/3', '0.333333'],
    ['\\binom{5}{2}', '10'],
    ['\\binom{n+1}{2}', '\\frac{n^2+n}{2}'],
    ['2.5!', '3.32335097'],
    ['12\\frac{1}{2}', '12.5'],
    ['\\pm 2', '\\{2,-2\\}'],
    ['2:3', '\\frac{2}{3}'],
    ['5 cm', '5'],
    ['1 \\text{ and } 2', '2,1'],
    ['x \\leq 3', '(-\\infty,3]'],
    ['2 < x', 'x > 2'],
    ['2x-y+1=0', 'y=2x+1'],
    ['a_n=2n+1', '2n+1'],
    ['\\mathbb{R}', '(-\\infty,\\infty)'],
    ['\\emptyset', '\\{\\}'],
    ['\\sqrt{x^2}', '|x|'],
  ])('%s and %s', (a, b) => expect(same(a, b)).toBe(true))
})

describe('different answers', () => {
  test.each([
    ['7', '8'],
    ['1/3', '0.3333'],
    ['(1,2)', '(1,2]'],
    ['2,3', '3'],
    ['x^2', 'x^3'],
    ['A', 'B'],
    ['x<5', 'x>5'],
    ['\\{1,1\\}', '\\{1,2\\}'],
    ['', ''],
    ['\\frac{1', '1'],
    ['(-\\infty,3]', 'x \\leq 3'],
    ['|x|', 'x'],
    ['\\infty', '-\\infty'],
    ['5', '\\infty'],
    ['\\pm 2', '2'],
    ['\\overline{AB}', '\\overline{BA}'],
    [`1${'\\pm 1'.repeat(60)}`, '2'],
  ])('%s and %s', (a, b) => expect(same(a, b)).toBe(false))

  test('are read in linear time', () => {
    for (const space of [' ', '\\left']) expect(same(`1${space.repeat(200_000)}1`, '2')).toBe(false)
  })
})

test('text that is not a formula, or is nested too deeply, is not parsed', () => {
  for (const text of ['', '1 +', '\\foo{1}', '2 \\', ')', '\\{1', '('.repeat(5000), '{'.repeat(200) + '}'.repeat(200)])
    expect(parseLatex(text)).toBeUndefined()
})

test('short fractions are parsed if requested', () => {
  expect(numberFor(parseLatex('\\frac12')!, new Map())).toBe(0.5)
  expect(parseLatex('\\frac12', { shortFractions: false })).toBeUndefined()
})

test('the distance of formulas, as a share of the second', () => {
  const far = (a: string, b: string) => treeDistance(parseLatex(a)!, parseLatex(b)!)
  expect(far('x^2+2', 'x^2+1')).toBe(0.2)
  expect(far('3 a b', '2 a b')).toBe(0.25)
  expect(far('x', 'x')).toBe(0)
})
