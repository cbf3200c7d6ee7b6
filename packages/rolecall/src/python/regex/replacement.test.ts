import { expect, test } from 'vitest'
import { groupNames, replaceMatches } from './replacement.ts'

test('groups by number and by name, escapes, and literal text', () => {
  expect(replaceMatches('(\\w+) (?P<last>\\w+)', '\\g<last>, \\1\\n', 'Ida Holm')).toBe('Holm, Ida\n')
  expect(replaceMatches('b', '[\\g<0>]$&', 'abc')).toBe('a[b]$&c')
  expect(replaceMatches('(a)|(b)', '<\\1\\2>', 'ab')).toBe('<a><b>')
})

test('a limited number of matches, all by default', () => {
  expect(replaceMatches('a', 'b', 'aaa', 2)).toBe('bba')
  expect(replaceMatches('x*', '-', 'abc')).toBe('-a-b-c-')
})

test('groups that are not there are refused', () => {
  expect(() => replaceMatches('a', '\\1', 'a')).toThrow('invalid group reference 1')
  expect(() => replaceMatches('a', '\\g<x>', 'a')).toThrow("unknown group name 'x'")
  expect(() => replaceMatches('a', '\\d', 'a')).toThrow('bad escape \\d')
})

test('names of groups are found outside classes and escapes', () => {
  expect(groupNames('(?:a)([(])(?P<n>\\()(?=x)')).toEqual([undefined, 'n'])
})
