import { expect, test } from 'vitest'
import { withTimeout } from './with-timeout.ts'

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('what is waited for at most some time leaves no timer behind, come what may', async () => {
  const before = timers()
  await withTimeout(60_000, Promise.resolve())
  await expect(withTimeout(60_000, Promise.reject(new Error('away')))).rejects.toThrow('away')
  await withTimeout(1, new Promise(() => undefined))
  expect(timers()).toBeLessThanOrEqual(before)
})
