import { expect, test } from 'vitest'
import { pyStr } from './str.ts'
import { pyFloat } from './value.ts'

test('a string is shown as it is', () => {
  expect(pyStr('a')).toBe('a')
  expect(pyStr('it\'s\n"中文"\u200b')).toBe('it\'s\n"中文"\u200b')
})

test('a string inside a list or dict is shown with quotes and escapes', () => {
  expect(pyStr(['a', true])).toBe("['a', True]")
  expect(pyStr({ "it's": 'a\n' })).toBe("{\"it's\": 'a\\n'}")
})

test('None, booleans and numbers are shown as Python spells them', () => {
  expect([null, undefined, true, false].map(pyStr)).toEqual(['None', 'None', 'True', 'False'])
  expect([3, -0, 0.5, 1e-7, Number.NaN, 10n ** 20n].map(pyStr)).toEqual(['3', '0', '0.5', '1e-07', 'nan', '100000000000000000000'])
})

test('a float keeps its point when its value is integral', () => {
  expect([pyFloat(1), pyFloat(-0), pyFloat(1e16), pyFloat(0.5)].map(pyStr)).toEqual(['1.0', '-0.0', '1e+16', '0.5'])
})
