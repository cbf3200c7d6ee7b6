import { expect, test } from 'vitest'
import { changedLines } from './show-comparison.ts'

const shown = (first: string, second: string) => changedLines(first, second).map(({ sign, text }) => `${sign}${text}`)

test('common lines at the start and end are omitted, except one line of context on each side', () => {
  expect(shown('a\nb\nc\nd', 'a\nb\nX\nY\nd')).toEqual([' b', '-c', '+X', '+Y', ' d'])
  expect(shown('a', 'a')).toEqual([])
  expect(shown('a\na', 'a')).toEqual([' a', '-a'])
  expect(shown('', 'new')).toEqual(['-', '+new'])
})
