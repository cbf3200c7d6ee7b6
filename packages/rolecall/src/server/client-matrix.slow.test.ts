import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { townSchema } from '../../../../proof/testing/clients/client.ts'
import { clients } from '../../../../proof/testing/clients/index.ts'
import { triesAll } from '../../../../proof/testing/sampling.ts'
import type { PyValue } from '../../../core/src/base/python/index.ts'
import { checkArguments } from '../../../core/src/constrain/check-arguments.ts'
import type { ModelConfig } from '../evaluation/config/config-schema.ts'
import { findPeer } from '../node/find-peer.ts'
import { modelConfigOf } from '../node/models/model-flags.ts'
import type { Listening } from './listen.ts'
import { serve } from './serve-models.ts'

// Every client against every kind of model: the embedded one, a GGUF file and an upstream server.

const embedded: ModelConfig = { abbr: 'tiny', type: 'embedded', format: 'internlm2' }
const path = fileURLToPath(new URL('../../embedded-model/tiny-chat.q8_0.gguf', import.meta.url))
const gguf: ModelConfig = { abbr: 'tiny', type: 'gguf', path, format: 'internlm2', threads: 1 }

const servers: Listening[] = []
const start = async (config: ModelConfig) => {
  const server = await serve({ models: [config] })
  servers.push(server)
  return server.url
}

const backends: { name: string; isAvailable: boolean; open: () => Promise<string> }[] = [
  { name: 'the embedded model', isAvailable: true, open: () => start(embedded) },
  { name: 'a GGUF file (skipped without node-llama-cpp)', isAvailable: findPeer('node-llama-cpp') !== undefined, open: () => start(gguf) },
  {
    name: 'an upstream server',
    isAvailable: true,
    open: async () => start({ ...modelConfigOf({ model: `openai:tiny@${await start(embedded)}/v1`, format: 'internlm2' }), abbr: 'tiny' }),
  },
]

afterAll(async () => {
  for (const server of servers.reverse()) await server.close()
})

const missingFor = (needs: readonly string[]) => needs.filter((one) => findPeer(one) === undefined)
const titleOf = (name: string, missing: readonly string[]) =>
  missing.length === 0 ? name : `${name} (skipped without ${missing.join(', ')}: see scripts/install-peers.sh)`

describe.each(backends.filter(({ isAvailable }) => isAvailable || triesAll))('$name', ({ isAvailable, open }) => {
  let url: string
  beforeAll(async () => {
    if (isAvailable) url = await open()
  }, 60_000)

  for (const { name, needs, open: connect } of clients) {
    const missing = missingFor(needs)
    describe.skipIf(!isAvailable || missing.length > 0)(titleOf(name, missing), () => {
      const weather = '我想了解今天上海的天气'
      const call = { name: 'get_current_weather', arguments: { location: 'Shanghai' } }

      test('a chat, whole and streamed', async () => {
        const driver = await connect(url, 'tiny')
        expect(await driver.chat('12 + 34 = ?')).toBe('46')
        expect(await driver.stream('12 + 34 = ?')).toBe('46')
      })

      test('a tool is called, also in a stream, and its result is used', async () => {
        const driver = await connect(url, 'tiny')
        const { answer, ...called } = await driver.tool(weather, '{"temperature": 22}')
        expect(called).toEqual(call)
        expect(answer).toContain('22')
        expect(await driver.streamedTool(weather)).toEqual(call)
      })

      test('structured output', async () => {
        const driver = await connect(url, 'tiny')
        expect(checkArguments((await driver.structured('What is the capital of France?')) as PyValue, townSchema)).toEqual([])
      })
    })
  }
})

describe('images', () => {
  const png = 'iVBORw0KGgo='
  let proxy: string
  let local: string
  let received: { messages: { content: unknown }[] } | undefined
  const upstream = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received = JSON.parse(body) as typeof received
    const choice = { index: 0, message: { role: 'assistant', content: 'A cat.' }, finish_reason: 'stop' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices: [choice], usage: {} }))
  })

  beforeAll(async () => {
    await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done))
    const { port } = upstream.address() as AddressInfo
    proxy = await start({ abbr: 'vision', type: 'openai', path: 'vision', base_url: `http://127.0.0.1:${port}/v1`, format: 'messages' })
    local = await start(embedded)
  }, 60_000)
  afterAll(() => void upstream.close())

  for (const { name, needs, open: connect } of clients) {
    const missing = missingFor(needs)
    test.skipIf(missing.length > 0)(titleOf(name, missing), async () => {
      expect(await (await connect(proxy, 'vision')).see('What is this?', png)).toBe('A cat.')
      expect(received!.messages.at(-1)!.content).toMatchObject([
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
      ])
      const refused = await (await connect(local, 'tiny')).see('What is this?', png).catch((error: Error) => error)
      expect(String(refused)).toMatch(/content\[1\].*image/s)
    })
  }
})
