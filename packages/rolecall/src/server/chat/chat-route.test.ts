import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { weatherTool } from '../../../../../proof/testing/weather-tool.ts'
import type { Listening } from '../listen.ts'
import { serve } from '../serve-models.ts'

// The official client against a real port: the embedded model in InternLM2's format.

type Message = OpenAI.ChatCompletionMessageParam
type Chunk = OpenAI.ChatCompletionChunk

let server: Listening
let client: OpenAI

beforeAll(async () => {
  server = await serve({
    models: [
      { abbr: 'tiny', type: 'embedded', format: 'internlm2' },
      { abbr: 'vicuna', type: 'embedded', conv_template: 'vicuna_v1.1' },
    ],
  })
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
}, 60_000)

afterAll(() => server.close())

const tools = [weatherTool]
const question: Message = { role: 'user', content: '我想了解今天上海的天气' }
const sum: Message[] = [{ role: 'user', content: '12 + 34 = ?' }]

function ask(body: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> & Record<string, unknown>) {
  return client.chat.completions.create({ model: 'tiny', temperature: 0, messages: sum, ...body, stream: false })
}

async function askStream(body: Partial<OpenAI.ChatCompletionCreateParamsStreaming> & Record<string, unknown>): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  const stream = await client.chat.completions.create({ model: 'tiny', temperature: 0, messages: sum, ...body, stream: true })
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

/** Collects a stream as clients do. */
function join(chunks: readonly Chunk[]) {
  const calls: { id?: string; name?: string; arguments: string }[] = []
  let content = ''
  for (const { choices } of chunks) {
    for (const { delta } of choices) {
      content += delta.content ?? ''
      for (const { index, id, function: called } of delta.tool_calls ?? []) {
        calls[index] ??= { arguments: '' }
        if (id !== undefined) calls[index].id = id
        if (called?.name !== undefined) calls[index].name = called.name
        calls[index].arguments += called?.arguments ?? ''
      }
    }
  }
  return { content, calls, finish: chunks.flatMap(({ choices }) => choices.flatMap(({ finish_reason }) => finish_reason ?? [])) }
}

describe('a chat', () => {
  test('is answered', async () => {
    const { choices, usage, object, model } = await ask({})
    expect({ object, model }).toEqual({ object: 'chat.completion', model: 'tiny' })
    expect(choices).toEqual([
      { index: 0, message: { role: 'assistant', content: '46', refusal: null }, logprobs: null, finish_reason: 'stop' },
    ])
    expect(usage).toMatchObject({ completion_tokens: 2, total_tokens: usage!.prompt_tokens + 2 })
  })

  test('gives the same reply when streamed, with usage if requested', async () => {
    const chunks = await askStream({ stream_options: { include_usage: true } })
    expect(join(chunks)).toEqual({ content: '46', calls: [], finish: ['stop'] })
    expect(chunks[0]!.choices[0]!.delta).toEqual({ role: 'assistant', content: '' })
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 2 } })
  })

  test('needs the format the model was trained on: with another it answers badly', async () => {
    expect((await ask({ model: 'vicuna', max_tokens: 8 })).choices[0]!.message.content).not.toBe('46')
  })

  test('gets several replies that differ by seed', async () => {
    const several = await ask({ n: 3, temperature: 3, seed: 5, max_tokens: 6 })
    const texts = several.choices.map(({ message }) => message.content)
    expect(new Set(texts).size).toBeGreaterThan(1)
    const again = await ask({ n: 3, temperature: 3, seed: 5, max_tokens: 6 })
    expect(again.choices.map(({ message }) => message.content)).toEqual(texts)
  })

  test('ends at the token limit and at stop sequences', async () => {
    expect((await ask({ max_completion_tokens: 1 })).choices[0]).toMatchObject({ message: { content: '4' }, finish_reason: 'length' })
    expect((await ask({ stop: '6' })).choices[0]).toMatchObject({ message: { content: '4' }, finish_reason: 'stop' })
  })

  test('returns log-probabilities, whole or streamed', async () => {
    const whole = await ask({ logprobs: true, top_logprobs: 2 })
    const logprobs = whole.choices[0]!.logprobs!.content!
    expect(logprobs.map(({ token }) => token)).toEqual(['4', '6'])
    for (const { logprob, top_logprobs: top, bytes, token } of logprobs) {
      expect(top).toHaveLength(2)
      expect(top[0]).toEqual({ token, logprob: expect.closeTo(logprob, 5), bytes })
    }
    const chunks = await askStream({ logprobs: true, top_logprobs: 2 })
    expect(chunks.flatMap(({ choices }) => choices.flatMap((choice) => choice.logprobs?.content ?? []))).toEqual(logprobs)
  })

  test('continues its last message', async () => {
    const messages: Message[] = [...sum, { role: 'assistant', content: '4' }]
    expect((await ask({ messages, continue_final_message: true })).choices[0]!.message.content).toBe('6')
  })
})

