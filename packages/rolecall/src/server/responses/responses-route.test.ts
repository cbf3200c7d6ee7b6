import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { weatherTool } from '../../../../../proof/testing/weather-tool.ts'
import type { Listening } from '../listen.ts'
import { serve } from '../serve-models.ts'

// The official client against a real port: the embedded model in InternLM2's format.

type Body = Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming> & Record<string, unknown>
type Item = OpenAI.Responses.ResponseInputItem

let server: Listening
let client: OpenAI

beforeAll(async () => {
  const models = [
    { abbr: 'tiny', type: 'embedded', format: 'internlm2' },
    { abbr: 'vicuna', type: 'embedded', conv_template: 'vicuna_v1.1' },
  ]
  server = await serve({ models, limits: { keptResponses: 5 } })
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
}, 60_000)

afterAll(() => server.close())

const { name, description, parameters } = weatherTool.function
const tools: OpenAI.Responses.FunctionTool[] = [{ type: 'function', name, description, parameters, strict: false }]
const question: Item = { role: 'user', content: '我想了解今天上海的天气' }

const bodyOf = (body: Body) => ({ model: 'tiny', temperature: 0, input: '12 + 34 = ?', ...body })
const ask = (body: Body) => client.responses.create(bodyOf(body) as OpenAI.Responses.ResponseCreateParamsNonStreaming)
const askStream = (body: Body) => client.responses.stream(bodyOf(body) as Parameters<typeof client.responses.stream>[0])

describe('a response', () => {
  test('is answered', async () => {
    const { output_text, output, status, usage, object } = await ask({})
    expect({ output_text, status, object }).toEqual({ output_text: '46', status: 'completed', object: 'response' })
    expect(output).toEqual([
      {
        id: expect.stringMatching(/^msg_/),
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: '46', annotations: [], logprobs: [] }],
      },
    ])
    expect(usage).toMatchObject({ output_tokens: 2, total_tokens: usage!.input_tokens + 2, output_tokens_details: { reasoning_tokens: 0 } })
  })

  test("is sampled with every setting, and shows those that are not OpenAI's where they are set", async () => {
    const [likeliest, limited] = [
      await ask({ max_output_tokens: 6 }),
      await ask({ temperature: 3, top_k: 1, max_output_tokens: 6 } as Body),
    ]
    expect(limited.output_text).toBe(likeliest.output_text)
    expect(limited).toMatchObject({ temperature: 3, top_k: 1, top_p: null })
    expect(likeliest).not.toHaveProperty('top_k')
  })

  test('gives the same output when streamed, in numbered events', async () => {
    const events: OpenAI.Responses.ResponseStreamEvent[] = []
    const stream = askStream({})
    for await (const event of stream) events.push(event)
    expect((await stream.finalResponse()).output_text).toBe('46')
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index))
    expect([...new Set(events.map(({ type }) => type))]).toEqual([
      ...['response.created', 'response.in_progress', 'response.output_item.added', 'response.content_part.added'],
      ...['response.output_text.delta', 'response.output_text.done', 'response.content_part.done', 'response.output_item.done'],
      'response.completed',
    ])
  })

  test('converts instructions and items to the same prompt as a chat', async () => {
    const input: Item[] = [
      { role: 'user', content: [{ type: 'input_text', text: '1 + 1 = ?' }] },
      { role: 'assistant', content: '2' },
      { role: 'user', content: '12 + 34 = ?' },
    ]
    const messages = [
      { role: 'system' as const, content: 'You are a calculator.' },
      { role: 'user' as const, content: '1 + 1 = ?' },
      { role: 'assistant' as const, content: '2' },
      { role: 'user' as const, content: '12 + 34 = ?' },
    ]
    const { usage, output_text } = await ask({ instructions: 'You are a calculator.', input })
    const chat = await client.chat.completions.create({ model: 'tiny', temperature: 0, messages })
    expect([usage!.input_tokens, output_text]).toEqual([chat.usage!.prompt_tokens, chat.choices[0]!.message.content])
    const counted = await client.responses.inputTokens.count({ model: 'tiny', instructions: 'You are a calculator.', input })
    expect(counted.input_tokens).toBe(usage!.input_tokens)
  })

  test('is incomplete at the token limit', async () => {
    expect(await ask({ max_output_tokens: 1 })).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete', content: [{ text: '4' }] }],
    })
    const stream = askStream({ max_output_tokens: 1 })
    const types: string[] = []
    for await (const { type } of stream) types.push(type)
    expect(types.at(-1)).toBe('response.incomplete')
  })
})

