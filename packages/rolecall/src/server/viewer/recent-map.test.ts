import { expect, test } from 'vitest'
import { RecentMap } from './recent-map.ts'

test('the least recently used entries are dropped', () => {
  const map = new RecentMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  expect(map.get('a')).toBe(1)
  map.set('c', 3)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3])
  map.set('c', 4)
  map.delete('a')
  map.set('d', 5)
  expect([map.get('a'), map.get('c'), map.get('d')]).toEqual([undefined, 4, 5])
})
