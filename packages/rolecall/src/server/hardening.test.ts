import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import OpenAI from 'openai'
import { afterEach, describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../proof/testing/sampling.ts'
import { scriptedModel } from '../../../../proof/testing/scripted-model.ts'
import type { LanguageModel } from '../model/language-model/language-model.ts'
import { type AppOptions, createApp } from './create-app.ts'
import { type Listening, listen } from './listen.ts'

// Client mistakes, deliberate or not, never stop the server, and are answered with a useful error.

const open: Listening[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close({ now: true })
})

const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index} `)
const config = { format: 'chatml' }

/** A model that blocks until it is released. */
function heldModel() {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const { generate, ...rest } = scriptedModel({ says: () => ['ok'] })
  const begun = { count: 0 }
  const model: LanguageModel = {
    ...rest,
    generate(prompt, options) {
      begun.count++
      return held.then(() => generate(prompt, options))
    },
  }
  return { model, begun, release }
}

async function start(model: LanguageModel, options: Partial<AppOptions> = {}): Promise<Listening> {
  const server = await listen(createApp({ models: [{ model, config }], ...options }))
  open.push(server)
  return server
}

function post(server: Listening, body: string | object, init: RequestInit = {}): Promise<Response> {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(`${server.url}/v1/completions`, { method: 'POST', body: sent, ...init })
}

/** A raw connection. */
function rawSocket(server: Listening, said: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write(said)
      resolve(socket)
    })
    socket.on('error', () => undefined)
  })
}

function everything(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (data) => (text += data))
    socket.on('close', () => resolve(text))
  })
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1500; tries++) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('timed out')
}

async function inside(server: Listening): Promise<number> {
  return ((await (await fetch(`${server.url}/health`)).json()) as { requests: number }).requests
}

async function metricsOf(server: Listening): Promise<string> {
  return (await fetch(`${server.url}/metrics`)).text()
}

const request = (body: string, more = '') =>
  `POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`

describe('a client that disconnects', () => {
  test('during a stream aborts its reply', async () => {
    const model = scriptedModel({ says: () => words(10_000), milliseconds: 2 })
    const server = await start(model)
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
    const stream = await client.completions.create({ model: 'scripted', prompt: 'Hi', stream: true })
    for await (const _ of stream) break
    await until(() => model.played.aborted === 1)
    expect(await inside(server)).toBe(0)
    await until(async () => (await metricsOf(server)).includes('rolecall_requests_total{route="/v1/completions",status="499"} 1'))
  })

  test('before its response aborts its reply', async () => {
    const model = scriptedModel({ says: () => words(10_000), milliseconds: 2 })
    const server = await start(model)
    const leaving = new AbortController()
    const asked = post(server, { prompt: 'Hi' }, { signal: leaving.signal })
    await until(() => model.played.begun === 1)
    leaving.abort()
    await expect(asked).rejects.toThrow()
    await until(() => model.played.aborted === 1)
    await until(async () => (await metricsOf(server)).includes('rolecall_requests_total{route="/v1/completions",status="499"} 1'))
  })

  test('while waiting leaves the queue, and the model is not called', async () => {
    const { model, begun, release } = heldModel()
    const server = await start(model)
    const first = post(server, { prompt: 'first' })
    await until(() => begun.count === 1)
    const leaving = new AbortController()
    const second = post(server, { prompt: 'second' }, { signal: leaving.signal })
    await until(async () => (await inside(server)) === 2)
    leaving.abort()
    await expect(second).rejects.toThrow()
    await until(async () => (await inside(server)) === 1)
    release()
    expect((await first).status).toBe(200)
    expect(begun.count).toBe(1)
  })

  test('during its request is dropped', async () => {
    const server = await start(scriptedModel({ says: () => ['ok'] }))
    const socket = await rawSocket(server, request('{"prompt": "Hi"}').slice(0, -5))
    await until(async () => (await inside(server)) === 1)
    socket.destroy()
    await until(async () => (await inside(server)) === 0)
  })
})

describe('a slow client', () => {
  test('that sends its request in small chunks does not block others', async () => {
    const server = await start(scriptedModel({ says: () => ['ok'] }))
    const whole = request('{"prompt": "Hi"}')
    const sockets = await Promise.all(Array.from({ length: 20 }, () => rawSocket(server, whole.slice(0, -3))))
    const quick = await post(server, { prompt: 'Hi' })
    expect(await quick.json()).toMatchObject({ choices: [{ text: 'ok' }] })
    const answers = sockets.map(everything)
    for (const socket of sockets) socket.write(whole.slice(-3, -1))
    for (const socket of sockets) socket.end(whole.slice(-1))
    for (const answer of await Promise.all(answers)) expect(answer).toContain('"text":"ok"')
  })

  test('that does not read its response does not block others', async () => {
    const model = scriptedModel({ says: () => Array.from({ length: 2000 }, () => 'x'.repeat(1000)) })
    const server = await start(model)
    const socket = await rawSocket(server, request(JSON.stringify({ prompt: 'Hi', stream: true })))
    socket.pause()
    await until(() => model.played.ended === 1)
    expect((await post(server, { prompt: 'Hi' })).status).toBe(200)
    socket.destroy()
    await until(async () => (await inside(server)) === 0)
  })
})

describe('an invalid request', () => {
  const bodies: [string, string][] = [
    ['empty', ''],
    ['not JSON', '{"prompt": '],
    ['an array', '[]'],
    ['a string', '"prompt"'],
    ['null', 'null'],
    ['an invalid number', '{"prompt": "Hi", "temperature": NaN}'],
    ['an infinite number', '{"prompt": "Hi", "max_tokens": 1e400}'],
    ['deep nesting', `{"prompt": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['mixed prompts', '{"prompt": ["a", 1]}'],
    ['negative ids', '{"prompt": [-1]}'],
    ['a prototype', '{"__proto__": {"prompt": "x"}}'],
  ]
  for (const [name, body] of bodies) {
    test(`is rejected: ${name}`, async () => {
      const server = await start(scriptedModel({ says: () => ['ok'] }))
      for (const path of ['completions', 'chat/completions', 'render']) {
        const response = await fetch(`${server.url}/v1/${path}`, { method: 'POST', body })
        expect(response.status).toBe(name === 'deep nesting' ? 413 : 400)
        const message = name === 'an infinite number' ? expect.stringContaining('larger than a number can be') : expect.any(String)
        expect(await response.json()).toMatchObject({ error: { message, type: 'invalid_request_error' } })
      }
    })
  }

  test('is rejected if it is too large, with or without content-length', async () => {
    const server = await start(scriptedModel({ says: () => ['ok'] }), { limits: { bodyBytes: 1000 } })
    const declared = await rawSocket(server, 'POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n')
    expect(await everything(declared)).toMatch(/^HTTP\/1\.1 413 [\s\S]*request_too_large/)
    const chunk = `3e8\r\n${'x'.repeat(1000)}\r\n`
    const chunked = await rawSocket(
      server,
      `POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(3)}`,
    )
    expect(await everything(chunked)).toMatch(/^HTTP\/1\.1 413 [\s\S]*request_too_large/)
    expect((await post(server, { prompt: 'Hi' })).status).toBe(200)
  })

  test('is rejected before tokenization if it cannot fit', async () => {
    const model: LanguageModel = { ...scriptedModel({ says: () => ['ok'] }), context: 1000 }
    const server = await start(model)
    const response = await post(server, { prompt: 'a b '.repeat(100_000) })
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 'context_length_exceeded' } }])
  })

  test('is rejected if it is not HTTP', async () => {
    const server = await start(scriptedModel({ says: () => ['ok'] }))
    const socket = await rawSocket(server, 'Good morning!\r\n\r\n')
    expect(await everything(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request[\s\S]*"code":"bad_http"/)
  })

  test('is rejected for an unknown URL or method', async () => {
    const server = await start(scriptedModel({ says: () => ['ok'] }))
    expect(await (await fetch(`${server.url}/v2`)).json()).toMatchObject({ error: { code: 'unknown_url' } })
    expect((await fetch(`${server.url}/v1/completions`)).status).toBe(405)
  })

  test('never causes an internal error', async () => {
    const model = scriptedModel({ says: () => ['ok'] })
    const failures: string[] = []
    const app = createApp({ models: [{ model, config }], log: (text) => failures.push(text) })
    const key = fc.constantFrom(
      ...['prompt', 'messages', 'tools', 'tool_choice', 'n', 'stop', 'logprobs', 'echo', 'stream', 'temperature', 'seed', 'max_tokens'],
      ...['template', 'row', 'examples', 'model', 'stream_options', 'stop_token_ids', 'chat_template_kwargs', 'continue_final_message'],
    )
    const message = fc.record({ role: fc.constantFrom('user', 'assistant', 'tool', 'system', ''), content: fc.jsonValue() })
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('Hi', true, 1, 0, 'scripted'),
      fc.array(message, { maxLength: 3 }),
    )
    const sound = fc.constantFrom<[string, object]>(
      ['completions', { prompt: 'Hi' }],
      ['chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
      ['render', { messages: [{ role: 'user', content: 'Hi' }] }],
      ['render', { template: 'Q: {q}', row: { q: 'Hi' } }],
    )
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(sound, fc.array(fc.tuple(key, value), { maxLength: 4 }), async ([where, base], entries) => {
        failures.length = 0
        const response = await app.request(`/v1/${where}`, {
          method: 'POST',
          body: JSON.stringify({ ...base, ...Object.fromEntries(entries) }),
        })
        const text = await response.text()
        statuses.add(response.status)
        expect({ failures, status: response.status, text }).toEqual({
          failures: [],
          status: expect.toSatisfy((status: number) => status < 500),
          text: expect.any(String),
        })
      }),
      { numRuns: propertyRuns(400) },
    )
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400]))
  })
})

