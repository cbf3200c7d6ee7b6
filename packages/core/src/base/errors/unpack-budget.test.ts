import { expect, test } from 'vitest'
import { limits } from './limits.ts'
import { UnpackBudget } from './unpack-budget.ts'

test('a source may unpack to its size times the ratio, and a small one to some megabytes', () => {
  expect(new UnpackBudget('small.gz', 10).left).toBe(limits.unpackedFloor)
  expect(new UnpackBudget('large.gz', 10_000_000).left).toBe(10_000_000 * limits.unpackedRatio)
  expect(new UnpackBudget('reply', 10_000_000, 5).left).toBe(5)
})

test('what is charged adds up, and the error names the member', () => {
  const budget = new UnpackBudget('log.eval', 10)
  budget.take(limits.unpackedFloor - 1, 'a.json')
  expect(() => budget.take(2, 'samples/b.json')).toThrow('log.eval › samples/b.json: it unpacks to more than 200 times its size')
  budget.take(1)
  expect(budget.left).toBe(0)
})

test('sizes that no source has are refused', () => {
  const budget = new UnpackBudget('log.eval', 1 << 30)
  expect(() => budget.take(-1)).toThrow('it unpacks')
  expect(() => budget.take(Number.NaN)).toThrow('it unpacks')
  expect(() => budget.takeWhole(limits.unpackedMember + 1, 'a.json')).toThrow('log.eval › a.json')
})
