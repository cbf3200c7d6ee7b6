import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../folder-with.ts'
import { applyMutant, makeMutants, markPlaces } from './make-mutants.ts'
import { sample } from './sample.ts'
import { TypeCheck } from './type-check.ts'

const mutate = (source: string) => makeMutants(source).map((mutant) => applyMutant(source, mutant))

describe('each small mutation is made once', () => {
  test.each([
    ['x = a < b', ['x = (a <= b)', 'x = (a >= b)']],
    ['x = a === b', ['x = (a !== b)']],
    ['x = a && b', ['x = (a || b)']],
    ['x = a - b', ['x = (a + b)']],
    ['x = a ?? b', ['x = (a)']],
    ['x = !a', ['x = (a)']],
    ['x = -a', ['x = (a)']],
    ['x = 1', ['x = (2)']],
    ['x = 1n', ['x = (2n)']],
    ["x = 'a'", ["x = ('')"]],
    ["x = ''", ["x = ('mutant')"]],
    ['x = `a$' + '{b}`', ["x = ('')"]],
    ['x = true', ['x = (false)']],
    ['x = a ? b : c', ['x = (!(a)) ? b : c']],
  ])('%s', (source, expected) => {
    // Omitting the whole statement is the first mutant.
    expect(mutate(source)).toEqual([';', ...expected])
  })

  test('mutates conditions of statements, and statements', () => {
    expect(mutate('if (a) throw b')).toEqual(['if ((!(a))) throw b', 'if (a) ;'])
    expect(mutate('while (a) break')).toEqual(['while ((false)) break', 'while (a) ;'])
  })

  test('an expression at the start of a line is not parsed as arguments of the previous line', () => {
    expect(mutate('a()\ni++')).toEqual([';\ni++', 'a()\n;', 'a()\n;(i--)'])
  })

  test('strings are not subtracted', () => {
    expect(mutate("let x = 'a' + b")).toEqual(["let x = ('') + b"])
  })
})

test('types, imports, property names and documentation are not mutated', () => {
  expect(mutate("import { a } from 'a'\ntype B = 'b' | 1\nlet c: 'c'\nconst d = { 'e': f, 1: g }\nh.describe('i')")).toEqual([
    "import { a } from 'a'\ntype B = 'b' | 1\nlet c: 'c'\nconst d = { 'e': f, 1: g }\n;",
  ])
})

test('names in patterns and worked examples are not mutated', () => {
  expect(mutate("const { 1: a, 'b': c } = d\nconst e = { example: { f: 1 }, g: 2 }")).toEqual([
    "const { 1: a, 'b': c } = d\nconst e = { example: { f: 1 }, g: (3) }",
  ])
})

test('instrumented places report that they were reached, outermost first', () => {
  const source = 'if (a < 1) b = 2'
  const reached: number[] = []
  const marked = markPlaces(
    source,
    makeMutants(source).map((mutant, id) => ({ id, mutant })),
  )
  const run = new Function('a', '__reached', `let b\n${marked}\nreturn b`)
  expect(run(0, (id: number) => reached.push(id))).toBe(2)
  expect(reached.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5])
  expect(run(1, () => {})).toBeUndefined()
})

test('mutants that the compiler rejects are excluded', { timeout: 60_000 }, () => {
  const file = 'packages/core/src/base/errors/limits.ts'
  const source = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
  const settings = { extends: fileURLToPath(new URL('../../../tsconfig.base.json', import.meta.url)), include: ['packages'] }
  const types = new TypeCheck(
    folderWith({ [file]: source, 'tsconfig.json': JSON.stringify(settings), 'package.json': '{"type": "module"}' }),
    'tsconfig.json',
  )
  expect(types.objectionTo(file, `${source}\nexport const kind: 'a' | 'b' = ''`)).toContain('not assignable')
  expect(types.objectionTo(file, source), 'the change is undone').toBeUndefined()
  expect(types.objectionTo(file, `${source}\nconst unused = 1`), 'a name that is no longer used').toBeUndefined()
})

test('a sample depends on its seed, and keeps the order', () => {
  const items = Array.from({ length: 100 }, (_, index) => index)
  const some = sample(items, 10, 7)
  expect(some).toHaveLength(10)
  expect(some).toEqual(sample(items, 10, 7))
  expect(some).toEqual([...some].sort((a, b) => a - b))
  expect(some).not.toEqual(sample(items, 10, 8))
})