describe('many clients', () => {
  test('get 429 with retry-after if too many wait; the others are answered', async () => {
    const { model, release } = heldModel()
    const server = await start(model, { limits: { concurrent: 2, waiting: 3 } })
    let refusals = 0
    const asked = Array.from({ length: 12 }, async () => {
      const response = await post(server, { prompt: 'Hi' })
      if (response.status === 429 && ++refusals === 7) release()
      return response
    })
    const responses = await Promise.all(asked)
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(5).fill(200), ...Array(7).fill(429)])
    const refused = responses.find(({ status }) => status === 429)!
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ error: { type: 'rate_limit_error', code: 'server_busy' } })
    expect((await post(server, { prompt: 'Hi' })).status).toBe(200)
  })

  test('take turns: a request with one prompt does not wait for all prompts of another', async () => {
    const model = scriptedModel({ says: () => ['ok'], milliseconds: 60 })
    const server = await start(model)
    const done: string[] = []
    const many = post(server, { prompt: Array.from({ length: 10 }, (_, index) => `p${index}`) }).then(() => done.push('many'))
    await until(() => model.played.begun === 1)
    const one = post(server, { prompt: 'one' }).then(() => done.push('one'))
    await Promise.all([many, one])
    expect(done).toEqual(['one', 'many'])
    expect(model.played.most).toBe(1)
  })

  test('are served concurrently if the model supports it', async () => {
    const model = scriptedModel({ says: () => ['ok'], milliseconds: 50, concurrency: 4 })
    const server = await start(model)
    await post(server, { prompt: ['a', 'b', 'c', 'd'], n: 2 })
    expect(model.played.most).toBe(4)
  })
})

