import { expect, test } from 'vitest'
import { exp, log } from './libm.ts'

test('exp and log give the digits of Python, also where the engine gives others', () => {
  expect([17.698011351082016, 11.505792812388862, -5.80827179768351, 14.856189788971285].map(exp)).toEqual([
    48545465.56313398, 99289.27244141135, 0.003002614716687131, 2831139.359057429,
  ])
  expect([1.5980569021324456, 1.1561351889673905, 1.5872026076791321, 0.5771196070618484].map(log)).toEqual([
    0.4687884550533284, 0.14508270888611816, 0.46197310049012325, -0.5497057426875357,
  ])
})

test('exp and log of special and extreme numbers', () => {
  expect([0, -0, 1, -1e9, 1e9, 709.5, -745, Number.NaN, Number.NEGATIVE_INFINITY].map(exp)).toEqual([
    1,
    1,
    Math.E,
    0,
    Number.POSITIVE_INFINITY,
    Math.exp(709.5),
    5e-324,
    Number.NaN,
    0,
  ])
  expect([1, 0, -1, 2, 5e-324, 1e308, Number.POSITIVE_INFINITY].map(log)).toEqual([
    0,
    Number.NEGATIVE_INFINITY,
    Number.NaN,
    Math.LN2,
    -744.4400719213812,
    709.1962086421661,
    Number.POSITIVE_INFINITY,
  ])
})
