import { describe, expect, test } from 'vitest'
import { type Script, scriptedModel } from '../../../../proof/testing/scripted-model.ts'
import { PromptError } from '../../../core/src/base/errors/prompt-error.ts'
import { type AppOptions, createApp } from './create-app.ts'
import { listen } from './listen.ts'
import { limitKeys, parseKeys, parseLimit } from './parse-limit.ts'
import type { RequestEntry } from './request-log.ts'

// What operators of a server see, and how they limit clients.

const config = { format: 'chatml' }

function appWith(options: Partial<AppOptions> = {}, script: Script = { says: () => ['four', 'ty'] }) {
  return createApp({ models: [{ model: scriptedModel(script), config }], ...options })
}

type App = ReturnType<typeof createApp>

const chat = { messages: [{ role: 'user', content: 'Hi' }] }
const post = (app: App, path: string, body: object, headers: Record<string, string> = {}) =>
  app.request(path, { method: 'POST', body: JSON.stringify(body), headers })

/** Streams report their end after it was read. */
const settled = () => new Promise((resolve) => setTimeout(resolve))

describe('/metrics', () => {
  test("has requests by route and status, tokens and durations in Prometheus's format", async () => {
    let now = 0
    const app = appWith({ now: () => (now += 5) })
    await post(app, '/v1/chat/completions', chat)
    await (await post(app, '/v1/messages', { ...chat, max_tokens: 9, stream: true })).text()
    await post(app, '/v1/chat/completions', { messages: [] })
    await app.request('/somewhere/else')
    await settled()
    const response = await app.request('/metrics')
    const text = await response.text()
    expect(response.headers.get('content-type')).toContain('version=0.0.4')
    for (const line of [
      'rolecall_requests_total{route="/v1/chat/completions",status="200"} 1',
      'rolecall_requests_total{route="/v1/chat/completions",status="400"} 1',
      'rolecall_requests_total{route="/v1/messages",status="200"} 1',
      'rolecall_requests_total{route="other",status="404"} 1',
      'rolecall_prompt_tokens_total{model="scripted"} 2',
      'rolecall_completion_tokens_total{model="scripted"} 4',
      'rolecall_time_to_first_token_seconds_count{model="scripted"} 2',
      'rolecall_requests_waiting 0',
      'rolecall_replies_waiting{model="scripted"} 0',
    ])
      expect(text.split('\n')).toContain(line)
    // Every line is a comment, or a name with labels and a number.
    for (const line of text.trim().split('\n')) expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? [\d.e+-]+)$/)
  })

  test('counts waiting requests', async () => {
    const app = appWith({ limits: { concurrent: 1 } }, { says: () => ['x'], milliseconds: 1000 })
    const both = [post(app, '/v1/chat/completions', chat), post(app, '/v1/chat/completions', chat)]
    const metrics = async () => (await app.request('/metrics')).text()
    await expect.poll(metrics, { interval: 10 }).toMatch(/rolecall_requests_running 1\n[\s\S]*rolecall_requests_waiting 1\n/)
    await Promise.all(both)
  })
})

