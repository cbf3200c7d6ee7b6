import { expect, test } from 'vitest'
import { Session } from './session.ts'

test('a heap above its limit stops what makes more, however little of it is kept', () => {
  const session = (heap: number) => new Session({ read: () => undefined, limits: { heap } })
  expect(() => session(1_000_000).allocate([], 1 << 25)).toThrow('it needs more than 1 MB of memory')
  expect(session(1e12).allocate([], 1 << 25)).toEqual([])
})