describe('a reply that takes too long', () => {
  test('is an error', async () => {
    const model = scriptedModel({ says: () => words(10_000), milliseconds: 5 })
    const server = await start(model, { limits: { seconds: 0.1 } })
    const response = await post(server, { prompt: 'Hi' })
    expect([response.status, await response.json()]).toMatchObject([504, { error: { code: 'generation_timeout' } }])
    expect(model.played.aborted).toBe(1)
  })

  test('is an error in the stream, and the client throws it', async () => {
    const server = await start(scriptedModel({ says: () => words(10_000), milliseconds: 5 }), { limits: { seconds: 0.1 } })
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
    const stream = await client.chat.completions.create({ model: 'scripted', messages: [{ role: 'user', content: 'Hi' }], stream: true })
    const read = async () => {
      for await (const _ of stream);
    }
    await expect(read()).rejects.toThrow(/longer than 0.1 seconds/)
  })
})

test('a failed reply aborts the others of its request', async () => {
  const script = scriptedModel({ says: () => words(10_000), milliseconds: 2, concurrency: 4 })
  const generate: LanguageModel['generate'] = (prompt, options) => {
    const isLast = prompt.kind === 'completion' && prompt.pieces.some((piece) => 'text' in piece && piece.text === 'd')
    return isLast ? Promise.reject(new Error('broken')) : script.generate(prompt, options)
  }
  const server = await start({ ...script, generate })
  expect((await post(server, { prompt: ['a', 'b', 'c', 'd'] })).status).toBe(500)
  await until(() => script.played.aborted === 3)
})

test('a failure of the model is logged, and not disclosed to the client', async () => {
  const logged: string[] = []
  const model: LanguageModel = { name: 'scripted', generate: () => Promise.reject(new Error('GPU 3 of /home/me is on fire')) }
  const server = await start(model, { log: (text) => logged.push(text) })
  const response = await post(server, { prompt: 'Hi' })
  const text = await response.text()
  expect(response.status).toBe(500)
  expect(text).not.toContain('fire')
  expect(logged).toEqual([expect.stringContaining('GPU 3 of /home/me is on fire')])
})

