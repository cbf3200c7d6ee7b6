import { describe, expect, test } from 'vitest'
import { processorTimer } from '../../../../../proof/testing/processor-timer.ts'
import { findAll, guardedPattern, search } from './index.ts'

const long = 'The answer is 4. '.repeat(2000)

describe('a guarded pattern finds what Python’s own finds', () => {
  const patterns = [
    String.raw`answer is (\d)`,
    String.raw`(\w+)\s+(\w+)\s+(\w+)`,
    '(?i)ANSWER',
    String.raw`^(.*?)\.`,
    String.raw`(\s*\S+)+$`,
  ]
  test.each(
    patterns.flatMap((pattern) => [
      [pattern, 'so: the Answer is 4. Or 5'],
      [pattern, long.slice(0, 3000)],
    ]),
  )('%s', (pattern, text) => {
    const found = guardedPattern(pattern).first(text)
    const expected = search(pattern, text)
    expect(found && [found.text, ...found.groups]).toEqual(expected ? [...expected] : undefined)
  })

  test('all of them, in short texts and in long ones', () => {
    for (const text of [long.slice(0, 400), long]) {
      const pattern = String.raw`is (\d)`
      expect(
        guardedPattern(pattern)
          .all(text)
          .map(({ groups }) => groups[0]),
      ).toEqual(findAll(pattern, text))
    }
  })
})

test('it takes time bounded by the text’s length', () => {
  const elapsed = processorTimer()
  expect(guardedPattern('(a*)*b$').first('a'.repeat(20_000))).toBeUndefined()
  expect(guardedPattern('(x+x+)+y').first('x'.repeat(5000))).toBeUndefined()
  expect(guardedPattern(String.raw`\s+$`).first(`${' '.repeat(100_000)}x`)).toBeUndefined()
  expect(guardedPattern('(?:(?:a|a){9}){9}b').first('a'.repeat(5000))).toBeUndefined()
  expect(guardedPattern(`${'a?'.repeat(40)}${'a'.repeat(40)}b`).first('a'.repeat(2000))).toBeUndefined()
  expect(elapsed()).toBeLessThan(10_000)
})

test('patterns that cannot be bounded are refused', () => {
  expect(() => guardedPattern('(?=.*b)(a+)+$')).toThrow(/it may take forever: it repeats a repetition or many choices/)
  expect(() => guardedPattern(String.raw`(x)?(?:(?:a|a){9}){9}\1b`)).toThrow(/it repeats a repetition or many choices/)
  const looksBack = guardedPattern(String.raw`(\w+)\1`)
  expect(looksBack.first('hello')?.text).toBe('ll')
  expect(() => looksBack.first('ab'.repeat(20_000))).toThrow(/the text has 40000 characters, more than 20000/)
})

test('all matches are found after the first one was looked for', () => {
  const pattern = guardedPattern('owl')
  expect(pattern.first('owl owl')?.index).toBe(0)
  expect(pattern.all('owl owl')).toHaveLength(2)
})
