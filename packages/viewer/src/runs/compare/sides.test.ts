import { expect, test } from 'vitest'
import { choosableSides } from './sides.ts'

test('a side that is chosen is not offered again, except where it is chosen', () => {
  const sides = ['a', 'b', 'c'].map((key, run) => ({ key, path: String(run), run, name: key }))
  const keys = (own?: string) => choosableSides(sides, ['a', undefined, 'b'], own).map(({ key }) => key)
  expect(keys()).toEqual(['c'])
  expect(keys('a')).toEqual(['a', 'c'])
})
