import { expect, test } from 'vitest'
import { fixed, signed } from './round.ts'

test('figures are rounded half away from zero as decimals, whatever sum they come from', () => {
  expect([4.25, -4.25, 100 * (0.7425 - 0.7), 1.005, 55.48, 0.05].map((value) => fixed(value, 1))).toEqual([
    '4.3',
    '-4.3',
    '4.3',
    '1.0',
    '55.5',
    '0.1',
  ])
  expect([fixed(1.005, 2), fixed(55.48, 0), fixed(0.5, 0), fixed(1e-9, 4), fixed(Number.NaN, 1)]).toEqual([
    '1.01',
    '55',
    '1',
    '0.0000',
    'NaN',
  ])
})

test('a difference has a sign, zero has none', () => {
  expect([signed(7.3, 1), signed(-20.33, 1), signed(-0.04, 1), signed(0, 1)]).toEqual(['+7.3', '−20.3', '0.0', '0.0'])
})
