import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fault, withFaults } from '../../../../proof/testing/faults.ts'
import { weatherTool } from '../../../../proof/testing/weather-tool.ts'
import { loadEmbedded } from '../node/models/load-embedded.ts'
import { modelConfigOf } from '../node/models/model-flags.ts'
import { type Listening, listen } from './listen.ts'
import { serve } from './serve-models.ts'

// An upstream server with the wrong chat template; ours renders the prompts and uses its completions endpoint.

const queue: (Fault | undefined)[] = []
const logged: string[] = []
let wrong: Listening
let repaired: Listening
let before: OpenAI
let after: OpenAI

beforeAll(async () => {
  const wrap = (app: Parameters<typeof withFaults>[0]) => withFaults(app, { queue })
  wrong = await serve({ models: [{ abbr: 'tiny', type: 'embedded', conv_template: 'vicuna_v1.1' }], wrap })
  const config = modelConfigOf({ model: `openai:tiny@${wrong.url}/v1`, format: 'internlm2' })
  repaired = await serve({ models: [{ ...config, retries: 0, max_server_wait: 0 }], log: (text) => logged.push(text) })
  before = new OpenAI({ baseURL: `${wrong.url}/v1`, apiKey: 'none', maxRetries: 0 })
  after = new OpenAI({ baseURL: `${repaired.url}/v1`, apiKey: 'none', maxRetries: 0 })
}, 60_000)

afterAll(async () => {
  await repaired.close()
  await wrong.close()
})

const ask = (client: OpenAI, body: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>) =>
  client.chat.completions.create({
    model: 'tiny',
    temperature: 0,
    max_tokens: 80,
    messages: [{ role: 'user', content: '12 + 34 = ?' }],
    ...body,
  })

const tools = [weatherTool]
const question = { role: 'user' as const, content: '我想了解今天上海的天气' }

describe('a server with the wrong template gets correct prompts', () => {
  test('in a plain chat', async () => {
    expect((await ask(before, { max_tokens: 8 })).choices[0]!.message.content).not.toBe('46')
    expect((await ask(after, {})).choices[0]!.message.content).toBe('46')
  })

  test('with tools, which it does not support, whole and streamed', async () => {
    await expect(ask(before, { messages: [question], tools })).rejects.toThrow(/tools/)
    const { choices } = await ask(after, { messages: [question], tools })
    const call = { function: { name: 'get_current_weather', arguments: '{"location": "Shanghai"}' } }
    expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { tool_calls: [call] } })
    const answered = await ask(after, {
      messages: [
        question,
        choices[0]!.message,
        { role: 'tool', tool_call_id: choices[0]!.message.tool_calls![0]!.id, content: '{"temperature": 22}' },
      ],
      tools,
    })
    expect(answered.choices[0]!.message.content).toContain('22')
    const streamed = await after.chat.completions.stream({ model: 'tiny', temperature: 0, messages: [question], tools }).finalMessage()
    expect(streamed.tool_calls).toMatchObject([call])
  })

  test('when a prompt is scored, with the same result as the model', async () => {
    const prompt = '<s><|im_start|>user\n1 + 1 = ?<|im_end|>\n<|im_start|>assistant\n2'
    const { choices } = await after.completions.create({ model: 'tiny', prompt, echo: true, logprobs: 0, max_tokens: 0 })
    const { token_logprobs: values, tokens } = choices[0]!.logprobs!
    expect(tokens!.join('')).toBe(prompt)
    const model = await loadEmbedded()
    const piece = { text: prompt, control: true, source: { by: 'message' as const, path: 'prompt' } }
    const [scored] = await model.score!([{ kind: 'completion', pieces: [piece], bos: 'none', stop: [], notes: [] }])
    scored!.logProbabilities.forEach((value, index) => {
      if (value !== null) expect(Math.abs(values![index]! - value)).toBeLessThan(1e-6)
    })
  })
})

test('without a format, messages are forwarded and parsed upstream', async () => {
  const server = await serve({ models: [modelConfigOf({ model: `openai:tiny@${repaired.url}/v1` })] })
  try {
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
    const { choices } = await ask(client, { messages: [question], tools })
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: '好的，我将为你查询上海的天气。',
        tool_calls: [{ function: { name: 'get_current_weather', arguments: '{"location": "Shanghai"}' } }],
      },
    })
    const forced = await ask(client, { messages: [question], tools, tool_choice: 'required' })
    expect(forced.choices[0]).toMatchObject({ finish_reason: 'tool_calls' })
  } finally {
    await server.close()
  }
})

describe('when the upstream server fails', () => {
  test('clients get no details; the log does', async () => {
    const faults: [Fault, number][] = [
      [{ kind: 'status', status: 500, message: 'secret 1' }, 502],
      [{ kind: 'status', status: 401, message: 'secret 2' }, 502],
      [{ kind: 'garbage' }, 502],
    ]
    for (const [fault, status] of faults) {
      queue.push(fault)
      const error = await ask(after, {}).catch((caught: unknown) => caught)
      expect(error).toMatchObject({ status, error: { type: 'server_error' } })
      expect(String(error)).not.toContain('secret')
    }
    expect(logged.join('\n')).toContain('secret 1')
    expect((await ask(after, {})).choices[0]!.message.content).toBe('46')
  })
})

