import { expect, test } from 'vitest'
import { pyFloat, pyRepr } from '../../../../core/src/base/python/index.ts'
import { withColumnTypes } from './csv-types.ts'

test('columns of CSV files have the types of datasets: a missing number makes a column floats, NA is None', () => {
  const rows = [
    { q: 'One', n: '1', x: '2.5', k: '3', b: 'True', t: '7' },
    { q: 'NA', n: '-2', x: '1e3', k: '', b: 'false', t: 'x' },
  ]
  expect(withColumnTypes(rows)).toEqual([
    { q: 'One', n: 1, x: pyFloat(2.5), k: pyFloat(3), b: true, t: '7' },
    { q: null, n: -2, x: pyFloat(1000), k: null, b: false, t: 'x' },
  ])
  expect(withColumnTypes([])).toEqual([])
})

test('odd values are read as pandas reads them, whose floats are not always the nearest ones', () => {
  const read = (...values: string[]) => withColumnTypes(values.map((v) => ({ v }))).map((row) => pyRepr((row as { v: string }).v))
  expect(read('True', '', 'FALSE', 'tRue')).toEqual(['True', 'None', 'False', 'True'])
  expect(read('inf', '-INF', '+Infinity', 'nan')).toEqual(['inf', '-inf', 'inf', 'None'])
  expect(read('  5', '+7', '007', '9223372036854775807')).toEqual(['5', '7', '7', '9223372036854775807'])
  expect(read('18446744073709551615', '1')).toEqual(['18446744073709551615', '1'])
  expect(read('18446744073709551615', '-1')).toEqual(["'18446744073709551615'", "'-1'"])
  expect(read('0.30000000000000004', '3.141592653589793238', '1e400', '1e-400', '0e400')).toEqual([
    ...['0.3', '3.1415926535897927', 'inf', '0.0', '0.0'],
  ])
  expect(read('1.7976931348623157e308', '123456789.123456789', '-.5', '5.')).toEqual([
    ...['1.7976931348623157e+308', '123456789.12345678', '-0.5', '5.0'],
  ])
  expect(read('9223372036854775807', '-0', '')).toEqual(['9.223372036854776e+18', '0.0', 'None'])
  expect(read('00000000000000000000001', '18446744073709551616')).toEqual(["'00000000000000000000001'", "'18446744073709551616'"])
  expect(read('\u00a05', '6')).toEqual(["'\\xa05'", "'6'"])
  expect(read(' inf', '1')).toEqual(["' inf'", "'1'"])
  expect(read('1_000', '0x1F')).toEqual(["'1_000'", "'0x1F'"])
  expect(read('True', '1')).toEqual(["'True'", "'1'"])
})
