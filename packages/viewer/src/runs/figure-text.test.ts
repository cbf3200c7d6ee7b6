import { expect, test } from 'vitest'
import { differenceText } from './figure-text.ts'

test('differences are rounded as on the terminal: half away from zero, and zero has no sign', () => {
  expect([4.25, 100 * (0.7425 - 0.7), -0.05, 99.95, -0.04, 0].map((value) => differenceText(value, 'percent'))).toEqual([
    '+4.3',
    '+4.3',
    '−0.1',
    '+100.0',
    '0.0',
    '0.0',
  ])
})
