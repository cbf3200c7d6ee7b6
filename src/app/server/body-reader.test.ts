import { expect, test } from 'vitest'
import { hasMoreValues } from './body-reader.ts'

test('objects, lists and strings are counted, whatever the strings contain', () => {
  const json = JSON.stringify({ a: ['{"', '\\', '"[', '\\"'], n: Array.from({ length: 50 }, () => 7) })
  // An object, two keys, two lists, four strings.
  expect(hasMoreValues(json, 9)).toBe(false)
  expect(hasMoreValues(json, 8)).toBe(true)
  expect(hasMoreValues('"unclosed '.padEnd(100), 5)).toBe(false)
  expect(hasMoreValues(JSON.stringify(Array.from({ length: 1000 }, () => 'x\\')), 1001)).toBe(false)
})
