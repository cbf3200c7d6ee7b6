import { expect, test } from 'vitest'
import { processorTimer } from '../../../testing/processor-timer.ts'
import { nearestName, suggestName } from './nearest.ts'

const keys = ['role', 'fallback_role', 'prompt', 'begin', 'end', 'generate']

test('one slip is near: a letter too many, too few, another one, two swapped', () => {
  expect(['promptt', 'promt', 'prompz', 'prmopt'].map((name) => nearestName(name, keys))).toEqual(Array(4).fill('prompt'))
})

test('a different case or spelling of the words between is not a distance at all', () => {
  expect(['fallbackRole', 'FALLBACK_ROLE', 'fallback-role', 'fallback role'].map((name) => nearestName(name, keys))).toEqual(
    Array(4).fill('fallback_role'),
  )
})

test('longer names may have more slips, one in four letters', () => {
  expect(nearestName('falback_rolls', keys)).toBe('fallback_role')
  expect(nearestName('generation', keys)).toBeUndefined()
})

test('what is far from everything has no near name', () => {
  expect(['temperature', 'x', ''].map((name) => nearestName(name, keys))).toEqual([undefined, undefined, undefined])
  expect(nearestName('prompt', [])).toBeUndefined()
})

test('a name that is known needs no other', () => {
  expect(nearestName('end', ['end', 'send'])).toBeUndefined()
})

test('of several the nearest is chosen, the first if they are equally near', () => {
  expect(nearestName('rounds', ['bounds', 'round'])).toBe('bounds')
  expect(nearestName('Round', ['rounds', 'round'])).toBe('round')
})

test('a very long name costs no time', () => {
  const elapsed = processorTimer()
  expect(nearestName('x'.repeat(1_000_000), ['x'.repeat(999_999)])).toBeUndefined()
  expect(elapsed()).toBeLessThan(1000)
})

test('a suggestion is the near name, or the list of all', () => {
  expect(suggestName('promt', keys)).toBe('did you mean "prompt"?')
  expect(suggestName('xyz', ['a', 'b'])).toBe('use one of: a, b')
})
