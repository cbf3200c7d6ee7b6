import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { additionConfig as config, heldConsumer, tasksOf } from '../../../../proof/testing/held-consumer.ts'
import type { Config } from '../evaluation/config/config-schema.ts'
import type { Job } from './client-types.ts'
import { JobConsumer } from './job-consumer.ts'
import { packRows } from './pack-rows.ts'
import { type JobData, type RunNotice, setupHash, timesOf } from './protocol.ts'
import type { QueueClient } from './redis.ts'
import { SharedSlots } from './shared-slots.ts'

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
  await expect.poll(() => events, { timeout: 60_000 }).toContain('waits')
  await taking.stop()
  expect(events.filter((one) => one !== 'waits')).toEqual(['hold', 'OOM', 'drop', 'given back'])
  expect(taking.refusal).toBeUndefined()
})

test('a row that comes out differently in job after job is refused at last', async () => {
  const server = createServer((_, response) => {
    const reply = { choices: [{ message: { role: 'assistant', content: '2' }, finish_reason: 'stop' }] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const here = { ...config.models[0]!, base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
  const setup = { folder: '', files: [], config: JSON.stringify({ ...config, models: [here] }), selection: {}, keepPrompts: false }
  const notice: RunNotice = { version: '', setup: setupHash(setup), models: [{ model: 'm' }], host: '', started: '' }
  const [task] = await tasksOf({ ...config, models: [here] } as unknown as Config)
  const completed: string[] = []
  let taken = 0
  const taker = {
    // The first job has the row as it is; the others have it with another question, as if the coordinator enqueued it again and again.
    getNextJob: async () => {
      const id = `${taken++}`
      await new Promise((resolve) => setTimeout(resolve, taken === 1 ? 0 : 20))
      if (taken === 2) await expect.poll(() => completed, { timeout: 60_000 }).toEqual(['0'])
      const row = id === '0' ? task! : { ...task!, row: { question: '1+2=?' } }
      const data = { setup: notice.setup, pair: { model: 'm', dataset: 'd' }, rows: packRows([row]) }
      return {
        id,
        attemptsStarted: 1,
        stalledCounter: 0,
        data,
        moveToCompleted: async () => void completed.push(id),
        moveToWait: async () => {},
      }
    },
    toKey: (id: string) => id,
    startStalledCheckTimer: async () => undefined,
    close: async () => undefined,
  }
  const redis = { get: async () => JSON.stringify(setup), rolecallAppendAnswers: async () => 1, del: async () => 1, status: 'ready' }
  const taking = new JobConsumer({
    client: { redis, taker: () => taker } as unknown as QueueClient,
    heartbeat: { tell: () => undefined } as never,
    ...{ times: timesOf({}), run: 'r', queue: 'r.0', model: { model: 'm' }, notice, prepare: {} },
    onTrouble: () => undefined,
  })
  try {
    await expect.poll(() => taking.refusal, { timeout: 60_000 }).toMatchObject({ code: 'other-key' })
    expect(completed.length).toBeGreaterThanOrEqual(10)
  } finally {
    await taking.stop()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

test('with --concurrency, a light run takes turns with a heavy one at the same model', async () => {
  // Requests are held, and answered one by one in the order in which they came.
  const waiting: { asks: string; answer: () => void }[] = []
  let most = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk))
    request.on('end', () => {
      const reply = { choices: [{ message: { role: 'assistant', content: '2' }, finish_reason: 'stop' }] }
      const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
      waiting.push({ asks: body.includes('light') ? 'light' : 'heavy', answer })
      most = Math.max(most, waiting.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const model = { ...config.models[0]!, base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
  const slots = new SharedSlots(() => 2)
  const consume = async (name: string, rows: number): Promise<JobConsumer> => {
    const dataset = { ...config.datasets[0]!, rows: Array.from({ length: rows }, (_, id) => ({ question: `${name} ${id}` })) }
    const given = { models: [model], datasets: [dataset] }
    const setup = { folder: '', files: [], config: JSON.stringify(given), selection: {}, keepPrompts: false }
    const notice: RunNotice = { version: '', setup: setupHash(setup), models: [{ model: 'm' }], host: '', started: '' }
    const tasks = await tasksOf(given as unknown as Config)
    let taken = 0
    const taker = {
      // Jobs of ten rows.
      getNextJob: async () => {
        const rows = tasks.splice(0, 10)
        if (rows.length === 0) return new Promise((resolve) => setTimeout(resolve, 20))
        const data = { setup: notice.setup, pair: { model: 'm', dataset: 'd' }, rows: packRows(rows) }
        const end = async () => undefined
        return { id: `${taken++}`, attemptsStarted: 1, stalledCounter: 0, data, moveToCompleted: end, moveToWait: end }
      },
      toKey: (id: string) => id,
      startStalledCheckTimer: async () => undefined,
      close: async () => undefined,
    }
    const redis = { get: async () => JSON.stringify(setup), rolecallAppendAnswers: async () => 1, del: async () => 1, status: 'ready' }
    return new JobConsumer({
      client: { redis, taker: () => taker } as unknown as QueueClient,
      heartbeat: { tell: () => undefined } as never,
      ...{ times: timesOf({}), run: name, queue: `${name}.0`, model: { model: 'm' }, notice, slots, prepare: {} },
      onTrouble: () => undefined,
    })
  }
  const heavy = await consume('heavy', 200)
  const consumers = [heavy]
  try {
    await expect.poll(() => waiting.length, { timeout: 60_000 }).toBe(2)
    const light = await consume('light', 5)
    consumers.push(light)
    await expect.poll(() => light.status.slots === 1 && heavy.status.slots === 1, { timeout: 60_000 }).toBe(true)
    const answered: string[] = []
    while (answered.filter((one) => one === 'light').length < 5) {
      await expect.poll(() => waiting.length, { timeout: 60_000 }).toBe(2)
      const next = waiting.shift()!
      answered.push(next.asks)
      next.answer()
    }
    // Both rows of the heavy run that were in flight, then in turns.
    expect(answered.filter((one) => one === 'heavy').length).toBeLessThanOrEqual(2 + 5)
    expect(most).toBe(2)
  } finally {
    await Promise.all(consumers.map((one) => one.stop(true)))
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

test('a worker takes no job before its locks are renewed', async () => {
  let start = () => {}
  const worker = await heldConsumer(1, { ready: new Promise((resolve) => (start = resolve)) })
  try {
    worker.give('1')
    await expect.poll(() => worker.consumer.status.slots, { timeout: 60_000 }).toBe(2)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([worker.takes(), worker.asked]).toEqual([0, []])
    start()
    await expect.poll(() => worker.asked, { timeout: 60_000 }).toEqual(['row 0'])
  } finally {
    await worker.close()
  }
})
