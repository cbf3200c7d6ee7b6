import { expect, test } from 'vitest'
import { parseRecord } from './for-each-record.ts'

test.for<[name: string, line: string, expected: object]>([
  ['plain JSON', '{"id":1,"score":0.5}', { id: 1, score: 0.5 }],
  ['a likelihood of minus infinity', '{"id":2,"score":-Infinity}', { id: 2, score: null }],
  ['NaN and infinity', '{"id":3,"score":NaN,"tokens":[Infinity,-Infinity]}', { id: 3, score: null, tokens: [null, null] }],
  [
    'the same words in a text, which stay',
    '{"id":4,"score":NaN,"prediction":"NaN \\" -Infinity"}',
    { id: 4, score: null, prediction: 'NaN " -Infinity' },
  ],
  ['a broken line', '{"id":5', { id: -1 }],
])('a record is read from %s', ([, line, expected]) => {
  expect(parseRecord(line)).toEqual(expected)
})
