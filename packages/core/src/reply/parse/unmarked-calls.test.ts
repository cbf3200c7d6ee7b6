import { describe, expect, test } from 'vitest'
import { PyFloat } from '../../base/python/index.ts'
import { ToolChecker } from '../tool-checker.ts'
import { parseBareCalls, UnmarkedCalls } from './unmarked-calls.ts'

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
  ['f(a=b)', /not a plain value/],
  ['f(a=g())', /not a plain value/],
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

test.each([
  ['f(a=+1)', { a: 1 }],
  ['f(a=-1)', { a: -1 }],
  ['f(a=-2.0, b=-1.5)', { a: new PyFloat(-2), b: -1.5 }],
  ['f(a=+2.0, b=+1.5)', { a: new PyFloat(2), b: 1.5 }],
  ['f(a=-12345678901234567890)', { a: -12345678901234567890n }],
  ['f(a=[], b=(), c={}, d="")', { a: [], b: [], c: {}, d: '' }],
  ['f()', {}],
  ['[{"name": "f", "arguments": {"a": 1}}]', { a: 1 }],
])('%s has the arguments %o', (reply, given) => {
  expect(parseBareCalls(reply)).toMatchObject([{ kind: 'call', name: 'f', arguments: given }])
})

test.each([
  ["f(a=-'x')", 'an argument is not a plain value'],
  ['f(a=not 1)', 'an argument is not a plain value'],
  ['f(a=+None)', 'an argument is not a plain value'],
  ['f(a={1: 2})', 'the keys of a dict must be texts'],
  ['f(a={**b})', 'an argument is not a plain value'],
  ['["f()", 1]', 'a list of calls holds them as texts'],
  ['[{"name": "f"}]', 'a call needs a "name" and "arguments"'],
  ['[{"name": 1, "arguments": {}}]', 'a call needs a "name" and "arguments"'],
  ['[{"arguments": {}}]', 'a call needs a "name" and "arguments"'],
  ['f(a=1)\nx = 1', 'this is not one call'],
  ['x = f()', 'this is not one call'],
  ['f', 'this is not a call of a function by its name'],
  ['f()()', 'this is not a call of a function by its name'],
])('%s: %s', (reply, problem) => expect(parseBareCalls(reply)).toMatchObject([{ kind: 'malformed', problem }]))

describe('a reply that may consist of calls only is held back as long as necessary', () => {
  const tools = new ToolChecker([{ name: 'get' }, { name: 'get_weather' }])
  /** What is certain to be words after each piece, then what the end says. */
  const read = (...pieces: string[]) => {
    const reply = new UnmarkedCalls(tools)
    const words = pieces.map((piece) => reply.push(piece))
    const { calls, words: rest } = reply.end()
    return { words, calls: calls.map(({ name, at }) => [name, ...at]), rest }
  }
  const cases: [pieces: string[], words: string[], calls: unknown[], rest: string][] = [
    [['get_weather(', 'city="Paris")'], ['', ''], [['get_weather', 0, 25]], ''],
    [['ge', 't', ' ()'], ['', '', ''], [['get', 0, 6]], ''],
    [[' \n', 'get()', '\n'], ['', '', ''], [['get', 2, 7]], ''],
    [
      ['["get()", ', '"get_weather()"]'],
      ['', ''],
      [
        ['get', 0, 26],
        ['get_weather', 0, 26],
      ],
      '',
    ],
    [['[{"name": "get", "arguments": {}}]'], [''], [['get', 0, 34]], ''],
    [['["get()", "other()"]'], [''], [], '["get()", "other()"]'],
    [['[]'], [''], [], '[]'],
    [['get('], [''], [], 'get('],
    [['get'], [''], [], 'get'],
    [['  '], [''], [], '  '],
    [[], [], [], ''],
    [['gets', ' it'], ['gets', ' it'], [], ''],
    [['ge', 'x', ' y'], ['', 'gex', ' y'], [], ''],
    [['get it'], ['get it'], [], ''],
    [['Hello', ' get()'], ['Hello', ' get()'], [], ''],
    [[' ', 'H'], ['', ' H'], [], ''],
  ]
  test.each(cases)('%j', (pieces, words, calls, rest) => expect(read(...pieces)).toEqual({ words, calls, rest }))
})
