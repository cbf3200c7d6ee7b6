import { Ajv2020 } from 'ajv/dist/2020.js'
import OpenAI from 'openai'
import { zodResponseFormat } from 'openai/helpers/zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Listening } from './listen.ts'
import { serve } from './serve-models.ts'

// Structured output of the embedded model, and of an upstream server.

let server: Listening
let behind: Listening
let client: OpenAI
let proxied: OpenAI

beforeAll(async () => {
  server = await serve({ models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }] })
  const model = { type: 'openai', path: 'tiny', base_url: `${server.url}/v1`, format: 'messages', retries: 0 } as const
  behind = await serve({ models: [{ abbr: 'tiny', ...model }] })
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
  proxied = new OpenAI({ baseURL: `${behind.url}/v1`, apiKey: 'none', maxRetries: 0 })
}, 60_000)

afterAll(async () => {
  await behind.close()
  await server.close()
})

const messages = [{ role: 'user' as const, content: 'What is the capital of France?' }]
const City = z.object({ city: z.string().max(12), kind: z.enum(['town', 'country']), people: z.int().min(0).max(999) })
const citySchema = z.toJSONSchema(City) as Record<string, unknown>
const isCity = (value: unknown) => new Ajv2020({ strict: false }).validate(citySchema, value)

describe('response_format', () => {
  test('chat.completions.parse of the official client returns a value of the schema, also from an upstream server', async () => {
    for (const one of [client, proxied]) {
      const { choices } = await one.chat.completions.parse({
        model: 'tiny',
        messages,
        max_completion_tokens: 200,
        response_format: zodResponseFormat(City, 'city'),
      })
      expect(choices[0]!.finish_reason).toBe('stop')
      expect(City.safeParse(choices[0]!.message.parsed).success).toBe(true)
      expect(choices[0]).not.toHaveProperty('problems')
    }
  })

  test('streams in chunks that add up to the value', async () => {
    const stream = client.chat.completions.stream({
      model: 'tiny',
      messages,
      max_completion_tokens: 200,
      response_format: { type: 'json_schema', json_schema: { name: 'city', strict: true, schema: citySchema } },
    })
    let pieces = 0
    stream.on('content', () => pieces++)
    const { choices } = await stream.finalChatCompletion()
    expect(pieces).toBeGreaterThan(3)
    expect(isCity(JSON.parse(choices[0]!.message.content!))).toBe(true)
  })

  test('json_object allows any object; a truncated one ends with length', async () => {
    const ask = async (max_tokens: number, sampling = {}) => {
      const { choices } = await client.chat.completions.create({
        model: 'tiny',
        messages,
        max_tokens,
        ...sampling,
        response_format: { type: 'json_object' },
      })
      return choices[0]!
    }
    const cut = await ask(3)
    expect(cut.finish_reason).toBe('length')
    expect(cut.message.content!.trimStart().startsWith('{')).toBe(true)
    for (const seed of [1, 2, 3]) {
      const { finish_reason, message } = await ask(120, { temperature: 1, seed })
      if (finish_reason === 'stop') expect(typeof JSON.parse(message.content!)).toBe('object')
    }
  })

  test('the Responses API takes a schema as text.format', async () => {
    const response = await client.responses.create({
      model: 'tiny',
      input: 'What is the capital of France?',
      text: { format: { type: 'json_schema', name: 'city', schema: citySchema, strict: true } },
    })
    expect(isCity(JSON.parse(response.output_text))).toBe(true)
    expect(response.text?.format).toMatchObject({ type: 'json_schema', name: 'city' })
    const format = { type: 'json_schema' as const, name: 'x', schema: { uniqueItems: true } }
    await expect(client.responses.create({ model: 'tiny', input: 'Hi', text: { format } })).rejects.toMatchObject({
      status: 400,
      param: 'text.format.schema#/uniqueItems',
    })
  })

  test("Anthropic's protocol takes a schema as output_config.format", async () => {
    const ask = async (schema: object) => {
      const body = { model: 'tiny', max_tokens: 200, messages, output_config: { format: { type: 'json_schema', schema } } }
      const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', body: JSON.stringify(body) })
      return (await response.json()) as { content: { text: string }[]; error?: { message: string } }
    }
    expect(isCity(JSON.parse((await ask(citySchema)).content[0]!.text))).toBe(true)
    expect((await ask({ uniqueItems: true })).error?.message).toContain(
      'output_config.format.schema#/uniqueItems: uniqueItems cannot be enforced',
    )
  })
})

