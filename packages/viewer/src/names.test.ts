import { expect, test } from 'vitest'
import { findNamed, findRow, linkNames } from './names.ts'

test('links use names, and duplicate names get distinct ones', () => {
  const names = ['sums', 'run', 'run']
  expect(linkNames(names)).toEqual(['sums', 'run', 'run (2)'])
  expect(linkNames(names).map((name) => findNamed(names, name).index)).toEqual([0, 1, 2])
})

test('an old link with a position still works; a name that looks like a number is a name', () => {
  expect(findNamed(['a', 'b'], '1')).toEqual({ index: 1 })
  expect(findNamed(['1', '0'], '0')).toEqual({ index: 1 })
})

test('unknown names are reported', () => {
  expect(findNamed(['a'], 'b')).toEqual({ index: 0, missing: 'b' })
  expect(findNamed(['a'], '7')).toEqual({ index: 0, missing: '7' })
  expect(findNamed([], 'b')).toEqual({ index: 0, missing: 'b' })
  expect(findRow('-3')).toEqual({ index: 0, missing: '-3' })
  expect([findRow('12'), findRow(undefined)]).toEqual([{ index: 12 }, { index: 0 }])
})
