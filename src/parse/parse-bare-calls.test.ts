import { expect, test } from 'vitest'
import { PyFloat } from '../python/index.ts'
import { parseBareCalls } from './parse-bare-calls.ts'

test('a call in Python, its arguments exact', () => {
  expect(parseBareCalls("f(a=1.0, b=[-2, None, True], c={'x': 'y'}, d=(1, 2))")).toEqual([
    {
      kind: 'call',
      name: 'f',
      arguments: { a: new PyFloat(1), b: [-2, null, true], c: { x: 'y' }, d: [1, 2] },
      argumentsText: '{"a": 1.0, "b": [-2, null, true], "c": {"x": "y"}, "d": [1, 2]}',
      at: [0, 52],
    },
  ])
})

test('several calls, as a list of texts or as a JSON list', () => {
  const names = (reply: string) => parseBareCalls(reply).map((call) => (call.kind === 'call' ? call.name : call.kind))
  expect(names('["f(a=1)", "g()"]')).toEqual(['f', 'g'])
  expect(names('[{"name": "f", "arguments": {}}, {"name": "g", "arguments": null}]')).toEqual(['f', 'g'])
  expect(names('[]')).toEqual([])
  expect(names(' f()')).toEqual(['f'])
})

test('brackets without end are malformed, too', () => {
  expect(parseBareCalls(`f(a=${'['.repeat(5000)}`)).toMatchObject([{ kind: 'malformed' }])
})

test.each([
  ['f(1)', /has no name/],
  ['f(a=b)', /no plain value/],
  ['f(a=g())', /no plain value/],
  ['f(**d)', /has no name/],
  ['mod.f(a=1)', /by its name/],
  ['f(a=1); g()', /not one call/],
  ['[f(a=1)]', /./],
  ['[1, 2]', /"name"/],
  ['f(a=1', /./],
  ['Paris is sunny.', /./],
  ['', /no call/],
  ["f(a='x' b='y')", /./],
])('%s is malformed, and its text is kept', (reply, problem) => {
  expect(parseBareCalls(reply)).toEqual([
    { kind: 'malformed', error: 'malformed', raw: reply, problem: expect.stringMatching(problem), at: [0, reply.length] },
  ])
})
