import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Pace } from './pace.ts'
import { backoff, retryAfter, systemClock, type Wait } from './wait.ts'

/** A clock that advances only when everything waits. */
function testClock() {
  let now = 1000
  const sleepers: { until: number; wake: () => void }[] = []
  return {
    now: () => now,
    sleep: (milliseconds: number) => new Promise<void>((wake) => sleepers.push({ until: now + milliseconds, wake })),
    /** Advances by `milliseconds`. */
    async pass(milliseconds: number) {
      const end = now + milliseconds
      for (;;) {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve()
        sleepers.sort((a, b) => a.until - b.until)
        if (sleepers.length === 0 || sleepers[0]!.until > end) break
        const { until, wake } = sleepers.shift()!
        now = Math.max(now, until)
        wake()
      }
      now = end
    },
  }
}

describe('requests per minute', () => {
  test('are evenly spaced from the first on, however many arrive together', async () => {
    const clock = testClock()
    const waits: Wait[] = []
    const pace = new Pace({ concurrency: 100, requestsPerMinute: 30, clock, onWait: (wait) => waits.push(wait) })
    const sent: number[] = []
    for (let request = 0; request < 50; request++) void pace.go().then(() => sent.push(clock.now() - 1000))
    await clock.pass(60_000 - 1)
    expect(sent).toEqual(Array.from({ length: 30 }, (_, index) => index * 2000))
    expect(waits.slice(0, 2)).toEqual([
      { for: 'rate-limit', reason: 'rate limit', milliseconds: 2000 },
      { for: 'rate-limit', reason: 'rate limit', milliseconds: 4000 },
    ])
  })

  test('never exceed the limit in any minute, even after idle time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 40 }), async (gaps) => {
        const clock = testClock()
        const pace = new Pace({ concurrency: 100, requestsPerMinute: 20, clock })
        const sent: number[] = []
        for (const gap of gaps) {
          await clock.pass(gap)
          void pace.go().then(() => sent.push(clock.now()))
        }
        await clock.pass(1_000_000)
        expect(sent.length).toBe(gaps.length)
        for (const time of sent) expect(sent.filter((other) => other >= time && other < time + 60_000).length).toBeLessThanOrEqual(20)
      }),
      { numRuns: 30 },
    )
  })
})

test('after a refusal, requests wait in line, and go at once when the server accepts many again', async () => {
  const clock = testClock()
  const pace = new Pace({ concurrency: 10, clock })
  expect(pace.isOpen).toBe(true)
  pace.refused()
  const sent: number[] = []
  for (let request = 0; request < 20; request++) void pace.go().then(() => sent.push(clock.now() - 1000))
  await clock.pass(1000)
  expect(sent.length).toBeLessThan(8)
  for (let request = 0; request < 10; request++) pace.accepted()
  await clock.pass(1000)
  expect(sent.length).toBe(20)
  expect(pace.isOpen).toBe(true)
})

test('a request that is aborted leaves the line', async () => {
  const clock = testClock()
  const pace = new Pace({ concurrency: 10, clock })
  pace.refused()
  const before = [pace.go(), pace.go()]
  const stop = new AbortController()
  const stopped = pace.go(stop.signal)
  const after = pace.go()
  stop.abort(new Error('enough'))
  await expect(stopped).rejects.toThrow('enough')
  await clock.pass(10_000)
  await Promise.all([...before, after])
})

test('delays grow to a limit, with full jitter', () => {
  const waits = (random: number) => [0, 1, 2, 9].map((attempt) => backoff(attempt, { longest: 60_000, random: () => random }))
  expect(waits(1)).toEqual([1000, 2000, 4000, 60_000])
  expect(waits(0)).toEqual([0, 0, 0, 0])
})

test('Retry-After is seconds or a date; anything else is ignored', () => {
  const now = Date.UTC(2026, 10, 15)
  expect(retryAfter('1.5', now)).toBe(1500)
  expect(retryAfter(new Date(now - 5000).toUTCString(), now)).toBe(0)
  for (const header of [undefined, '', 'soon']) expect(retryAfter(header, now)).toBeUndefined()
})

test('sleep ends at a signal', async () => {
  const stop = new AbortController()
  const sleeping = systemClock.sleep(60_000, stop.signal)
  stop.abort(new Error('enough'))
  await expect(sleeping).rejects.toThrow('enough')
  await expect(systemClock.sleep(60_000, stop.signal)).rejects.toThrow('enough')
})
