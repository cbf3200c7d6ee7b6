import { expect, test } from 'vitest'
import { readShard, shardFolder, shardSize } from './shard.ts'

test('shard sizes equal the rows sent, and add up to all', () => {
  for (const total of [0, 1, 2, 3, 7, 8, 9, 100]) {
    for (const count of [1, 2, 3, 4, 9]) {
      const sizes = Array.from({ length: count }, (_, index) => shardSize(total, { index, count }))
      const sent = sizes.map((_, index) => Array.from({ length: total }, (_, row) => row).filter((row) => row % count === index).length)
      expect(sizes).toEqual(sent)
    }
  }
  expect(shardSize(5, { index: 0, count: 2 })).toBe(3)
})

test('a shard is a number and a total, counted from 1', () => {
  expect(readShard('2/4')).toEqual({ index: 1, count: 4 })
  expect(shardFolder({ index: 1, count: 4 })).toBe('shard-2-of-4')
  for (const wrong of ['0/4', '5/4', '2', '2/', 'a/b', '-1/4', '1/0']) expect(() => readShard(wrong)).toThrow(`"${wrong}" is not a shard`)
})
