import { type InferenceEngine, openLocalModel } from 'rolecall'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rolecall } from '../../../packages/adapters/src/ai-sdk.ts'
import { openServer } from '../../../packages/rolecall/src/index.ts'
import { importPeer } from '../../../packages/rolecall/src/node/find-peer.ts'
import { serve } from '../../../packages/rolecall/src/serve.ts'
import { itemsOf } from '../items-of.ts'
import { weatherTool } from '../weather-tool.ts'
import { missingPeers } from './consumer.ts'

// The real AI SDK on the embedded model, here and behind a server's completions endpoint.

type Ask = Record<string, unknown>
type Step = { toolCalls: { toolName: string; input: unknown }[] }
type Result = {
  text: string
  steps: Step[]
  output: unknown
  totalUsage: { inputTokens: number; outputTokens: number }
  warnings: unknown[]
}
type AiSdk = {
  generateText(ask: Ask): Promise<Result>
  streamText(ask: Ask): {
    textStream: AsyncIterable<string>
    toolCalls: Promise<Step['toolCalls']>
    totalUsage: Promise<Result['totalUsage']>
    fullStream: AsyncIterable<{ type: string }>
  }
  tool(options: Ask): unknown
  jsonSchema(schema: object): unknown
  stepCountIs(steps: number): unknown
  Output: { object(options: { schema: unknown }): unknown }
}

const missing = missingPeers('ai')
if (missing.length > 0) console.warn('skipped: the AI SDK; scripts/install-peers.sh .cache/peers --clients installs it')
const prompt = '我想了解今天上海的天气'

describe.skipIf(missing.length > 0)('the AI SDK (needs install-peers.sh --clients)', async () => {
  const ai = (await importPeer('ai')) as AiSdk
  const engines: Record<string, InferenceEngine> = {}
  let close = async () => {}
  beforeAll(async () => {
    const { url, close: closeServer } = await serve({ models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }] })
    close = closeServer
    engines.here = await openLocalModel('embedded')
    const { tokenizer: _, ...model } = engines.here.model
    engines.server = openServer(model, { baseURL: `${url}/v1`, name: 'tiny', extraBody: { add_special_tokens: false } })
  })
  afterAll(() => close())
  const { description, parameters } = weatherTool.function
  const toolsWith = (more: object) => ({ get_current_weather: ai.tool({ description, inputSchema: ai.jsonSchema(parameters), ...more }) })

  describe.each(['here', 'server'])('on the model %s', (place) => {
    const model = () => rolecall(engines[place]!)

    test('calls a tool, and answers with its result in the next step', async () => {
      const tools = toolsWith({ execute: async () => ({ temperature: 22 }) })
      const { text, steps, totalUsage } = await ai.generateText({
        model: model(),
        tools,
        prompt,
        stopWhen: ai.stepCountIs(3),
        temperature: 0,
      })
      expect(steps[0]!.toolCalls).toMatchObject([{ toolName: 'get_current_weather', input: { location: 'Shanghai' } }])
      expect([steps.length, text]).toEqual([2, expect.stringContaining('22')])
      expect(totalUsage.inputTokens).toBeGreaterThan(100)
      expect(totalUsage.outputTokens).toBeGreaterThan(10)
    })

    test('streams text and calls', async () => {
      const streamed = ai.streamText({ model: model(), tools: toolsWith({}), prompt, temperature: 0 })
      const kinds = (await itemsOf(streamed.fullStream)).map(({ type }) => type)
      expect(kinds).toContain('tool-input-delta')
      expect(await streamed.toolCalls).toMatchObject([{ toolName: 'get_current_weather', input: { location: 'Shanghai' } }])
      const said = await itemsOf(ai.streamText({ model: model(), prompt: 'What is 2+3?', temperature: 0 }).textStream)
      expect(said.join('')).toBe('5')
    })

    test('answers in the form of a schema', async () => {
      const schema = {
        type: 'object',
        properties: { city: { type: 'string', maxLength: 8 } },
        required: ['city'],
        additionalProperties: false,
      }
      const { output } = await ai.generateText({
        model: model(),
        prompt: 'A town.',
        output: ai.Output.object({ schema: ai.jsonSchema(schema) }),
        maxOutputTokens: 40,
      })
      expect(output).toEqual({ city: expect.any(String) })
    })

    test('is aborted by a signal', async () => {
      const abortSignal = AbortSignal.abort(new Error('enough'))
      await expect(ai.generateText({ model: model(), prompt, abortSignal, maxRetries: 0 })).rejects.toThrow()
    })
  })
})
