import { expect, test } from 'vitest'
import { pyFloat } from '../../../base/python/index.ts'
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
