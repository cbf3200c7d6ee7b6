import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { townSchema } from '../../../testing/clients/client.ts'
import { clients } from '../../../testing/clients/index.ts'
import { triesAll } from '../../../testing/sampling.ts'
import type { PyValue } from '../../base/python/index.ts'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { checkArguments } from '../../model/constrain/check-arguments.ts'
import { findPeer } from '../node/find-peer.ts'
import { modelConfigOf } from '../node/models/model-of.ts'
import type { Listening } from './listen.ts'
import { serve } from './serve.ts'

// Every client against every kind of model: the one that is shipped, a GGUF file, and a server behind ours.

const embedded: ModelConfig = { abbr: 'tiny', type: 'embedded', format: 'internlm2' }
const path = fileURLToPath(new URL('../../../embedded-model/tiny-chat.q8_0.gguf', import.meta.url))
const gguf: ModelConfig = { abbr: 'tiny', type: 'gguf', path, format: 'internlm2', threads: 1 }

const open: Listening[] = []
const started = async (config: ModelConfig) => {
  const server = await serve({ models: [config] })
  open.push(server)
  return server.url
}

const backends: { name: string; isThere: boolean; start: () => Promise<string> }[] = [
  { name: 'the embedded model', isThere: true, start: () => started(embedded) },
  { name: 'a GGUF file (skipped without node-llama-cpp)', isThere: findPeer('node-llama-cpp') !== undefined, start: () => started(gguf) },
  {
    name: 'a server behind ours',
    isThere: true,
    start: async () =>
      started({ ...modelConfigOf({ model: `openai:tiny@${await started(embedded)}/v1`, format: 'internlm2' }), abbr: 'tiny' }),
  },
]

afterAll(async () => {
  for (const server of open.reverse()) await server.close()
})

describe.each(backends.filter(({ isThere }) => isThere || triesAll))('$name', ({ isThere, start }) => {
  let url: string
  beforeAll(async () => {
    if (isThere) url = await start()
  }, 60_000)

  for (const { name, needs, open: connect } of clients) {
    const missing = needs.filter((one) => findPeer(one) === undefined)
    const title = missing.length === 0 ? name : `${name} (skipped without ${missing.join(', ')}: see scripts/install-peers.sh)`
    describe.skipIf(!isThere || missing.length > 0)(title, () => {
      const weather = '我想了解今天上海的天气'
      const call = { name: 'get_current_weather', arguments: { location: 'Shanghai' } }

      test('a chat, whole and streamed', async () => {
        const driver = await connect(url, 'tiny')
        expect(await driver.chat('12 + 34 = ?')).toBe('46')
        expect(await driver.stream('12 + 34 = ?')).toBe('46')
      })

      test('a tool is called, also in a stream, and its result is told', async () => {
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