describe('a key', () => {
  test('is required if one is set', async () => {
    const server = await start(scriptedModel({ says: () => ['ok'] }), { apiKey: 'sesame' })
    const ask = async (headers: Record<string, string>) => (await post(server, { prompt: 'Hi' }, { headers })).status
    expect(await ask({})).toBe(401)
    expect(await ask({ authorization: 'Bearer sesam' })).toBe(401)
    expect(await ask({ authorization: 'Bearer sesame2' })).toBe(401)
    expect(await ask({ authorization: 'Basic sesame' })).toBe(401)
    expect(await ask({ authorization: 'Bearer sesame' })).toBe(200)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(401)
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'wrong', maxRetries: 0 })
    await expect(client.models.list()).rejects.toThrow(OpenAI.AuthenticationError)
  })
})

describe('web pages', () => {
  test('are rejected unless their origin is allowed', async () => {
    const server = await start(scriptedModel({ says: () => ['ok'] }), { origins: ['http://localhost:5173'] })
    const from = async (origin: string) => post(server, { prompt: 'Hi' }, { headers: { origin } })
    expect((await from('https://evil.example')).status).toBe(403)
    expect((await from('null')).status).toBe(403)
    const welcome = await from('http://localhost:5173')
    expect([welcome.status, welcome.headers.get('access-control-allow-origin')]).toEqual([200, 'http://localhost:5173'])
  })

  test('cannot reach the server by DNS rebinding', async () => {
    const server = await start(scriptedModel({ says: () => ['ok'] }), { hosts: ['127.0.0.1'] })
    const socket = await rawSocket(server, 'GET /v1/models HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')
    expect(await everything(socket)).toMatch(/^HTTP\/1\.1 403 [\s\S]*wrong_host/)
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(200)
  })
})

test('a closing server finishes running requests and answers new ones with 503', async () => {
  const { model, release } = heldModel()
  const server = await start(model)
  const running = post(server, { prompt: 'running' })
  const waiting = post(server, { prompt: 'waiting' })
  await until(async () => (await inside(server)) === 2)
  const closed = server.close()
  // On a new connection, too.
  const late = await everything(await rawSocket(server, request('{"prompt":"late"}')))
  expect(late).toMatch(/^HTTP\/1\.1 503 [\s\S]*shutting_down/)
  release()
  for (const response of [await running, await waiting]) expect(response.status).toBe(200)
  await closed
  await expect(fetch(`${server.url}/health`)).rejects.toThrow()
})

test('a body that is not UTF-8 is rejected, wherever it is cut on the way', async () => {
  const app = createApp({ models: [{ model: scriptedModel({ says: () => ['ok'] }), config }] })
  const [before, after] = ['{"messages":[{"role":"user","content":"', '"}]}'].map((text) => new TextEncoder().encode(text))
  const send = (...content: number[][]) => {
    const chunks = [before!, ...content.map((bytes) => Uint8Array.from(bytes)), after!]
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })
    return app.request('/v1/chat/completions', { method: 'POST', body, duplex: 'half' } as RequestInit)
  }
  for (const bytes of [[[0xff]], [[0xc3], [0x28]], [[0xe4, 0xb8]], [[0xed, 0xa0, 0x80]]]) {
    const refused = await send(...bytes)
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: 'invalid_encoding' } }])
  }
  expect((await send([0xe4], [0xb8, 0xad])).status).toBe(200)
})

test('a short request cannot ask for thousands of replies', async () => {
  const model = scriptedModel({ says: () => ['ok'] })
  const app = createApp({ models: [{ model, config }] })
  const ask = (path: string, body: object) => app.request(path, { method: 'POST', body: JSON.stringify(body) })
  const chat = { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 }
  for (const [path, body] of [
    ['/v1/chat/completions', { ...chat, n: 129 }],
    ['/v1/chat/completions', { ...chat, n: 2048, stream: true }],
    ['/v1/completions', { prompt: 'Hi', n: 129, max_tokens: 1 }],
  ] as const) {
    const refused = await ask(path, body)
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { param: 'n', code: 'too_many_choices' } }])
  }
  expect(model.played.begun).toBe(0)
  expect((await ask('/v1/chat/completions', { ...chat, n: 128 })).status).toBe(200)
  // As many prompts as before.
  expect((await ask('/v1/completions', { prompt: Array.from({ length: 2048 }, () => 'Hi'), max_tokens: 1 })).status).toBe(200)
  const refused = await ask('/v1/completions', { prompt: Array.from({ length: 17 }, () => 'Hi'), n: 128, max_tokens: 1 })
  expect(await refused.json()).toMatchObject({ error: { param: 'prompt', code: 'too_many_choices' } })
})
