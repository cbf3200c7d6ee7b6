import { expect, test } from 'vitest'
import { allowedSkips, unlistedSkips } from './skipped-tests.ts'

const report = (name: string, status: string) => ({ testResults: [{ name, assertionResults: [{ status, fullName: 'a test' }] }] })
const redis = { files: /queue/, reason: 'redis-server' }

test('a skipped test is allowed only while what it needs is missing', () => {
  expect(unlistedSkips(report('packages/rolecall/src/queue.test.ts', 'pending'), [{ ...redis, isMissing: () => true }])).toEqual([])
  expect(unlistedSkips(report('packages/rolecall/src/queue.test.ts', 'pending'), [{ ...redis, isMissing: () => false }])).toEqual([
    'packages/rolecall/src/queue.test.ts: a test',
  ])
  expect(unlistedSkips(report('packages/rolecall/src/other.test.ts', 'skipped'), [{ ...redis, isMissing: () => true }])).toEqual([
    'packages/rolecall/src/other.test.ts: a test',
  ])
  expect(unlistedSkips(report('packages/rolecall/src/other.test.ts', 'passed'), [])).toEqual([])
})

test('every entry of the list has a reason', () => {
  expect(allowedSkips.filter(({ reason }) => reason.trim() === '')).toEqual([])
})
