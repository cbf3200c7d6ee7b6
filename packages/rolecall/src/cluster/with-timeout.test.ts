import { expect, test } from 'vitest'
import { withTimeout } from './with-timeout.ts'

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('waiting with a timeout leaves no timer behind, whatever the outcome', async () => {
  const before = timers()
  await withTimeout(60_000, Promise.resolve())
  await expect(withTimeout(60_000, Promise.reject(new Error('away')))).rejects.toThrow('away')
  await withTimeout(1, new Promise(() => undefined))
  expect(timers()).toBeLessThanOrEqual(before)
})
