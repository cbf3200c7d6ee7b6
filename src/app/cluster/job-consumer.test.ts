import { expect, test } from 'vitest'
import type { Job } from './client-types.ts'
import { JobConsumer } from './job-consumer.ts'
import { packRows } from './pack-rows.ts'
import { type JobData, type RunNotice, setupHash, timesOf } from './protocol.ts'
import type { QueueClient } from './redis.ts'

const config = {
  models: [{ abbr: 'm', type: 'openai', path: 'm', base_url: 'http://127.0.0.1:1/v1', format: 'messages' }],
  datasets: [
    {
      abbr: 'd',
      rows: [{ question: '1+1=?' }],
      reader_cfg: { input_columns: ['question'] },
      infer_cfg: { prompt_template: { template: '{question}' } },
    },
  ],
}

test('a job that Redis does not let a worker start is released, and the worker continues', async () => {
  const setup = { folder: '', files: [], config: JSON.stringify(config), selection: {}, keepPrompts: false }
  const notice: RunNotice = { version: '', setup: setupHash(setup), models: [{ model: 'm' }], host: '', started: '' }
  const rows = packRows([{ id: 0, key: '0'.repeat(64), row: { question: '1+1=?' }, examples: [] }])
  const events: string[] = []
  const job = {
    ...{ id: '1', attemptsStarted: 2, stalledCounter: 0 },
    data: { setup: notice.setup, pair: { model: 'm', dataset: 'd' }, rows },
    moveToWait: async () => void events.push('given back'),
  } as unknown as Job<JobData>
  const jobs = [job]
  const taker = {
    getNextJob: () => {
      const next = jobs.shift()
      if (next) return Promise.resolve(next)
      events.push('waits')
      return new Promise((resolve) => setTimeout(resolve, 50))
    },
    toKey: (id: string) => id,
    startStalledCheckTimer: async () => undefined,
    close: async () => undefined,
  }
  const redis = { get: async () => JSON.stringify(setup), smembers: () => Promise.reject(new Error('OOM')) }
  const taking = new JobConsumer({
    client: { redis, taker: () => taker } as unknown as QueueClient,
    heartbeat: { tell: ({ kind }: { kind: string }) => void events.push(kind) } as never,
    ...{ times: timesOf({}), run: 'r', queue: 'r.0', model: { model: 'm' }, notice, prepare: {} },
    onTrouble: (problem) => events.push(problem),
  })
  await expect.poll(() => events, { timeout: 10_000 }).toContain('waits')
  await taking.stop()
  expect(events.filter((one) => one !== 'waits')).toEqual(['hold', 'OOM', 'drop', 'given back'])
  expect(taking.refusal).toBeUndefined()
})