describe('messages that are forwarded take what the upstream server can do', () => {
  const said: { path: string; body: Record<string, unknown> }[] = []
  let upstream: Listening
  let proxy: Listening
  let client: OpenAI
  const spent = new Map<string, unknown>()
  const token = { token: 'ok', logprob: -0.5, bytes: [111, 107], top_logprobs: [] }

  beforeAll(async () => {
    upstream = await listen({
      async fetch(request) {
        const body = (await request.json()) as Record<string, unknown>
        const { pathname: path } = new URL(request.url)
        said.push({ path, body })
        if (path.endsWith('/embeddings'))
          return Response.json({ object: 'list', data: [{ embedding: [1, 2] }], usage: { prompt_tokens: 3 } })
        const call = { id: 'c', type: 'function', function: { name: 'get_current_weather', arguments: '{"location": "Paris"}' } }
        const message = body.tool_choice ? { role: 'assistant', content: null, tool_calls: [call] } : { role: 'assistant', content: 'ok' }
        const logprobs = body.logprobs ? { content: [token] } : null
        return Response.json({
          choices: [{ message, logprobs, finish_reason: 'stop' }],
          usage: { prompt_tokens: 12, completion_tokens: 1 },
        })
      },
    })
    proxy = await serve({
      models: [modelConfigOf({ model: `openai:up@${upstream.url}/v1`, format: 'messages' })],
      onRequest: ({ path, tokens }) => void spent.set(path, tokens),
    })
    client = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: 'none', maxRetries: 0 })
  })
  afterAll(async () => {
    await proxy.close()
    await upstream.close()
  })
  const chat = (body: object) =>
    client.chat.completions.create({ model: 'up', messages: [{ role: 'user', content: 'Hi' }], stream: false, ...body })

  test('a required call, or a named one', async () => {
    for (const choice of ['required', { type: 'function', function: { name: 'get_current_weather' } }] as const) {
      const { choices } = await chat({ tools, tool_choice: choice, parallel_tool_calls: false })
      expect(choices[0]).toMatchObject({
        finish_reason: 'tool_calls',
        message: { tool_calls: [{ function: { name: 'get_current_weather' } }] },
      })
      expect(said.at(-1)!.body).toMatchObject({ tool_choice: choice, parallel_tool_calls: false, tools: [{ type: 'function' }] })
    }
  })

  test('log-probabilities, biases and top_k', async () => {
    const { choices } = await chat({ logprobs: true, top_logprobs: 2, logit_bias: { 5: -100 }, top_k: 40 })
    expect(said.at(-1)!.body).toMatchObject({ logprobs: true, top_logprobs: 2, logit_bias: { 5: -100 }, top_k: 40 })
    expect(choices[0]!.logprobs).toEqual({ content: [token], refusal: null })
    await chat({})
    expect(said.at(-1)!.body).not.toHaveProperty('logit_bias')
    // A model that runs here cannot.
    await expect(ask(before, { logit_bias: { 5: -100 } })).rejects.toMatchObject({ status: 400, param: 'logit_bias' })
  })

  test('embeddings, and the number of tokens', async () => {
    const embedded = await client.embeddings.create({ model: 'up', input: 'Hi', encoding_format: 'float' })
    expect(embedded.data[0]!.embedding).toEqual([1, 2])
    expect(said.at(-1)).toMatchObject({ path: '/v1/embeddings', body: { model: 'up', input: 'Hi' } })
    await expect(before.embeddings.create({ model: 'tiny', input: 'Hi' })).rejects.toMatchObject({ status: 400, param: 'model' })
    const counted = await fetch(`${proxy.url}/v1/messages/count_tokens`, {
      method: 'POST',
      body: JSON.stringify({ model: 'up', messages: [{ role: 'user', content: 'Hi' }], top_k: 5 }),
    })
    expect(await counted.json()).toEqual({ input_tokens: 12 })
    // Both count towards the client's limit of tokens.
    await expect.poll(() => spent.get('/v1/embeddings')).toEqual({ prompt: 3, reused: 0, reply: 0 })
    await expect.poll(() => spent.get('/v1/messages/count_tokens')).toEqual({ prompt: 12, reused: 0, reply: 1 })
  })

  test('a file by URL is refused, not sent empty', async () => {
    const count = said.length
    const file = { type: 'input_file' as const, file_url: 'https://example.org/a.pdf' }
    const asked = client.responses.create({ model: 'up', input: [{ role: 'user', content: [file] }] })
    await expect(asked).rejects.toMatchObject({ status: 400, param: 'input[0].content[0]' })
    expect(said).toHaveLength(count)
  })
})
