import { expect, test } from 'vitest'
import { atMost } from './at-most.ts'

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('what is waited for at most some time leaves no timer behind, come what may', async () => {
  const before = timers()
  await atMost(60_000, Promise.resolve())
  await expect(atMost(60_000, Promise.reject(new Error('away')))).rejects.toThrow('away')
  await atMost(1, new Promise(() => undefined))
  expect(timers()).toBeLessThanOrEqual(before)
})