describe('tools', () => {
  test('are called, and answered with their result: the weather conversation of document 004', async () => {
    const first = await ask({ messages: [question], tools })
    const [choice] = first.choices
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: expect.stringContaining('上海') } })
    expect(choice!.message.tool_calls).toEqual([
      {
        id: expect.stringMatching(/^[A-Za-z0-9]{9}$/),
        type: 'function',
        function: { name: 'get_current_weather', arguments: '{"location": "Shanghai"}' },
      },
    ])
    const [call] = choice!.message.tool_calls!
    const messages: Message[] = [question, choice!.message, { role: 'tool', tool_call_id: call!.id, content: '{"temperature": 22}' }]
    const second = await ask({ messages, tools })
    expect(second.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: expect.stringContaining('22') } })
  })

  test('come with the token ids of the call, which the next request cannot send back as control tokens', async () => {
    const first = await ask({ messages: [question], tools, return_token_ids: true })
    const message = first.choices[0]!.message as OpenAI.ChatCompletionMessage & { token_ids: number[] }
    expect(message.token_ids.length).toBe(first.usage!.completion_tokens)
    const messages = [question, message, { role: 'tool', tool_call_id: 'x', content: '{"temperature": 22}' }] as Message[]
    const [choice] = (await ask({ messages, tools })).choices
    expect(choice!.message.content).toContain('22')
    expect(choice).toMatchObject({ problems: [expect.stringMatching(/^messages\[1\]: the message's token_ids, token_text were left out/)] })
    const chunks = await askStream({ messages, tools })
    expect(chunks.at(-1)!.choices[0]).toMatchObject({ problems: [expect.stringContaining('token_ids')] })
  })

  test('and unknown token ids are not a server error', async () => {
    const messages = [{ role: 'user', content: 'Hi', token_ids: [4_000_000_000] }, ...sum] as unknown as Message[]
    const response = await fetch(`${server.url}/v1/render`, { method: 'POST', body: JSON.stringify({ model: 'tiny', messages }) })
    expect([response.status, await response.json()]).toMatchObject([200, { notes: [{ code: 'fields-dropped', where: 'messages[0]' }] }])
    expect((await ask({ messages })).choices[0]!.message.content).toBe('46')
    const odd = { type: 'function' as const, function: { ...weatherTool.function, parameters: { $ref: '#/%' } } }
    expect((await ask({ messages: [question], tools: [odd] })).choices[0]!.finish_reason).toBe('tool_calls')
  })

  test('are called in a stream: the name first, then the complete arguments', async () => {
    const chunks = await askStream({ messages: [question], tools })
    const joined = join(chunks)
    const whole = await ask({ messages: [question], tools })
    expect(joined).toEqual({
      content: whole.choices[0]!.message.content,
      calls: [{ id: expect.stringMatching(/^[A-Za-z0-9]{9}$/), name: 'get_current_weather', arguments: '{"location": "Shanghai"}' }],
      finish: ['tool_calls'],
    })
    expect(chunks.filter(({ choices }) => choices[0]?.delta.tool_calls).length).toBeGreaterThan(3)
  })

  test("work with the client's runTools helper", async () => {
    const asked: unknown[] = []
    const runner = client.chat.completions.runTools({
      model: 'tiny',
      temperature: 0,
      messages: [question],
      tools: [
        {
          type: 'function',
          function: {
            ...tools[0]!.function,
            parse: JSON.parse,
            function: (given: unknown) => {
              asked.push(given)
              return '{"temperature": 22}'
            },
          },
        },
      ],
    })
    expect(await runner.finalContent()).toContain('22')
    expect(asked).toEqual([{ location: 'Shanghai' }])
  })

  test('are not shown to the model with tool_choice none', async () => {
    const { choices, usage } = await ask({ messages: [question], tools, tool_choice: 'none', max_tokens: 40 })
    expect(choices[0]!.message.tool_calls).toBeUndefined()
    const without = await ask({ messages: [question], max_tokens: 40 })
    expect({ choices, prompt: usage!.prompt_tokens }).toEqual({ choices: without.choices, prompt: without.usage!.prompt_tokens })
  })

  test('are called if a call is required, even if the model would not', async () => {
    const free = await ask({ messages: sum, tools })
    expect(free.choices[0]!.message.tool_calls).toBeUndefined()
    for (const choice of ['required', { type: 'function', function: { name: 'get_current_weather' } }] as const) {
      const { choices } = await ask({ messages: [question], tools, tool_choice: choice })
      expect(choices[0]).toMatchObject({
        finish_reason: 'tool_calls',
        message: { content: null, tool_calls: [{ function: { name: 'get_current_weather', arguments: '{"location": "Shanghai"}' } }] },
      })
      const made = await ask({ messages: sum, tools, tool_choice: choice })
      expect(made.choices[0]!.message.tool_calls).toMatchObject([{ function: { name: 'get_current_weather' } }])
    }
  })

  test('are chosen by the model if a call is required and there are several; none is invented', async () => {
    const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
    const more = [
      ...tools,
      { type: 'function' as const, function: { name: 'add_reminder', description: 'Add a reminder', parameters: text } },
    ]
    for (const [content, expected] of [
      [question.content as string, 'get_current_weather'],
      ['What is the weather in Paris?', 'get_current_weather'],
      ['12 + 34 = ?', /^(get_current_weather|add_reminder)$/],
    ] as const) {
      const { choices } = await ask({ messages: [{ role: 'user', content }], tools: more, tool_choice: 'required' })
      expect(choices[0]).toMatchObject({
        finish_reason: 'tool_calls',
        message: { tool_calls: [{ function: { name: expect.stringMatching(expected), arguments: expect.stringMatching(/^\{.*\}$/) } }] },
      })
    }
  })

  test('are called once without parallel_tool_calls', async () => {
    const { choices } = await ask({ messages: [question], tools, parallel_tool_calls: false })
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { arguments: '{"location": "Shanghai"}' } }] },
    })
  })

  test('can be a code interpreter', async () => {
    const messages: Message[] = [{ role: 'user', content: 'Use Python to compute 123 * 45.' }]
    const { choices } = await ask({ messages, tools: [{ type: 'code_interpreter' }] as unknown as typeof tools })
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ type: 'code_interpreter', code_interpreter: { input: expect.stringContaining('123 * 45') } }] },
    })
    const { message } = choices[0]!
    const result: Message = { role: 'tool', tool_call_id: message.tool_calls![0]!.id, content: '5535' }
    const answered = await ask({
      messages: [...messages, message, result],
      tools: [{ type: 'code_interpreter' }] as unknown as typeof tools,
    })
    expect(answered.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: expect.stringContaining('5535') } })
  })
})

