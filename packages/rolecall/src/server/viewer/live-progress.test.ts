import { expect, test } from 'vitest'
import { CountedRate, RunProgress } from './live-progress.ts'
import type { OpenRun } from './open-run.ts'
import type { RunStatus } from './viewer-data.ts'

test('the rate of rows is that of the last minute, and unknown until rows are added', () => {
  const rate = new CountedRate()
  expect(rate.add(10, 0)).toBeUndefined()
  expect(rate.add(10, 1000)).toBeUndefined()
  expect(rate.add(40, 3000)).toBe(10)
  // A minute later, the first counts no longer matter.
  expect(rate.add(100, 63_000)).toBe(1)
  // A resumed run may begin with fewer rows.
  expect(rate.add(5, 64_000)).toBeUndefined()
})

test('a run in progress has its rows, all rows, errors, the rate and the time left', async () => {
  const progress = new RunProgress()
  const run = {
    info: { options: { limit: 100 } },
    site: () => ({ pairs: [{ datasetIndex: 0 }, { datasetIndex: 0 }] }),
  } as unknown as OpenRun
  const config = { rows: [{ list: async () => ({ total: 300, previews: [] }) }] } as never
  const state = (rows: number) => ({ isLive: true, pairs: [{ rows, failed: 2 }, { rows: 0 }] }) as RunStatus
  expect(await progress.of(run, config, state(20), 0)).toEqual({ rows: 20, all: 200, failed: 2 })
  expect(await progress.of(run, config, state(40), 2000)).toEqual({ rows: 40, all: 200, failed: 2, perSecond: 10, secondsLeft: 16 })
  // Rows that cannot be counted leave the total and the time unknown.
  expect(await progress.of(run, undefined, state(60), 4000)).toEqual({ rows: 60, failed: 2, perSecond: 10 })
})
