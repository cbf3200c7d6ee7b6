import { expect, test } from 'vitest'
import { Throttle } from './throttle.ts'

/** Sends requests at every millisecond that the throttle allows; `accept` decides about each. */
function send(
  milliseconds: number,
  accept: (now: number, number: number) => boolean,
): { accepted: number; refused: number; sentAt: number[] } {
  const throttle = new Throttle()
  const sentAt: number[] = []
  let [accepted, refused] = [0, 0]
  for (let now = 0; now < milliseconds; now++) {
    now = Math.ceil(now + throttle.delay(now))
    if (now >= milliseconds) break
    throttle.take(now)
    const isAccepted = accept(now, sentAt.length)
    sentAt.push(now)
    if (isAccepted) {
      throttle.accepted(now)
      accepted++
    } else {
      throttle.refused(now)
      refused++
    }
  }
  return { accepted, refused, sentAt }
}

test('a refusal now and then costs little', () => {
  const { accepted, refused } = send(2000, (_, number) => number % 25 !== 24)
  expect(refused).toBeGreaterThan(10)
  expect(accepted).toBeGreaterThan(800)
})

test('requests settle at what a server with a limit takes, and most are accepted', () => {
  let tokens = 20
  let last = 0
  const { accepted, refused } = send(60_000, (now) => {
    tokens = Math.min(20, tokens + (now - last) / 100)
    last = now
    if (tokens < 1) return false
    tokens--
    return true
  })
  expect(accepted).toBeGreaterThan(450)
  expect(refused).toBeLessThan(accepted / 3)
})

test('a server that takes one request in three seconds refuses few others', () => {
  let free = 0
  const { accepted, refused } = send(600_000, (now) => {
    if (now < free) return false
    free = now + 3000
    return true
  })
  expect(accepted).toBeGreaterThan(100)
  expect(refused).toBeLessThan(1.5 * accepted)
})

test('the rate recovers when the server does, and the limit is lifted after a minute', () => {
  const busyUntil = 3000
  const { sentAt } = send(70_000, (now, number) => now >= busyUntil || number % 10 === 0)
  const during = (from: number, to: number) => sentAt.filter((time) => time >= from && time < to).length
  expect(during(2000, 3000)).toBeLessThan(500)
  expect(during(69_000, 70_000)).toBe(1000)
})

test('requests that are refused together slow down the rest once', () => {
  const throttle = new Throttle()
  for (let time = 0; time < 1000; time += 10) throttle.accepted(time)
  throttle.refused(1000)
  for (let request = 0; request < 64; request++) throttle.refused(10_000)
  throttle.take(10_000)
  expect(throttle.delay(10_000)).toBeLessThan(25)
})

test('25 refusals before anything is accepted cost a few seconds', () => {
  const throttle = new Throttle()
  // Those that were sent before the first refusal.
  for (let request = 0; request < 16; request++) throttle.refused(0)
  let [now, refused, accepted] = [0, 16, 0]
  while (accepted < 600) {
    now += throttle.delay(now)
    throttle.take(now)
    if (refused < 25) throttle.refused(now)
    else throttle.accepted(now)
    if (refused < 25) refused++
    else accepted++
  }
  expect(now).toBeLessThan(6000)
})

test('a server that refuses everything is asked every few seconds, and soon as often as before once it accepts', () => {
  const { sentAt } = send(60_000, (now) => now < 1000 || now > 30_000)
  const during = (from: number, to: number) => sentAt.filter((time) => time >= from && time < to).length
  expect(during(10_000, 30_000)).toBeLessThanOrEqual(6)
  expect(during(10_000, 30_000)).toBeGreaterThanOrEqual(3)
  expect(during(40_000, 41_000)).toBeGreaterThan(400)
})
