import { connect } from 'node:net'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Listening, listen } from '../../packages/rolecall/src/server/listen.ts'
import { type Fault, type SeenRequest, withFaults } from './faults.ts'

// Verifies the faults that our clients are tested with.

const seen: SeenRequest[] = []
let server: Listening

beforeAll(async () => {
  const app = new Hono().post('/long', () => new Response('x'.repeat(1000))).get('/health', (c) => c.text('ok'))
  server = await listen(withFaults(app, { onRequest: (request) => seen.push(request) }))
})

afterAll(() => server.close())

const post = (fault: Fault, init: RequestInit = {}) =>
  fetch(`${server.url}/long`, { method: 'POST', body: 'asked', headers: { 'x-rolecall-fault': JSON.stringify(fault) }, ...init })

test('statuses come with Retry-After', async () => {
  const response = await post({ kind: 'status', status: 429, retryAfter: 3 })
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3'])
  expect(await response.json()).toMatchObject({ error: { type: 'rate_limit_error' } })
})

test('garbage is not JSON, nonsense is other JSON', async () => {
  await expect((await post({ kind: 'garbage' })).json()).rejects.toThrow()
  expect(await (await post({ kind: 'nonsense' })).json()).toEqual({ object: 'error' })
})

test('a cut reply starts but does not finish', async () => {
  const response = await post({ kind: 'cut', after: 100 })
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
  const raw = await new Promise<string>((resolve) => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (data) => {
      text += data
    })
    socket.on('close', () => resolve(text))
    socket.on('error', () => undefined)
    socket.write('POST /long HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nx-rolecall-fault: {"kind":"cut","after":100}\r\n\r\n')
  })
  expect(raw.match(/x+/g)?.map(({ length }) => length)).toContain(100)
})

test('a reset sends nothing', async () => {
  await expect(post({ kind: 'reset' })).rejects.toThrow()
})

test('silence lasts until the client gives up', async () => {
  await expect(post({ kind: 'silence' }, { signal: AbortSignal.timeout(100) })).rejects.toThrow(/timeout/i)
})

test('a delayed reply is complete', async () => {
  expect((await (await post({ kind: 'delay', milliseconds: 20 })).text()).length).toBe(1000)
})

test('POST requests are reported with their bodies; GET requests pass unharmed', async () => {
  expect(seen[0]).toEqual({ number: 0, method: 'POST', path: '/long', body: 'asked' })
  expect(await (await fetch(`${server.url}/health`)).text()).toBe('ok')
})
