import Anthropic from '@anthropic-ai/sdk'
import { compileChat } from '@rolecall/core/internal/compile'
import { promptText } from '@rolecall/core/internal/format'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { weatherTool } from '../../../../../proof/testing/weather-tool.ts'
import type { Listening } from '../listen.ts'
import { readBody } from '../read-body.ts'
import { serve } from '../serve-models.ts'
import { messagesRequest } from './messages-request.ts'
import { readMessages } from './read-messages.ts'

// Anthropic's client against a real port: the embedded model in InternLM2's format.

type Body = Partial<Anthropic.MessageCreateParamsNonStreaming> & Record<string, unknown>

let server: Listening
let client: Anthropic

beforeAll(async () => {
  server = await serve({
    models: [
      { abbr: 'tiny', type: 'embedded', format: 'internlm2' },
      { abbr: 'vicuna', type: 'embedded', conv_template: 'vicuna_v1.1' },
    ],
    apiKey: 'secret',
  })
  client = new Anthropic({ baseURL: server.url, apiKey: 'secret', maxRetries: 0 })
}, 60_000)

afterAll(() => server.close())

const { name, description, parameters } = weatherTool.function
const tools: Anthropic.Tool[] = [{ name, description: description, input_schema: parameters as Anthropic.Tool.InputSchema }]
const question: Anthropic.MessageParam = { role: 'user', content: '我想了解今天上海的天气' }
const sum: Anthropic.MessageParam[] = [{ role: 'user', content: '12 + 34 = ?' }]

const bodyOf = (body: Body) => ({ model: 'tiny', max_tokens: 80, temperature: 0, messages: sum, ...body })
const ask = (body: Body) => client.messages.create(bodyOf(body) as Anthropic.MessageCreateParamsNonStreaming)
const askStream = (body: Body) => client.messages.stream(bodyOf(body) as Anthropic.MessageCreateParamsNonStreaming)