describe('a request has an id', () => {
  test('from the client if it is safe to log', async () => {
    const app = appWith()
    const idOf = async (given: string) =>
      (await post(app, '/v1/chat/completions', chat, { 'x-request-id': given })).headers.get('x-request-id')
    expect(await idOf('trace-1')).toBe('trace-1')
    expect(await idOf('two words')).toMatch(/^req_[0-9a-f]{32}$/)
    expect((await app.request('/nowhere')).headers.get('x-request-id')).toMatch(/^req_/)
  })

  test('and is logged under it when it is over, without its content', async () => {
    const entries: RequestEntry[] = []
    const app = appWith({ onRequest: (entry) => entries.push(entry), keys: [{ name: 'ci', key: 'k1' }] })
    const headers = { 'x-request-id': 'a', authorization: 'Bearer k1' }
    await (await post(app, '/v1/chat/completions', { ...chat, stream: true, n: 2 }, headers)).text()
    await post(app, '/v1/chat/completions', chat)
    await settled()
    expect(entries).toMatchObject([
      { id: 'a', path: '/v1/chat/completions', status: 200, client: 'ci', model: 'scripted', tokens: { prompt: 1, reused: 0, reply: 4 } },
      { status: 401 },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/Hi|four|k1/)
  })
})

describe('keys', () => {
  const keys = [
    { name: 'ci', key: 'k1', requestsPerMinute: 1 },
    { name: 'phone', key: 'k2', tokensPerMinute: 4 },
    { name: 'web', key: 'k3', concurrent: 1 },
  ]
  const as = (app: App, key: string, body: object = chat) => post(app, '/v1/chat/completions', body, { authorization: `Bearer ${key}` })
  const statuses = async (answers: (Response | Promise<Response>)[]) => (await Promise.all(answers)).map(({ status }) => status)

  test('have individual limits: requests, tokens, concurrency', async () => {
    let now = 0
    const app = appWith({ keys, now: () => now }, { says: () => ['four', 'ty'], milliseconds: 5 })
    expect(await statuses([as(app, 'k1'), as(app, 'k1')])).toEqual([200, 429])
    // Three tokens each: the second request overspends.
    expect([(await as(app, 'k2')).status, (await as(app, 'k2')).status, (await as(app, 'k2')).status]).toEqual([200, 200, 429])
    expect(await statuses([as(app, 'k3'), as(app, 'k3')])).toEqual([200, 429])
    expect((await as(app, 'k3')).status).toBe(200)
    expect((await as(app, 'k4')).status).toBe(401)
    now += 60_000
    expect([(await as(app, 'k1')).status, (await as(app, 'k2')).status]).toEqual([200, 200])
  })

  test('count a stream as running until it ends', async () => {
    const app = appWith({ keys }, { says: () => ['four', 'ty'], milliseconds: 10 })
    const stream = await as(app, 'k3', { ...chat, stream: true })
    const refused = await as(app, 'k3')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    await stream.text()
    await settled()
    expect((await as(app, 'k3')).status).toBe(200)
  })

  test('cannot access the responses of other keys', async () => {
    const app = appWith({ keys })
    const call = (key: string, path: string, init: RequestInit = {}) =>
      app.request(path, { ...init, headers: { authorization: `Bearer ${key}` } })
    const send = (key: string, body: object) => call(key, '/v1/responses', { method: 'POST', body: JSON.stringify(body) })
    const { id, output } = (await (await send('k1', { input: 'Hi' })).json()) as { id: string; output: { id: string }[] }
    expect((await call('k2', `/v1/responses/${id}`)).status).toBe(404)
    expect((await call('k2', `/v1/responses/${id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await send('k2', { input: 'Hi', previous_response_id: id })).status).toBe(400)
    expect((await send('k2', { input: [{ type: 'item_reference', id: output[0]!.id }] })).status).toBe(400)
    expect((await call('k1', `/v1/responses/${id}`)).status).toBe(200)
  })

  test('and limits are parsed from flags and the environment; mistakes are errors', () => {
    const read = (keys: string, ...limits: string[]) => limitKeys(parseKeys(keys), limits.map(parseLimit))
    expect(read('ci=k1 phone=k2', 'ci:requests=60,concurrent=2', 'tokens=500')).toEqual({
      keys: [
        { name: 'ci', key: 'k1', requestsPerMinute: 60, concurrent: 2 },
        { name: 'phone', key: 'k2' },
      ],
      client: { tokensPerMinute: 500 },
    })
    for (const [keys, limit] of [
      ['ci=k1', 'cj:requests=1'],
      ['', 'requests=x'],
      ['', 'words=1'],
      ['', 'constructor=1'],
      ['', 'requests=0'],
      ['k1', 'requests=1'],
    ])
      expect(() => read(keys!, limit!)).toThrow(PromptError)
    expect(() => createApp({ models: [], keys: [keys[0]!, { ...keys[1]!, name: 'ci' }] })).toThrow(/same name/)
  })
})

test('a closing server aborts running requests after a timeout', async () => {
  const slow = { says: () => Array(100).fill('x'), milliseconds: 20 }
  const server = await listen(appWith({}, slow))
  const answer = fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify({ ...chat, stream: true }) })
  const begun = await answer
  const closing = server.close({ within: 0.1 })
  await expect(begun.text()).rejects.toThrow()
  await closing
})
