import { expect, test } from 'vitest'
import { changedLines } from './show-comparison.ts'

const shown = (first: string, second: string) => changedLines(first, second).map(({ sign, text }) => `${sign}${text}`)

test('lines that both have at the start and at the end are left out, but for one on each side', () => {
  expect(shown('a\nb\nc\nd', 'a\nb\nX\nY\nd')).toEqual([' b', '-c', '+X', '+Y', ' d'])
  expect(shown('a', 'a')).toEqual([])
  expect(shown('a\na', 'a')).toEqual([' a', '-a'])
  expect(shown('', 'new')).toEqual(['-', '+new'])
})
