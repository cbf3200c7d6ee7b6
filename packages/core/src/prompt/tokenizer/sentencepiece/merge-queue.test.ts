import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { MergeQueue } from './merge-queue.ts'

test('merges come out with the lowest key first, each with its piece', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(), { maxLength: 100 }), fc.nat({ max: 20 }), (keys, capacity) => {
      const queue = new MergeQueue(capacity)
      for (const key of keys) queue.push(key, key % 1000)
      const popped: number[] = []
      while (queue.size > 0) {
        expect(queue.piece).toBe(queue.key % 1000)
        popped.push(queue.key)
        queue.pop()
      }
      expect(popped).toEqual([...keys].sort((a, b) => a - b))
    }),
  )
})
