import { expect, test } from 'vitest'
import { Watchdog } from './watchdog.ts'

test('renders as without a watchdog, counts consecutive signals, and stops cleanly', async () => {
  // Tests in other files of this process may have left listeners.
  const before = process.listenerCount('SIGTERM')
  const watchdog = new Watchdog()
  const counts: number[] = []
  watchdog.hear((count) => counts.push(count), ['SIGTERM'])
  expect(watchdog.compile('{{ a }}', { name: 'quick.jinja' }).render({ a: 1 })).toBe('1')
  process.emit('SIGTERM')
  process.emit('SIGTERM')
  watchdog.forget()
  process.emit('SIGTERM')
  await watchdog.stop()
  expect(counts).toEqual([1, 2, 1])
  expect(process.listenerCount('SIGTERM')).toBe(before)
})