test("vLLM's fields: a choice, a regular expression, a schema; in chats and in completions", async () => {
  const chat = async (more: object) =>
    (await client.chat.completions.create({ model: 'tiny', messages, max_tokens: 100, ...more } as never)) as OpenAI.ChatCompletion
  const text = async (more: object) => (await chat(more)).choices[0]!.message.content
  expect(await text({ guided_choice: ['Rome', 'Paris'] })).toBe('Paris')
  expect(await text({ guided_regex: '[A-Z]{3}-\\d{2}' })).toMatch(/^[A-Z]{3}-\d{2}$/)
  expect(isCity(JSON.parse((await text({ guided_json: JSON.stringify(citySchema) }))!))).toBe(true)
  expect(await text({ structured_outputs: { choice: ['Madrid', 'Paris'] } })).toBe('Paris')
  const completion = await client.completions.create({ model: 'tiny', prompt: '1+1=', max_tokens: 9, guided_choice: ['7', '2'] } as never)
  expect((completion as OpenAI.Completion).choices[0]!.text).toMatch(/^[27]$/)
  // Stop sequences do not apply to constrained values.
  const stopped = await chat({ guided_choice: ['Paris'], stop: ['ar'] })
  expect(stopped.choices[0]).toMatchObject({ message: { content: 'Paris' }, problems: [expect.stringContaining('"ar"')] })
})

