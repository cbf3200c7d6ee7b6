import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { weatherTool } from '../weather-tool.ts'
import { consumer, missingPeers, runThere } from './consumer.ts'

// The real LangChain on the embedded model: streaming, tool_choice and structured output, in a project of somebody.

const missing = missingPeers('@langchain/core', 'zod')
if (missing.length > 0) console.warn('skipped: LangChain; scripts/install-peers.sh .cache/peers --clients installs it')

const head = `
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ChatRolecall } from '@rolecall/adapters/langchain'
import { openLocalModel } from 'rolecall'
import * as z from 'zod'
const engine = await openLocalModel('embedded')
const chat = new ChatRolecall({ engine, temperature: 0 })
const weather = ${JSON.stringify(weatherTool)}
const now = { type: 'function', function: { name: 'now', description: 'The time.', parameters: { type: 'object', properties: {} } } }
const question = new HumanMessage('我想了解今天上海的天气')
const print = (value) => console.log(JSON.stringify(value))
`

describe.skipIf(missing.length > 0)('LangChain (needs install-peers.sh --clients)', { timeout: 180_000 }, () => {
  let folder = ''
  beforeAll(async () => {
    folder = await consumer()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const run = async (program: string): Promise<unknown[]> =>
    (await runThere(folder, head + program))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)

  test('streams text in chunks that add up, with usage', async () => {
    const [chunks, text, usage] = await run(`
      let sum
      let count = 0
      for await (const chunk of await chat.stream('What is 12+30?')) { sum = sum === undefined ? chunk : sum.concat(chunk); count++ }
      print(count); print(sum.content); print(sum.usage_metadata)`)
    expect(chunks).toBeGreaterThan(1)
    expect(text).toBe('42')
    expect(usage).toMatchObject({ input_tokens: expect.any(Number), output_tokens: expect.any(Number) })
  })

  test('streams a call, whose result the next turn reads', async () => {
    const [calls, answer] = await run(`
      const bound = chat.bindTools([weather])
      let sum
      for await (const chunk of await bound.stream([question])) sum = sum === undefined ? chunk : sum.concat(chunk)
      print(sum.tool_calls)
      const result = new ToolMessage({ tool_call_id: sum.tool_calls[0].id, content: '{"temperature": 22}' })
      print((await bound.invoke([question, sum, result])).content)`)
    expect(calls).toMatchObject([{ name: 'get_current_weather', args: { location: 'Shanghai' } }])
    expect(answer).toContain('22')
  })

  test('tool_choice: none, any, and a tool by its name', async () => {
    const [none, any, named] = await run(`
      const called = async (tool_choice) => {
        const { tool_calls, invalid_tool_calls } = await chat.bindTools([weather, now], { tool_choice }).invoke([question])
        return [...tool_calls, ...invalid_tool_calls].map(({ name }) => name)
      }
      print(await called('none')); print(await called('any')); print(await called('now'))`)
    expect(none).toEqual([])
    // A choice of tools is forced, and its arguments are free: this small model may write them badly, which is reported.
    expect(any).toHaveLength(1)
    expect(named).toEqual(['now'])
  })

  test('structured output: by a call, and as an answer that follows a schema', async () => {
    const [called, answered] = await run(`
      const place = z.object({ location: z.string().describe('The city and state, e.g. San Francisco, CA') })
      const named = { name: 'get_current_weather', method: 'functionCalling' }
      print(await chat.withStructuredOutput(place.describe(weather.function.description), named).invoke([question]))
      const schema = { type: 'object', properties: { city: { type: 'string', maxLength: 8 } }, required: ['city'], additionalProperties: false }
      const told = chat.withConfig({ response_format: { type: 'json_schema', json_schema: { name: 'town', schema } } })
      print(JSON.parse((await told.invoke('A town.')).content))`)
    expect(called).toEqual({ location: expect.any(String) })
    expect(answered).toEqual({ city: expect.any(String) })
  })

  test('a misspelt setting is an error', async () => {
    await expect(run('new ChatRolecall({ engine, topk: 3 })')).rejects.toThrow(/topk/)
  })
})