describe('tools', () => {
  test('are called, and answered with their result: the weather conversation of document 004', async () => {
    const first = await ask({ input: [question], tools })
    const call = first.output.find((item) => item.type === 'function_call')!
    expect(call).toMatchObject({ name, arguments: '{"location": "Shanghai"}', status: 'completed' })
    const result: Item = { type: 'function_call_output', call_id: call.call_id, output: '{"temperature": 22}' }
    const second = await ask({ input: [question, ...(first.output as Item[]), result], tools })
    expect(second.output_text).toContain('22')
  })

  test('are called in a stream', async () => {
    const whole = await ask({ input: [question], tools })
    const streamed = await askStream({ input: [question], tools }).finalResponse()
    const shown = ({ output }: { output: readonly { type: string }[] }) =>
      output.map((item) => ({ ...item, id: '', call_id: '', parsed_arguments: '' }))
    expect(shown(streamed).map(({ type }) => type)).toEqual(['message', 'function_call'])
    expect(streamed.output.at(-1)).toMatchObject({ arguments: (whole.output.at(-1) as { arguments: string }).arguments })
  })

  test('can be forced, forbidden and restricted', async () => {
    expect((await ask({ tools, tool_choice: { type: 'function', name } })).output).toMatchObject([{ type: 'function_call', name }])
    const other = { ...tools[0]!, name: 'get_time' }
    const allowed = { type: 'allowed_tools' as const, mode: 'required' as const, tools: [{ type: 'function', name }] }
    expect((await ask({ tools: [other, ...tools], tool_choice: allowed })).output).toMatchObject([{ type: 'function_call', name }])
    const none = await ask({ input: [question], tools, tool_choice: 'none' })
    expect(none.output.map(({ type }) => type)).toEqual(['message'])
  })

  test('that are custom appear as functions to the model and as custom tools to the client', async () => {
    const custom: OpenAI.Responses.CustomTool = { type: 'custom', name: 'note', description: 'Writes a note' }
    const body: Body = { tools: [custom], tool_choice: { type: 'custom', name: 'note' }, max_output_tokens: 60 }
    const [call] = (await ask(body)).output
    expect(call).toMatchObject({ type: 'custom_tool_call', name: 'note', input: expect.any(String) })
    const types: string[] = []
    for await (const { type } of askStream(body)) types.push(type)
    expect(types).toContain('response.custom_tool_call_input.done')
    const input = [question, call, { type: 'custom_tool_call_output', call_id: (call as { call_id: string }).call_id, output: 'done' }]
    expect((await ask({ input: input as Item[], tools: [custom] })).status).toMatch(/completed|incomplete/)
  })

  test('that only OpenAI can run are not shown to the model, and reported', async () => {
    const response = await ask({ tools: [{ type: 'web_search' }] })
    expect(response.output_text).toBe('46')
    expect(response).toMatchObject({ problems: [expect.stringContaining('tools[0]: tools of type "web_search"')] })
    await expect(ask({ tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search_preview' } })).rejects.toThrow(/tool_choice/)
  })
})

describe('a response is stored', () => {
  test('and can be continued with its history', async () => {
    const first = await ask({ input: [question], tools })
    const call = first.output.find((item) => item.type === 'function_call')!
    const result: Item = { type: 'function_call_output', call_id: call.call_id, output: '{"temperature": 22}' }
    const second = await ask({ previous_response_id: first.id, input: [result], tools })
    expect(second.output_text).toContain('22')
    expect(second.previous_response_id).toBe(first.id)
    const whole = await ask({ input: [question, ...(first.output as Item[]), result], tools })
    expect(second.usage!.input_tokens).toBe(whole.usage!.input_tokens)
    const third = await ask({ previous_response_id: second.id, tools })
    expect(third.usage!.input_tokens).toBeGreaterThan(second.usage!.input_tokens)
  })

  test('and can be retrieved, referenced by item, and deleted', async () => {
    const first = await ask({})
    expect(await client.responses.retrieve(first.id)).toMatchObject({ id: first.id, output_text: '46' })
    const { data } = await client.responses.inputItems.list(first.id)
    expect(data).toMatchObject([{ type: 'message', role: 'user', content: '12 + 34 = ?' }])
    const input: Item[] = [{ role: 'user', content: '12 + 34 = ?' }, { type: 'item_reference', id: first.output[0]!.id! }, question]
    const named = await ask({ input })
    expect(named.usage!.input_tokens).toBe(
      (await ask({ input: [input[0]!, { role: 'assistant', content: '46' }, question] })).usage!.input_tokens,
    )
    await client.responses.delete(first.id)
    await expect(client.responses.retrieve(first.id)).rejects.toThrow(OpenAI.NotFoundError)
    await expect(ask({ previous_response_id: first.id })).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' })
    await expect(ask({ input })).rejects.toMatchObject({ status: 400, code: 'item_not_found', param: 'input[1]' })
  })

  test('unless store is false, and only recent ones are kept', async () => {
    const unkept = await ask({ store: false })
    await expect(ask({ previous_response_id: unkept.id })).rejects.toMatchObject({ code: 'previous_response_not_found' })
    const first = await ask({})
    for (let count = 0; count < 5; count++) await ask({})
    await expect(ask({ previous_response_id: first.id })).rejects.toMatchObject({ code: 'previous_response_not_found' })
  })
})

describe('an invalid request', () => {
  const wrong: [name: string, body: Record<string, unknown>, param: string | null][] = [
    ['has no input', { input: undefined }, 'input'],
    ['has nothing that can be read', { input: [{ type: 'compaction', encrypted_content: 'x' }] }, 'input'],
    ['has unsupported content', { input: [{ role: 'user', content: [{ type: 'input_file' }] }] }, 'input[0].content[0]'],
    ['has a call without a name', { input: [{ type: 'function_call', call_id: 'a', arguments: '{}' }] }, 'input[0].name'],
    ['names an unknown tool', { tools, tool_choice: { type: 'function', name: 'now' } }, 'tool_choice'],
    [
      'allows an unknown tool',
      { tools, tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'now' }] } },
      'tool_choice',
    ],
    ['gives tools to a format without tools', { model: 'vicuna', tools }, 'tools[0]'],
    ['requests log-probabilities', { top_logprobs: 5 }, 'top_logprobs'],
    ['runs in the background', { background: true }, 'background'],
    ['belongs to a conversation', { conversation: 'conv_1' }, 'conversation'],
  ]
  for (const [what, body, param] of wrong) {
    test(`is rejected: it ${what}`, async () => {
      const error = await ask(body as Body).catch((caught: unknown) => caught)
      expect(error).toMatchObject({ status: 400, param, error: { type: 'invalid_request_error', message: expect.any(String) } })
      const streamed = await askStream(body as Body)
        .finalResponse()
        .catch((caught: unknown) => caught)
      expect(streamed).toMatchObject({ status: 400, param })
    })
  }

  test('is rejected if it is too long or names an unknown model', async () => {
    await expect(ask({ input: '12 + 34 = ? '.repeat(400) })).rejects.toMatchObject({ code: 'context_length_exceeded' })
    await expect(ask({ model: 'gpt' })).rejects.toThrow(OpenAI.NotFoundError)
  })

  test('asks for compaction: the error says how a conversation is shortened here', async () => {
    const refused = await client.post('/responses/compact', { body: bodyOf({}) }).catch((caught: unknown) => caught)
    expect(refused).toMatchObject({ status: 404, code: 'unsupported', message: expect.stringContaining('serve --for codex') })
    const { url } = server
    expect((await fetch(`${url}/v1/responses/compact`)).status).toBe(404)
  })
})