describe('a tool call', () => {
  const parameters = {
    type: 'object',
    properties: { city: { enum: ['Paris', 'Rome'] }, days: { type: 'integer', minimum: 1, maximum: 7 } },
    required: ['city', 'days'],
    additionalProperties: false,
  }
  const tool = (more: object = {}) => ({
    type: 'function' as const,
    function: { name: 'forecast', description: 'Weather', parameters, ...more },
  })
  const other = {
    type: 'function' as const,
    function: { name: 'now', parameters: { type: 'object', properties: {}, additionalProperties: false } },
  }

  test('has arguments that match its schema if named or required, streamed or not', async () => {
    for (const tool_choice of ['required', { type: 'function' as const, function: { name: 'forecast' } }] as const) {
      const { choices } = await client.chat.completions.create({
        model: 'tiny',
        messages,
        max_tokens: 100,
        tools: [tool({ strict: true })],
        tool_choice,
      })
      const [call] = choices[0]!.message.tool_calls!
      expect(choices[0]!.finish_reason).toBe('tool_calls')
      expect(new Ajv2020().validate(parameters, JSON.parse((call as { function: { arguments: string } }).function.arguments))).toBe(true)
      expect(choices[0]).not.toHaveProperty('problems')
    }
    const stream = client.chat.completions.stream({
      model: 'tiny',
      messages,
      max_tokens: 100,
      tools: [tool(), other],
      tool_choice: 'required',
    })
    const { choices } = await stream.finalChatCompletion()
    const [call] = choices[0]!.message.tool_calls! as { function: { name: string; arguments: string } }[]
    const schema = call!.function.name === 'now' ? other.function.parameters : parameters
    expect(new Ajv2020().validate(schema, JSON.parse(call!.function.arguments))).toBe(true)
  })

  test('is constrained by strict tools also with tool_choice "auto"', async () => {
    const weather = [{ role: 'user' as const, content: 'What is the weather in Oslo?' }]
    const asked = async (...tools: object[]) => {
      const { choices } = await client.chat.completions.create({ model: 'tiny', messages: weather, max_tokens: 100, tools: tools as never })
      const [call] = choices[0]!.message.tool_calls! as { function: { name: string; arguments: string } }[]
      return { ...call!.function, problems: (choices[0] as { problems?: string[] }).problems }
    }
    // Unconstrained, it calls an unknown tool.
    expect((await asked(tool())).problems).toEqual([expect.stringContaining('there is no tool')])
    const recursive = {
      ...parameters,
      properties: { ...parameters.properties, city: { $ref: '#/$defs/city' } },
      $defs: { city: parameters.properties.city },
    }
    for (const strict of [tool({ strict: true }), tool({ strict: true, parameters: recursive })]) {
      const call = await asked(strict)
      expect(call).toMatchObject({ name: 'forecast', problems: undefined })
      expect(new Ajv2020().validate(parameters, JSON.parse(call.arguments))).toBe(true)
    }
  })

  test('reports where strict is not enforced, and rejects schemas that cannot be', async () => {
    const free = await client.chat.completions.create({
      model: 'tiny',
      messages,
      max_tokens: 8,
      tools: [tool({ strict: true, parameters: { type: 'object', properties: { a: { uniqueItems: true } } } })],
    })
    expect(free.choices[0]).toMatchObject({
      problems: [expect.stringMatching(/^tools\[0\]\.function\.strict: strict is not enforced: uniqueItems cannot be enforced/)],
    })
    const unenforceable = { type: 'object', properties: { a: { uniqueItems: true } } }
    const ask = (strict: boolean) =>
      client.chat.completions.create({
        model: 'tiny',
        messages,
        max_tokens: 8,
        tools: [tool({ parameters: unenforceable, strict })],
        tool_choice: 'required',
      })
    await expect(ask(true)).rejects.toMatchObject({ status: 400, param: 'tools[0].function.parameters#/properties/a/uniqueItems' })
    expect((await ask(false)).choices[0]).toMatchObject({
      problems: expect.arrayContaining([expect.stringContaining('uniqueItems cannot be enforced')]),
    })
  })
})

describe('unsupported requests are rejected before the model is called:', () => {
  const rejected: [name: string, more: object, param: string][] = [
    [
      'an unsupported keyword',
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'array', uniqueItems: true } } } },
      'response_format.json_schema.schema#/uniqueItems',
    ],
    ['two constraints', { guided_choice: ['a'], response_format: { type: 'json_object' } }, 'guided_choice'],
    ['an unknown type', { response_format: { type: 'xml' } }, 'response_format.type'],
    ['invalid JSON', { guided_json: '{' }, 'guided_json'],
    ['lookahead in a pattern', { guided_regex: 'a(?=b)' }, 'guided_regex'],
    ['a grammar', { guided_grammar: 'root ::= "a"' }, 'guided_grammar'],
    ['tools', { guided_choice: ['a'], tools: [{ type: 'function', function: { name: 'f', parameters: {} } }] }, 'guided_choice'],
    [
      'a continued reply',
      { guided_choice: ['a'], continue_final_message: true, messages: [...messages, { role: 'assistant', content: 'P' }] },
      'guided_choice',
    ],
  ]
  for (const [name, more, param] of rejected) {
    test(name, async () => {
      for (const stream of [false, true]) {
        await expect(client.chat.completions.create({ model: 'tiny', messages, stream, ...more } as never)).rejects.toMatchObject({
          status: 400,
          param,
        })
      }
    })
  }

  test('a choice, for a server that supports only schemas', async () => {
    const ask = proxied.chat.completions.create({ model: 'tiny', messages, guided_choice: ['a'] } as never)
    await expect(ask).rejects.toMatchObject({
      status: 400,
      param: 'guided_choice',
      message: expect.stringContaining('the server of tiny cannot enforce this'),
    })
  })
})
