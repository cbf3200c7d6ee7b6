import { describe, expect, test } from 'vitest'
import { PythonRandom } from '../../../python/library/random.ts'
import { noRefusals, Refusals } from './refusals.ts'

const limits = { retries: 6, longest: 120_000 }

function refusedAttempt(refusals: Refusals, request = noRefusals(), now = 0) {
  const attempt = refusals.send()
  refusals.end(attempt)
  return refusals.refuse(attempt, request, now)
}

describe('a request', () => {
  test('fails if it is refused each time while the server accepts others', () => {
    const refusals = new Refusals(limits)
    const request = noRefusals()
    const said = Array.from({ length: 20 }, () => {
      const next = refusedAttempt(refusals, request)
      refusals.accept()
      return next
    })
    expect(said).toEqual([...Array.from({ length: 19 }, () => 'wait'), 'fail'])
  })

  const random = new PythonRandom(1)
  test.each([
    ['if the server accepts one in forty, however often that makes it refuse this one', 81, 30, (number: number) => number % 40 === 0],
    ['with few retries while the server accepts one of three, whichever it is', 20, 10, () => random.random() < 1 / 3],
  ] as const)('waits %s', (_, waiting, atLeast, accepts) => {
    const refusals = new Refusals({ ...limits, retries: 1 })
    const line = Array.from({ length: waiting }, noRefusals)
    let most = 0
    for (let number = 1; number < 10_000; number++) {
      const request = line.shift()!
      if (accepts(number)) {
        refusals.accept()
        line.push(noRefusals())
        continue
      }
      expect(refusedAttempt(refusals, request, number * 1000)).toBe('wait')
      most = Math.max(most, request.count)
      line.push(request)
    }
    expect(most).toBeGreaterThan(atLeast)
  })

  test('waits for the next minute if it is the only one left', () => {
    const refusals = new Refusals(limits)
    const request = noRefusals()
    refusedAttempt(refusals, request)
    refusals.accept()
    for (let seconds = 1; seconds < 60; seconds++) expect(refusedAttempt(refusals, request, seconds * 1000)).toBe('wait')
  })
})

describe('when a server has refused everything for too long,', () => {
  test('a request that was refused while others were accepted fails, and another one ends the run', () => {
    const refusals = new Refusals(limits)
    const [early, late] = [noRefusals(), noRefusals()]
    refusedAttempt(refusals, early)
    refusals.accept()
    const said = [0, 119_999, 120_000].map((now) => [early, late].map((request) => refusedAttempt(refusals, request, now)))
    expect(said).toEqual([
      ['wait', 'wait'],
      ['wait', 'wait'],
      ['fail', 'too-long'],
    ])
    expect(refusals.lasting(120_000)).toBe(120_000)
  })

  test('requests wait as long as it is answering an earlier one', () => {
    const refusals = new Refusals(limits)
    const answering = refusals.send()
    const request = noRefusals()
    expect([0, 1e9].map((now) => refusedAttempt(refusals, request, now))).toEqual(['wait', 'wait'])
    refusals.end(answering)
    expect(refusedAttempt(refusals, request, 1e9)).toBe('too-long')
  })
})
