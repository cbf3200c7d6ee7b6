import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { type Scripted, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { fetchClient } from '../../model/openai/http/fetch-client.ts'
import type { HttpClient } from '../../model/openai/http/http-client.ts'
import { replyLimit } from '../../model/openai/http/reply-limit.ts'
import { loadOpenAI } from './load-openai.ts'
import { nodeClient } from './node-client.ts'

const opened: { close?(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close?.()
})

async function serverThat(answer: (number: number) => Scripted) {
  const started = await scriptedServer(({ number }) => answer(number))
  opened.push(started)
  return started
}

const good: Scripted = { json: { choices: [{ message: { content: 'fine' }, finish_reason: 'stop' }] } }

/** Writes until the client disconnects. */
const floods =
  (type: string, begin: string, part: string): Scripted =>
  (response) => {
    response.writeHead(200, { 'content-type': type })
    response.write(begin)
    const go = () => {
      while (!response.destroyed && response.write(part)) {}
      response.once('drain', go)
    }
    go()
  }

async function ask(url: string, settings: object = {}) {
  const model = loadOpenAI({ abbr: 'm', type: 'openai', path: 'm', base_url: url, retries: 0, ...settings })
  opened.unshift(model)
  const prompt = { kind: 'chat' as const, messages: [{ role: 'user', content: [] }], stop: [], notes: [] }
  return model.generate(prompt as never, { maxTokens: 16 })
}

describe('an endless reply is cancelled', () => {
  const replies: [string, Scripted][] = [
    ['JSON', floods('application/json', '{"choices":[{"message":{"content":"', 'x'.repeat(65_536))],
    ['a stream of events', floods('text/event-stream', '', `data: {"choices":[{"delta":{"content":"${'x'.repeat(1000)}"}}]}\n\n`)],
    ['a stream without a line', floods('text/event-stream', 'data: ', 'x'.repeat(65_536))],
  ]
  test.each(replies)('%s', async (_, answer) => {
    const { url } = await serverThat(() => answer)
    const before = process.memoryUsage().rss
    await expect(ask(url)).rejects.toThrow(/its answer has more than 1152 kB, which is more than requested/)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20)
  })

  test('even if compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(64 << 20, 'x'))
    const { url } = await serverThat(() => (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(bomb)
    })
    await expect(ask(url)).rejects.toThrow(/more than requested/)
  })

  test.each([
    ['undici', () => nodeClient()],
    ['fetch', () => ({ client: fetchClient(), close: async () => {} })],
  ] as [string, () => { client: HttpClient; close(): Promise<void> }][])('and one that trickles (%s)', async (_, make) => {
    const { url } = await serverThat(() => (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    })
    const made = make()
    opened.unshift(made)
    const reply = await made.client({
      url,
      method: 'POST',
      headers: {},
      body: '{}',
      timeout: 1000,
      limit: { bytes: 1000, milliseconds: 150 },
    })
    await expect(reply.text()).rejects.toThrow(/was not complete after 1 s/)
  })

  test('the limit grows with the requested length', () => {
    expect(replyLimit(0, 1000)).toEqual({ bytes: 1 << 20, milliseconds: 1000 })
    expect(replyLimit(16, 1000)).toEqual({ bytes: (1 << 20) + 16 * 8192, milliseconds: 81_000 })
  })
})

describe('nonstandard replies', () => {
  test('unrequested compression is decoded', async () => {
    const { url } = await serverThat(() => (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(gzipSync(JSON.stringify((good as { json: unknown }).json)))
    })
    expect((await ask(url)).text).toBe('fine')
  })

  test('invalid UTF-8 is an error, never replaced text', async () => {
    const { url } = await serverThat(() => (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(Buffer.concat([Buffer.from('{"choices":[{"message":{"content":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}}]}')]))
    })
    await expect(ask(url)).rejects.toThrow(/its reply is not UTF-8/)
    const stream = await serverThat(() => (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        Buffer.concat([
          Buffer.from('data: {"choices":[{"delta":{"content":"'),
          Buffer.from([0xff]),
          Buffer.from('"}}]}\n\ndata: [DONE]\n\n'),
        ]),
      )
    })
    await expect(ask(stream.url)).rejects.toThrow(/its reply is not UTF-8/)
  })

  test.each([
    ['a web page', { headers: { 'content-type': 'text/html' }, text: '<html>' }],
    ['another address', { status: 302, headers: { location: '/login' }, text: '' }],
  ] as [string, Scripted][])('with %s once it has answered well is asked again', async (_, odd) => {
    const { url, seen } = await serverThat((number) => (number === 1 ? odd : good))
    const model = loadOpenAI({ abbr: 'm', type: 'openai', path: 'm', base_url: url, retries: 2 })
    opened.unshift(model)
    const prompt = { kind: 'chat' as const, messages: [], stop: [], notes: [] }
    for (let round = 0; round < 2; round++) expect((await model.generate(prompt as never, { maxTokens: 4 })).text).toBe('fine')
    expect(seen).toHaveLength(3)
  })

  test('a web page as first reply means a wrong address', async () => {
    const { url } = await serverThat(() => ({ headers: { 'content-type': 'text/html' }, text: '<html>' }))
    await expect(ask(url)).rejects.toThrow(/answers with a web page/)
  })
})
