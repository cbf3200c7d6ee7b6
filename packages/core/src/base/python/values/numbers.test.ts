import { expect, test } from 'vitest'
import { PyFloat, type PyValue } from './data.ts'
import { floatOf, intOf } from './numbers.ts'

// What CPython 3.11's int() and float() give; undefined where they raise.

test.each<[PyValue | undefined, bigint | undefined]>([
  ['12', 12n],
  [' +12\n', 12n],
  ['-1_000', -1000n],
  ['٣٤', 34n],
  ['９０', 90n],
  ['𝟎𝟗', 9n], // bold
  ['𝟘𝟡', 9n], // double-struck
  ['𝟢𝟿', 9n], // sans-serif zero, monospace nine
  ['1__0', undefined],
  ['_1', undefined],
  ['1_', undefined],
  ['1.0', undefined],
  ['', undefined],
  ['+-1', undefined],
  ['½', undefined],
  [true, 1n],
  [false, 0n],
  [7n, 7n],
  [-2.9, -2n],
  [new PyFloat(2.9), 2n],
  [new PyFloat(Number.NaN), undefined],
  [Number.POSITIVE_INFINITY, undefined],
  [null, undefined],
  [undefined, undefined],
  [[1], undefined],
])('int(%s) is %s', (value, expected) => expect(intOf(value)).toBe(expected))

test.each<[PyValue, number | undefined]>([
  ['1.5', 1.5],
  [' -.5 ', -0.5],
  ['5.', 5],
  ['1e3', 1000],
  ['1E-1', 0.1],
  ['1_0.2_5', 10.25],
  ['٣.٥', 3.5],
  ['inf', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['NaN', Number.NaN],
  ['.', undefined],
  ['1e', undefined],
  ['0x10', undefined],
  ['', undefined],
  [true, 1],
  [3n, 3],
  [new PyFloat(2), 2],
  [null, undefined],
])('float(%s) is %s', (value, expected) => expect(floatOf(value)).toBe(expected))
