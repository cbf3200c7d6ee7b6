import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { scriptedModel } from '../../../../proof/testing/scripted-model.ts'
import type { LanguageModel } from '../model/language-model/language-model.ts'
import { FairQueue } from '../node/fair-queue.ts'
import { type AppOptions, createApp } from './create-app.ts'
import { listen } from './listen.ts'
import { serve } from './serve-models.ts'

// One client cannot block the others.

const open: { close(): Promise<unknown> | undefined }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const config = { format: 'chatml' }
const answers = () => scriptedModel({ says: () => ['ok'] })

async function start(model: LanguageModel, options: Partial<AppOptions> = {}) {
  const server = await listen(createApp({ models: [{ model, config }], ...options }))
  open.push({ close: () => server.close({ now: true }) })
  return server
}

/** A request from some address. */
function from(app: ReturnType<typeof createApp>, address: string, init: RequestInit = {}) {
  const env = { incoming: { socket: { remoteAddress: address } } }
  return app.request('/v1/completions', { method: 'POST', body: JSON.stringify({ prompt: 'Hi' }), ...init }, env)
}

function slowly(port: number, said: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(said)
      resolve(socket)
    })
    socket.on('error', () => undefined)
    open.unshift({ close: async () => void socket.destroy() })
  })
}

const head = (length: number) =>
  `POST /v1/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`

describe('an empty key', () => {
  test.each([[''], ['  ']])('%j is rejected before any model is opened', async (apiKey) => {
    await expect(serve({ models: [config], host: '0.0.0.0', apiKey })).rejects.toThrow(/--api-key: the key is empty/)
    await expect(serve({ models: [config], apiKey })).rejects.toThrow(/--api-key: the key is empty/)
    expect(() => createApp({ models: [{ model: answers(), config }], apiKey })).toThrow(/the key is empty/)
  })
})

describe('slow request bodies', () => {
  test('do not block other clients', async () => {
    const server = await start(answers(), { limits: { concurrent: 2, waiting: 2 } })
    await Promise.all(Array.from({ length: 300 }, () => slowly(server.port, `${head(1000)}{`)))
    const response = await fetch(`${server.url}/v1/completions`, { method: 'POST', body: JSON.stringify({ prompt: 'Hi' }) })
    expect(response.status).toBe(200)
  })

  test('time out', async () => {
    const server = await start(answers(), { limits: { bodySeconds: 0.1 } })
    const socket = await slowly(server.port, `${head(1000)}{`)
    const said = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
    expect(said).toMatch(/^HTTP\/1.1 408[\s\S]*request_timeout/)
  })

  test('are limited in total: the largest is dropped', async () => {
    const server = await start(answers(), { limits: { bodiesBytes: 100_000 } })
    const large = await slowly(server.port, head(1_000_000) + 'x'.repeat(90_000))
    const dropped = new Promise<string>((resolve) => large.once('data', (data) => resolve(String(data))))
    const response = await fetch(`${server.url}/v1/completions`, {
      method: 'POST',
      body: JSON.stringify({ prompt: 'Hi', user: 'x'.repeat(20_000) }),
    })
    expect(await dropped).toMatch(/^HTTP\/1.1 429[\s\S]*server_busy/)
    expect(response.status).toBe(200)
  })
})

test('a client that exceeds its rate gets 429 with retry-after; others are served', async () => {
  let now = 0
  const app = createApp({ models: [{ model: answers(), config }], limits: { client: { requestsPerMinute: 2 } }, now: () => now })
  const statuses = async (address: string, count: number) => {
    const responses = await Promise.all(Array.from({ length: count }, () => from(app, address)))
    return responses.map(({ status }) => status)
  }
  expect(await statuses('10.0.0.1', 3)).toEqual([200, 200, 429])
  expect(await statuses('10.0.0.2', 1)).toEqual([200])
  const refused = await from(app, '10.0.0.1')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
  now += 30_000
  expect(await statuses('10.0.0.1', 2)).toEqual([200, 429])
})

test('the waiting client with the fewest running requests is next', async () => {
  const queue = new FairQueue(2)
  const done: string[] = []
  const work = (name: string) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 10))
    done.push(name)
  }
  const many = Array.from({ length: 6 }, (_, index) => queue.run(work(`a${index}`), undefined, 'a'))
  const one = queue.run(work('b'), undefined, 'b')
  await Promise.all([...many, one])
  expect(done.indexOf('b')).toBeLessThan(4)
  expect(queue.running).toBe(0)
})

test('clients take turns, however many tasks one of them has', async () => {
  const queue = new FairQueue(1)
  const done: string[] = []
  const work = (name: string) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    done.push(name)
  }
  const tasks = ['a', 'a', 'a', 'a', 'a', 'a', 'b', 'b', 'c'].map((client) => queue.run(work(client), undefined, client))
  await Promise.all(tasks)
  expect(done.join('')).toBe('abcabaaaa')
  expect([queue.running, queue.waiting]).toEqual([0, 0])
})

test('a client with more waiting tasks makes room for one with fewer; an aborted task leaves the queue', async () => {
  const queue = new FairQueue(1)
  let end = () => {}
  const first = queue.run(() => new Promise<void>((resolve) => (end = resolve)), undefined, 'a')
  const second = queue.run(async () => 'second', undefined, 'a')
  const third = queue.run(async () => 'third', undefined, 'a').catch((error: unknown) => error)
  expect(queue.displace('a', () => 'displaced')).toBe(false)
  expect(queue.displace('b', () => 'displaced')).toBe(true)
  expect(await third).toBe('displaced')
  const gone = new AbortController()
  const left = queue.run(async () => 'left', gone.signal, 'b').catch((error: unknown) => error)
  expect(queue.displace('b', () => 'displaced')).toBe(false)
  gone.abort('gone')
  expect(await left).toBe('gone')
  expect(queue.waiting).toBe(1)
  end()
  await first
  expect(await second).toBe('second')
})

test('a client with hundreds of requests does not lock out another, before or at the model', async () => {
  // 20 ms per reply, one at a time.
  const model = scriptedModel({ says: () => ['ok'], milliseconds: 20 })
  const app = createApp({ models: [{ model, config }], limits: { concurrent: 8, waiting: 16 } })
  const heavy = Array.from({ length: 60 }, () => from(app, '10.0.0.1'))
  const light: number[] = []
  for (let count = 0; count < 5; count++) light.push((await from(app, '10.0.0.2')).status)
  expect(light).toEqual([200, 200, 200, 200, 200])
  // Behind all others each would take 24 replies.
  expect(model.played.ended / 5).toBeLessThan(12)
  const statuses = await Promise.all(heavy.map(async (one) => (await one).status))
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(20)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})

test('a concurrency that has grown is used by the tasks that wait', async () => {
  let concurrency = 1
  const queue = new FairQueue(() => concurrency)
  let most = 0
  const task = async () => {
    most = Math.max(most, queue.running)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  const tasks = Array.from({ length: 6 }, () => queue.run(task))
  concurrency = 3
  await Promise.all(tasks)
  expect(most).toBe(3)
})