describe('a message', () => {
  test('is answered', async () => {
    const { id: _, ...message } = await ask({})
    expect(message).toEqual({
      type: 'message',
      role: 'assistant',
      model: 'tiny',
      content: [{ type: 'text', text: '46' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: expect.any(Number),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: expect.any(Number),
        output_tokens: 2,
      },
    })
  })

  test("is sampled with every setting, also those that are not Anthropic's", async () => {
    const textOf = async (body: object) => (await ask({ temperature: 3, max_tokens: 6, ...body } as Body)).content
    const likeliest = await textOf({ temperature: 0 })
    expect(await textOf({ top_k: 1, seed: 5 })).toEqual(likeliest)
    expect(await textOf({ min_p: 1, seed: 5 })).toEqual(likeliest)
    const [sampled, again] = [await textOf({ seed: 5 }), await textOf({ seed: 5 })]
    expect(sampled).not.toEqual(likeliest)
    expect(again).toEqual(sampled)
  })

  test('gives the same reply when streamed', async () => {
    const stream = askStream({})
    const types: string[] = []
    stream.on('streamEvent', ({ type }) => types.push(type))
    const message = await stream.finalMessage()
    expect(message.content).toEqual([{ type: 'text', text: '46' }])
    expect([message.stop_reason, message.usage.output_tokens]).toEqual(['end_turn', 2])
    expect([...new Set(types)]).toEqual([
      ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta', 'message_stop'],
    ])
  })

  test('has the prompt length at the start of a stream, and the cached tokens at the end', async () => {
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: '78 + 11 = ?' }]
    const { input_tokens: counted } = await client.messages.countTokens({ model: 'tiny', messages })
    const events: Anthropic.MessageStreamEvent[] = []
    const stream = await client.messages.create({ model: 'tiny', max_tokens: 80, messages, stream: true })
    for await (const event of stream) events.push(event)
    const [start] = events
    expect(start?.type === 'message_start' && start.message.usage.input_tokens).toBe(counted)
    const { usage } = await ask({ messages })
    expect(usage.input_tokens + usage.cache_read_input_tokens!).toBe(counted)
    expect(usage.cache_read_input_tokens).toBeGreaterThan(0)
  })

  test('and its system prompt can consist of blocks', async () => {
    const text = (said: string) => ({ type: 'text' as const, text: said, cache_control: { type: 'ephemeral' as const } })
    const blocks = {
      system: [text('You are'), text('a calculator.')],
      messages: [{ role: 'user', content: [text('12 +'), text('34 = ?')] }],
    }
    // Parts of text are joined by a line break.
    const plain = { system: 'You are\na calculator.', messages: [{ role: 'user' as const, content: '12 +\n34 = ?' }] }
    const count = (body: object) => client.messages.countTokens({ model: 'tiny', ...body } as Anthropic.MessageCountTokensParams)
    expect(await count(blocks)).toEqual(await count(plain))
    expect((await ask(blocks as Body)).content).toEqual((await ask(plain)).content)
  })

  test('whose texts are separated once, whatever the template does with parts', async () => {
    const text = (said: string) => ({ type: 'text', text: said })
    const each =
      '{% for m in messages %}<{{ m.role }}>{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}{{ p.text }}{% endfor %}{% endif %}{% endfor %}<a>'
    const system = [text('One.'), text('Two.\n'), text(''), text('Three.'), text('\nFour.')]
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'system', content: [text('Late.'), text('Later.')] },
    ]
    const { exact } = readMessages(readBody(JSON.stringify({ max_tokens: 1, system, messages }), messagesRequest))
    const prompt = compileChat({ chat_template: each, roles: 'auto' }).render({ messages: exact.messages })
    expect(promptText(prompt)).toBe('<system>One.\nTwo.\nThree.\nFour.<user>Hi<system>Late.\nLater.<a>')
  })

  test('can have documents of text, whose title and context are part of the text', async () => {
    const count = (content: unknown) =>
      client.messages.countTokens({ model: 'tiny', messages: [{ role: 'user', content }] } as Anthropic.MessageCountTokensParams)
    const said = { title: 'A sum', context: 'From a book.', citations: { enabled: true } }
    const document = { type: 'document', ...said, source: { type: 'text', media_type: 'text/plain', data: '12 + 34 = ?' } }
    const content = [
      { type: 'text', text: '12 + 34' },
      { type: 'text', text: '= ?' },
    ]
    expect(await count([document])).toEqual(await count('A sum\n\nFrom a book.\n\n12 + 34 = ?'))
    const inBlocks = { ...document, source: { type: 'content', content } }
    expect(await count([inBlocks])).toEqual(await count('A sum\n\nFrom a book.\n\n12 + 34\n\n= ?'))
    expect(await ask({ messages: [{ role: 'user', content: [document] }] } as Body)).toMatchObject({
      problems: [expect.stringContaining('messages[0].content[0].citations')],
    })
  })

  test('continues its last message', async () => {
    const { content } = await ask({ messages: [...sum, { role: 'assistant', content: '4' }] })
    expect(content).toEqual([{ type: 'text', text: '6' }])
  })

  test('has a stop reason', async () => {
    expect(await ask({ max_tokens: 1 })).toMatchObject({ content: [{ text: '4' }], stop_reason: 'max_tokens' })
    expect(await ask({ stop_sequences: ['x', '6'] })).toMatchObject({
      content: [{ text: '4' }],
      stop_reason: 'stop_sequence',
      stop_sequence: '6',
    })
  })
})

