import { expect, test } from 'vitest'
import { processorTimer } from '../../../../../proof/testing/processor-timer.ts'
import { nearestName, suggestName } from './nearest.ts'

const keys = ['role', 'fallback_role', 'prompt', 'begin', 'end', 'generate']

test('one typo is near: an extra letter, a missing one, another one, two swapped', () => {
  expect(['promptt', 'promt', 'prompz', 'prmopt'].map((name) => nearestName(name, keys))).toEqual(Array(4).fill('prompt'))
})

test('case and word separators do not count', () => {
  expect(['fallbackRole', 'FALLBACK_ROLE', 'fallback-role', 'fallback role'].map((name) => nearestName(name, keys))).toEqual(
    Array(4).fill('fallback_role'),
  )
})

test('longer names may have more typos, one per four letters', () => {
  expect(nearestName('falback_rolls', keys)).toBe('fallback_role')
  expect(nearestName('generation', keys)).toBeUndefined()
})

test('a name far from all others has no suggestion', () => {
  expect(['temperature', 'x', ''].map((name) => nearestName(name, keys))).toEqual([undefined, undefined, undefined])
  expect(nearestName('prompt', [])).toBeUndefined()
})

test('a known name needs no suggestion', () => {
  expect(nearestName('end', ['end', 'send'])).toBeUndefined()
})

test('the nearest name wins, the first on a tie', () => {
  expect(nearestName('rounds', ['bounds', 'round'])).toBe('bounds')
  expect(nearestName('Round', ['rounds', 'round'])).toBe('round')
})

test('a very long name takes no time', () => {
  const elapsed = processorTimer()
  expect(nearestName('x'.repeat(1_000_000), ['x'.repeat(999_999)])).toBeUndefined()
  expect(elapsed()).toBeLessThan(1000)
})

test('a suggestion is the nearest name, or the list of all', () => {
  expect(suggestName('promt', keys)).toBe('did you mean "prompt"?')
  expect(suggestName('xyz', ['a', 'b'])).toBe('use one of: a, b')
})
