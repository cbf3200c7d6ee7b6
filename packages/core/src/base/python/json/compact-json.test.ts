import { expect, test } from 'vitest'
import { type PyValue, pyFloat } from '../values/data.ts'
import { compactJson, parseCompactJson } from './compact-json.ts'

test('what JavaScript writes as Python would is written without spaces, anything else with them; both are read back as they were', () => {
  const plain: PyValue = { id: 0, text: 'é "\n\ud83d\ude00', list: [1, -2.5, null, true], deep: { a: {} }, '": ': 'x' }
  const careful: PyValue[] = [
    { id: 1, value: pyFloat(1) },
    { id: 2, value: 12345678901234567890n },
    { id: 3, value: [Number.NaN, Number.NEGATIVE_INFINITY] },
    {
      id: 4,
      value: new Map([
        ['b', 1],
        ['1', 2],
      ]),
    },
  ]
  expect(compactJson(plain)).toBe(JSON.stringify(plain))
  expect(parseCompactJson(compactJson(plain))).toEqual(plain)
  for (const value of careful) {
    expect(compactJson(value)).toMatch(/^\{"id": \d, /)
    expect(compactJson(parseCompactJson(compactJson(value)))).toBe(compactJson(value))
  }
})

test('keys without a value are left out', () => {
  expect(compactJson({ a: 1, b: undefined } as never)).toBe('{"a":1}')
  expect(compactJson({ a: pyFloat(1), b: undefined } as never)).toBe('{"a": 1.0}')
})