describe('tools', () => {
  test('are called, and answered with their result: the weather conversation of document 004', async () => {
    const first = await ask({ messages: [question], tools })
    expect(first.stop_reason).toBe('tool_use')
    const call = first.content.find((block) => block.type === 'tool_use')!
    expect(call).toMatchObject({ name: 'get_current_weather', input: { location: 'Shanghai' } })
    const result = { type: 'tool_result' as const, tool_use_id: call.id, content: '{"temperature": 22}' }
    const messages: Anthropic.MessageParam[] = [
      question,
      { role: 'assistant', content: first.content },
      { role: 'user', content: [result] },
    ]
    const second = await ask({ messages, tools })
    expect(second).toMatchObject({ content: [{ type: 'text', text: expect.stringContaining('22') }], stop_reason: 'end_turn' })
  })

  test('are called in a stream', async () => {
    const whole = await ask({ messages: [question], tools })
    const streamed = await askStream({ messages: [question], tools }).finalMessage()
    const shown = ({ content }: Anthropic.Message) => content.map((block) => ('id' in block ? { ...block, id: '' } : block))
    expect(shown(streamed)).toEqual(shown(whole))
    expect(streamed.stop_reason).toBe('tool_use')
  })

  test('can be forced and forbidden', async () => {
    const named = await ask({ tools, tool_choice: { type: 'tool', name } })
    expect(named.content).toMatchObject([{ type: 'tool_use', name }])
    expect((await ask({ tools, tool_choice: { type: 'any' } })).content).toMatchObject([{ type: 'tool_use' }])
    const none = await ask({ messages: [question], tools, tool_choice: { type: 'none' } })
    expect(none.content.every(({ type }) => type === 'text')).toBe(true)
  })

  test('that only Anthropic can run are not shown to the model, and reported', async () => {
    const message = await ask({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] })
    expect(message.content).toEqual([{ type: 'text', text: '46' }])
    expect(message).toMatchObject({ problems: [expect.stringContaining('tools[0]: tools of type "web_search_20250305"')] })
  })

  test('that failed are shown like other results, and reported', async () => {
    const call = { type: 'tool_use', id: 'toolu_1', name, input: { location: 'Shanghai' } }
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: [{ type: 'text', text: 'no such place' }] }
    const messages = [question, { role: 'assistant', content: [call] }, { role: 'user', content: [result] }]
    expect(await ask({ messages, tools } as Body)).toMatchObject({ problems: [expect.stringContaining('messages[2].content[0].is_error')] })
  })
})

describe('an invalid request', () => {
  const wrong: [name: string, body: Record<string, unknown>, message: RegExp][] = [
    ['has no max_tokens', { max_tokens: undefined }, /max_tokens/],
    ['has an unknown role', { messages: [{ role: 'robot', content: 'Hi' }] }, /messages\[0\]\.role/],
    [
      'has an unsupported block',
      { messages: [{ role: 'user', content: [{ type: 'document' }] }] },
      /messages\[0\]\.content\[0\]: .*document source/,
    ],
    ['has a call without a name', { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a' }] }] }, /content\[0\]\.name/],
    ['has a tool without a schema', { tools: [{ name: 'f' }] }, /tools\[0\]\.input_schema/],
    ['names an unknown tool', { tools, tool_choice: { type: 'tool', name: 'now' } }, /"now" is not among the tools/],
    ['gives tools to a format without tools', { model: 'vicuna', tools }, /tools/],
    ['sets a top_k that is no number of tokens', { top_k: 1.5 }, /top_k/],
    ["sets a penalty by llama.cpp's name", { repeat_penalty: 1.2 }, /repeat_penalty: use repetition_penalty/],
    ['is too long', { messages: [{ role: 'user', content: '12 + 34 = ? '.repeat(400) }] }, /prompt is too long: \d+ tokens > 1024 maximum/],
  ]
  for (const [what, body, message] of wrong) {
    test(`is rejected: it ${what}`, async () => {
      for (const send of [() => ask(body as Body), () => askStream(body as Body).finalMessage()]) {
        const error = await send().catch((caught: unknown) => caught)
        expect(error).toBeInstanceOf(Anthropic.BadRequestError)
        expect(error).toMatchObject({
          status: 400,
          error: { type: 'error', error: { type: 'invalid_request_error', message: expect.stringMatching(message) } },
        })
      }
    })
  }

  test('is rejected for an unknown model, a missing key or an unknown URL', async () => {
    await expect(ask({ model: 'claude' })).rejects.toThrow(Anthropic.NotFoundError)
    const stranger = new Anthropic({ baseURL: server.url, apiKey: 'other', maxRetries: 0 })
    const error = await stranger.messages.create(bodyOf({})).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Anthropic.AuthenticationError)
    expect(error).toMatchObject({ requestID: expect.stringMatching(/^req_/), error: { error: { type: 'authentication_error' } } })
    await expect(client.messages.batches.list()).rejects.toThrow(Anthropic.NotFoundError)
  })
})

test('models are listed in the shape the client expects', async () => {
  const names: string[] = []
  for await (const model of client.models.list()) names.push(model.id)
  expect(names).toEqual(['tiny', 'vicuna'])
  expect(await client.models.retrieve('tiny')).toMatchObject({ type: 'model', display_name: 'tiny' })
})
