import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../../proof/testing/sampling.ts'
import { type PyValue, pyStr } from '../../../../core/src/base/python/index.ts'
import { jsonTexts } from './json-texts.ts'

const textOf = (value: unknown) => (value === null ? '' : typeof value === 'string' ? value : pyStr(value as PyValue))

test('values equal those of JSON.parse, whatever the layout', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.constantFrom(0, 1), (object, indent) => {
      const line = JSON.stringify(object, null, indent)
      // JSON turns -0 into 0.
      const read = JSON.parse(line) as Record<string, unknown>
      const plain = Object.values(read).filter((value) => typeof value !== 'number')
      const texts = jsonTexts(line)!
      expect(texts).toHaveLength(Object.keys(read).length)
      expect(texts.filter((_, place) => typeof Object.values(JSON.parse(line) as object)[place] !== 'number')).toEqual(plain.map(textOf))
    }),
    { numRuns: propertyRuns(200) },
  )
})

test('only wanted values are parsed, numbers stay as written, and other lines give undefined', () => {
  expect(jsonTexts('{"id": 7, "a": "\\u4f60\\n\\"", "b": [1.0, "x"], "c": null, "d": true, "e": 1.0}')).toEqual([
    '7',
    '你\n"',
    "[1, 'x']",
    '',
    'True',
    '1.0',
  ])
  expect(jsonTexts('{"id": 7, "a": {"id": 8}}', (name) => name === 'id')).toEqual(['7'])
  expect(jsonTexts(String.raw`{"a": "\x", "b": toString}`)).toEqual([String.raw`"\x"`, 'toString'])
  expect(jsonTexts(' {} ')).toEqual([])
  expect(['[1]', '"x"', '{"a": "b', '{"a" 1}', '{a: 1}', ''].map((line) => jsonTexts(line))).toEqual(Array(6).fill(undefined))
})
