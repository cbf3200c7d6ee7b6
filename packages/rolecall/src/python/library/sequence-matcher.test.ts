import { expect, test } from 'vitest'
import { matchRatio } from './sequence-matcher.ts'

// The values are those of CPython's difflib.
test('similarity is 2M / T, whichever text is longer', () => {
  expect(matchRatio('', '')).toBe(1)
  expect(matchRatio('abc', '')).toBe(0)
  expect(matchRatio(' A poem on tides.', ' A poem on tides, long.')).toBe(0.85)
  expect(matchRatio('Once upon', 'Once upon a time')).toBe(0.72)
  expect(matchRatio('😀a', '😀b')).toBe(0.5)
})

test('in a long text, frequent characters start no match, but extend one', () => {
  expect(matchRatio('xab', 'ab'.repeat(100))).toBe(0)
  expect(matchRatio('xaaa', `x${'a'.repeat(250)}`)).toBeCloseTo(8 / 255, 12)
})
