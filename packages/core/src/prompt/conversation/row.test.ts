import { expect, test } from 'vitest'
import { fieldNames, fieldText, fieldValue, hasField } from './row.ts'

const row = { q: 'x', n: null, list: [1, 'a'] }

test('the text of a field is its value as Python prints it', () => {
  expect(['q', 'n', 'list', 'other'].map((name) => fieldText({ row }, name))).toEqual(['x', 'None', "[1, 'a']", undefined])
})

test('a row has only its own columns, not inherited ones', () => {
  expect(['q', 'n', 'toString', '__proto__'].map((name) => hasField({ row }, name))).toEqual([true, true, false, false])
  expect(fieldText({ row }, 'constructor')).toBeUndefined()
})

test('a masked column exists, and has only its mask', () => {
  const fields = { row, masked: { column: 'list', text: '?' } }
  expect([fieldText(fields, 'list'), fieldValue(fields, 'list'), fieldText(fields, 'q')]).toEqual(['?', '?', 'x'])
  expect(fieldValue({ row }, 'list')).toBe(row.list)
})

test('a masked column that the row does not have comes last', () => {
  expect(fieldNames({ row, masked: { column: 'q', text: '' } })).toEqual(['q', 'n', 'list'])
  expect(fieldNames({ row, masked: { column: 'a', text: '' } })).toEqual(['q', 'n', 'list', 'a'])
  expect(hasField({ row, masked: { column: 'a', text: '' } }, 'a')).toBe(true)
})

test('a Map keeps the order of its columns, also of numeric names', () => {
  const map = new Map([
    ['1', 'b'],
    ['0', 'a'],
  ])
  expect(fieldNames({ row: map })).toEqual(['1', '0'])
  expect(fieldText({ row: map }, '0')).toBe('a')
})
