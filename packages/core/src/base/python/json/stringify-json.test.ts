import { expect, test } from 'vitest'
import { maxDepth, type PyValue, pyFloat } from '../values/data.ts'
import { parseJson } from './parse-json.ts'
import { type StringifyJsonOptions, stringifyJson } from './stringify-json.ts'

// The expected texts were printed by CPython 3.11.7's json.dumps.
const rows = new Map<string, PyValue>([
  ['b', [pyFloat(1), pyFloat(-0), pyFloat(1e16), 5e-324, Number.NaN, Number.NEGATIVE_INFINITY, 9007199254740993n]],
  ['10', { 'é"\n': '\u007f😀\u2028\b\f\u0001/' }],
  ['ﬀ', [[], [true, null]]],
  ['😀', {}],
])

const cases: [name: string, options: StringifyJsonOptions, expected: string][] = [
  [
    'everything is on one line and in ASCII by default',
    {},
    String.raw`{"b": [1.0, -0.0, 1e+16, 5e-324, NaN, -Infinity, 9007199254740993], "10": {"\u00e9\"\n": "\u007f\ud83d\ude00\u2028\b\f\u0001/"}, "\ufb00": [[], [true, null]], "\ud83d\ude00": {}}`,
  ],
  [
    'without ensureAscii only quotes, backslashes and control characters are escaped',
    { ensureAscii: false, separators: [',', ':'] },
    String.raw`{"b":[1.0,-0.0,1e+16,5e-324,NaN,-Infinity,9007199254740993],"10":{"é\"\n":"${'\u007f😀\u2028'}\b\f\u0001/"},"ﬀ":[[],[true,null]],"😀":{}}`,
  ],
]

for (const [name, options, expected] of cases) test(name, () => expect(stringifyJson(rows, options)).toBe(expected))

test('without ensureAscii half a character stays as it is, also beside what is escaped', () => {
  expect(stringifyJson('a\n\ud83d', { ensureAscii: false })).toBe('"a\\n\ud83d"')
  expect(stringifyJson('\u001f\ud83d\ude00"', { ensureAscii: false })).toBe('"\\u001f\ud83d\ude00\\""')
})

test('the examples of the documentation hold', () => {
  expect(stringifyJson({ a: [pyFloat(1), 'é'] })).toBe('{"a": [1.0, "\\u00e9"]}')
  expect(stringifyJson({ b: 1, a: 2 }, { sortKeys: true, separators: [',', ':'] })).toBe('{"a":2,"b":1}')
})

test('an indent puts each item on its own line, but leaves empty lists and dicts closed', () => {
  const value = { a: [1, [2]], b: [], c: {} }
  expect(stringifyJson(value, { indent: 2 })).toBe('{\n  "a": [\n    1,\n    [\n      2\n    ]\n  ],\n  "b": [],\n  "c": {}\n}')
  expect(stringifyJson([1, [2]], { indent: '\t' })).toBe('[\n\t1,\n\t[\n\t\t2\n\t]\n]')
  for (const indent of [0, -1, '']) expect(stringifyJson([1, [2]], { indent })).toBe('[\n1,\n[\n2\n]\n]')
  expect(stringifyJson({ a: [1, 2] }, { indent: 1, separators: ['; ', ' = '] })).toBe('{\n "a" = [\n  1; \n  2\n ]\n}')
  expect(stringifyJson([1, 2], { indent: null, separators: null })).toBe('[1, 2]')
})

test('sortKeys sorts by code point at every level, and leaves the value as it was', () => {
  const value = parseJson('{"😀": 1, "ﬀ": {"b": 1, "a": 2}, "10": 3, "9": 4}')
  expect(stringifyJson(value, { sortKeys: true, ensureAscii: false })).toBe('{"10": 3, "9": 4, "ﬀ": {"a": 2, "b": 1}, "😀": 1}')
  expect(stringifyJson(value, { ensureAscii: false })).toBe('{"😀": 1, "ﬀ": {"b": 1, "a": 2}, "10": 3, "9": 4}')
})

test('undefined is null', () => {
  expect(stringifyJson(undefined)).toBe('null')
  expect(stringifyJson(new Array<PyValue>(2))).toBe('[null, null]')
})

test('what JSON cannot hold is a clear error', () => {
  const list: PyValue[] = []
  list.push({ list })
  expect(() => stringifyJson(list)).toThrow('Circular reference detected')
  expect(() => stringifyJson([new Date(0) as unknown as PyValue])).toThrow('type Date ')
  let deep: PyValue = []
  for (let level = 0; level < maxDepth; level++) deep = [deep]
  expect(() => stringifyJson(deep)).toThrow('maximum recursion depth exceeded')
})