describe('an invalid request', () => {
  const named = (name: string) => ({ type: 'function' as const, function: { name } })
  const wrong: [string, Parameters<typeof ask>[0], string][] = [
    ['has no messages', { messages: [] }, 'messages'],
    ['has invalid messages', { messages: [{ role: 'user', content: 5 }] as unknown as Message[] }, 'messages[0].content'],
    [
      'has an unsupported schema',
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { uniqueItems: true } } } },
      'response_format.json_schema.schema#/uniqueItems',
    ],
    ['names an unknown tool', { tools, tool_choice: named('now') }, 'tool_choice'],
    ['requires a call without tools', { tool_choice: 'required' }, 'tool_choice'],
    ['gives tools to a format without tools', { model: 'vicuna', tools }, 'tools[0]'],
    ['sets template variables without a template', { chat_template_kwargs: { enable_thinking: true } }, 'chat_template_kwargs'],
    ['uses the old functions', { functions: [{ name: 'f' }] }, 'functions'],
  ]
  for (const [name, body, param] of wrong) {
    test(`is rejected: it ${name}`, async () => {
      const error = await ask(body).catch((caught: unknown) => caught)
      expect(error).toMatchObject({ status: 400, param, error: { type: 'invalid_request_error', message: expect.any(String) } })
      const streamed = await askStream(body as Parameters<typeof askStream>[0]).catch((caught: unknown) => caught)
      expect(streamed).toMatchObject({ status: 400, param })
    })
  }

  test("is rejected with OpenAI's error code if it is too long", async () => {
    const error = await ask({ messages: [{ role: 'user', content: 'one '.repeat(2000) }] }).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ status: 400, code: 'context_length_exceeded' })
  })
})
