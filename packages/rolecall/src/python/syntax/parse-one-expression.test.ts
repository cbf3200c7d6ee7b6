import { expect, test } from 'vitest'
import { parseModule } from './parse-module.ts'
import { parseOneExpression } from './parse-one-expression.ts'

test.for(["f(a=1, b='x')", '[1, -2.5, (3,)]', '{"a": None}\n', "'a' 'b'", '\n\n1, 2;', '(\n  1\n)'])(
  '%j is the expression of its module',
  (text) => {
    const { body } = parseModule(text, 'test')
    expect(body).toMatchObject([{ kind: 'expression', value: parseOneExpression(text, 'test').expression }])
  },
)

test('a statement, several expressions and an empty text are none', () => {
  for (const text of ['x = 1', 'x += 1', 'import os', 'return 1', 'if x: y', '1\n2', '1; 2', 'x: int = 1', ' \n# nothing'])
    expect([text, parseOneExpression(text, 'test').expression]).toEqual([text, undefined])
})

test('what is no Python throws, with its place', () => {
  expect(() => parseOneExpression('f(1', 'test')).toThrow('test:1:2: the "(" is never closed')
  expect(() => parseOneExpression('f(1 +)', 'test')).toThrow('test:1:')
})
