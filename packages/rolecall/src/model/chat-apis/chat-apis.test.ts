import { afterEach, describe, expect, test } from 'vitest'
import { type Scripted, type Seen, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { anthropicMessage, anthropicRequest, googleReply, googleRequest } from '../../../../../proof/testing/strict-apis.ts'
import { weatherTool } from '../../../../../proof/testing/weather-tool.ts'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import type { PyValue } from '../../../../core/src/base/python/index.ts'
import { control, plain } from '../../../../core/src/base/text/index.ts'
import { compileChat } from '../../../../core/src/prompt/compile/compile-chat.ts'
import type { Prompt } from '../../../../core/src/prompt/format/format.ts'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { nodeClient } from '../../node/models/node-client.ts'
import type { GenerateOptions, LanguageModel } from '../language-model/language-model.ts'
import { BadReply } from '../openai/http/http-client.ts'
import type { Wait } from '../openai/http/wait.ts'
import { openServerModel } from '../openai/open-openai.ts'
import { anthropicApi } from './anthropic-api.ts'
import { anthropicReader } from './anthropic-reader.ts'
import { googleApi } from './google-api.ts'
import { googleReader } from './google-reader.ts'

// Stand-ins of the services, which refuse every field that their references do not have.

const opened: { close?(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close?.()
})

const services = {
  anthropic: {
    api: anthropicApi,
    variable: 'ANTHROPIC_API_KEY',
    request: anthropicRequest,
    reply: (text: string) => anthropicMessage([{ type: 'text', text, citations: null }]),
  },
  google: { api: googleApi, variable: 'GEMINI_API_KEY', request: googleRequest, reply: (text: string) => googleReply([{ text }]) },
} as const
type Service = keyof typeof services

const key = 'secret-key-1234567890'

async function start(service: Service, answer: (seen: Seen) => Scripted, config: Partial<ModelConfig> = {}) {
  const { api, variable, request } = services[service]
  const server = await scriptedServer((seen) => {
    if (seen.method === 'POST') request.parse(JSON.parse(seen.body))
    return answer(seen)
  })
  const { client, close } = nodeClient({ environment: {} })
  const waits: Wait[] = []
  let skipped = 0
  const clock = {
    now: () => Date.now() + skipped,
    sleep: async (milliseconds: number) => {
      skipped += milliseconds
    },
  }
  const model: LanguageModel = openServerModel(
    api(),
    { abbr: 'm', path: 'the-model', base_url: server.url.replace('/v1', ''), retries: 2, ...config },
    { environment: { [variable]: key }, client, close, clock, random: () => 0.5, onWait: (wait) => waits.push(wait) },
  )
  opened.push(model, server)
  const ask = (prompt: Prompt = asked, options: Partial<GenerateOptions> = {}) => model.generate(prompt, { maxTokens: 5, ...options })
  return { model, server, waits, ask, bodies: () => server.seen.map(({ body }): unknown => JSON.parse(body)) }
}

const from = { by: 'template', path: 'test' } as const
const asked: Prompt = { kind: 'chat', messages: [{ role: 'user', content: [plain('1+1=?', from)] }], stop: [], notes: [] }
const chat = (messages: PyValue[], tools?: PyValue[]) =>
  compileChat({ format: 'messages' }).render({ messages: messages as never, ...(tools ? { tools: tools as never } : {}) })
const png = 'iVBORw0KGgo='

async function errorOf(promise: Promise<unknown>): Promise<PromptError> {
  const caught = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(caught).toBeInstanceOf(PromptError)
  return caught as PromptError
}

describe('requests', () => {
  test('the key is a header, and a single text is sent as such', async () => {
    const { ask, server, bodies } = await start('anthropic', () => ({ json: services.anthropic.reply('2') }))
    expect(await ask(asked, { stopTexts: ['\n', 'END'] })).toMatchObject({
      text: '2',
      finish: 'stop',
      tokens: { prompt: 9, reused: 4, reply: 2 },
      notes: [],
    })
    expect(server.seen[0]).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' } })
    expect(bodies()).toEqual([
      { model: 'the-model', max_tokens: 5, temperature: 0, messages: [{ role: 'user', content: '1+1=?' }], stop_sequences: ['END'] },
    ])
    const other = await start('google', () => ({ json: services.google.reply('2') }))
    expect(await other.ask()).toMatchObject({ text: '2', finish: 'stop', tokens: { prompt: 9, reused: 4, reply: 9 }, notes: [] })
    expect(other.server.seen[0]).toMatchObject({ path: '/v1beta/models/the-model:generateContent', headers: { 'x-goog-api-key': key } })
    expect(other.bodies()).toEqual([
      { contents: [{ role: 'user', parts: [{ text: '1+1=?' }] }], generationConfig: { maxOutputTokens: 5, temperature: 0 } },
    ])
  })

  const sampling = {
    temperature: 0.5,
    topK: 40,
    topP: 0.9,
    minP: 0.1,
    repetitionPenalty: 1.1,
    presencePenalty: 0.2,
    frequencyPenalty: 0.3,
    seed: 7,
  }

  test('sampling goes by the names of each API; what it lacks is noted', async () => {
    const ignored = (notes: readonly { code: string; text: string }[]) =>
      notes.filter(({ code }) => code === 'ignored-setting').map(({ text }) => /has no (\w+)/.exec(text)?.[1])
    const one = await start('anthropic', () => ({ json: services.anthropic.reply('2') }))
    expect(ignored((await one.ask(asked, { sampling })).notes)).toEqual([
      ...['min_p', 'repetition_penalty', 'presence_penalty', 'frequency_penalty', 'seed'],
    ])
    expect(one.bodies()[0]).toMatchObject({ temperature: 0.5, top_k: 40, top_p: 0.9 })
    const other = await start('google', () => ({ json: services.google.reply('2') }))
    expect(ignored((await other.ask(asked, { sampling, minTokens: 2 })).notes)).toEqual(['min_p', 'repetition_penalty', 'minimum'])
    expect(other.bodies()[0]).toMatchObject({
      generationConfig: { temperature: 0.5, topK: 40, topP: 0.9, presencePenalty: 0.2, frequencyPenalty: 0.3, seed: 7 },
    })
  })

  test('reasoning, schemas and extra_body', async () => {
    const schema = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'], additionalProperties: false } as const
    const config = { reasoning_effort: 'low', reasoning_tokens: 2048 }
    const constraint = { kind: 'json-schema', schema, where: 'test' } as const
    const one = await start('anthropic', () => ({ json: services.anthropic.reply('{"sum": 2}') }), {
      ...config,
      extra_body: { temperature: null },
    })
    expect((await one.ask(asked, { constraint, maxTokens: 4096 })).notes).toEqual([])
    expect(one.bodies()).toEqual([
      {
        model: 'the-model',
        max_tokens: 4096,
        messages: [{ role: 'user', content: '1+1=?' }],
        thinking: { type: 'enabled', budget_tokens: 2048 },
        output_config: { effort: 'low', format: { type: 'json_schema', schema } },
      },
    ])
    const other = await start('google', () => ({ json: services.google.reply('{"sum": "x"}') }), {
      ...config,
      extra_body: { generationConfig: { temperature: null, topK: 3 } },
    })
    expect((await other.ask(asked, { constraint })).notes).toMatchObject([{ code: 'not-constrained' }])
    expect(other.bodies()).toMatchObject([
      {
        generationConfig: {
          maxOutputTokens: 5,
          topK: 3,
          thinkingConfig: { thinkingLevel: 'low', thinkingBudget: 2048, includeThoughts: true },
          responseMimeType: 'application/json',
          responseJsonSchema: schema,
        },
      },
    ])
    const pattern = { kind: 'pattern', pattern: 'a+', where: 'test' } as const
    for (const { model } of [one, other]) expect(() => model.checkConstraint?.(pattern)).toThrow('constrains replies only to JSON')
  })

  const conversation: PyValue[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Weather?' },
    {
      role: 'assistant',
      content: 'Let me see.',
      tool_calls: [
        {
          id: 'call.1',
          type: 'function',
          function: { name: 'get_current_weather', arguments: '{"location": "Paris", "n": 12345678901234567890}' },
        },
        { id: 'call_2', type: 'function', function: { name: 'get_current_weather', arguments: 'not JSON' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call.1', content: 'sunny' },
    { role: 'tool', tool_call_id: 'call_2', content: 'rain' },
    { role: 'user', content: 'Thanks.' },
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Bye.' },
  ]

  test('system prompts, tools, calls and their results', async () => {
    const one = await start('anthropic', () => ({ json: services.anthropic.reply('Bye') }))
    const { notes } = await one.ask(chat(conversation, [weatherTool as unknown as PyValue]))
    expect(notes.map(({ code }) => code)).toEqual(['system-folded', 'call-ids-rewritten', 'call-ids-rewritten', 'arguments-wrapped'])
    const { parameters, description } = weatherTool.function
    expect(one.bodies()[0]).toMatchObject({
      system: 'Be brief.',
      tools: [{ name: 'get_current_weather', description, input_schema: parameters }],
      messages: [
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me see.' },
            { type: 'tool_use', id: 'call_1', name: 'get_current_weather' },
            { type: 'tool_use', id: 'call_2', name: 'get_current_weather', input: { arguments: 'not JSON' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: 'sunny' },
            { type: 'tool_result', tool_use_id: 'call_2', content: 'rain' },
            { type: 'text', text: 'Thanks.' },
          ],
        },
        { role: 'user', content: 'Be kind.' },
        { role: 'user', content: 'Bye.' },
      ],
    })
    // Numbers are those of the model, digit by digit.
    expect(one.server.seen[0]!.body).toContain('"n":12345678901234567890')
    const other = await start('google', () => ({ json: services.google.reply('Bye') }))
    await other.ask(chat(conversation, [weatherTool as unknown as PyValue]))
    expect(other.bodies()[0]).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      tools: [{ functionDeclarations: [{ name: 'get_current_weather', parametersJsonSchema: parameters }] }],
      contents: [
        { role: 'user', parts: [{ text: 'Weather?' }] },
        { role: 'model', parts: [{ text: 'Let me see.' }, { functionCall: { name: 'get_current_weather' } }, { functionCall: {} }] },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'get_current_weather', response: { output: 'sunny' } } },
            { functionResponse: { name: 'get_current_weather', response: { output: 'rain' } } },
          ],
        },
        { role: 'user', parts: [{ text: 'Thanks.' }] },
        { role: 'user', parts: [{ text: 'Be kind.' }] },
        { role: 'user', parts: [{ text: 'Bye.' }] },
      ],
    })
  })

  test('images and documents, in base64 or by their address; other media are refused', async () => {
    const content: PyValue[] = [
      { type: 'text', text: 'Look:' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
      { type: 'image_url', image_url: { url: 'https://x.test/cat.png' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${png}` } },
    ]
    const one = await start('anthropic', () => ({ json: services.anthropic.reply('a cat') }))
    await one.ask(chat([{ role: 'user', content }]))
    expect(one.bodies()[0]).toMatchObject({
      messages: [
        {
          content: [
            { type: 'text', text: 'Look:' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
            { type: 'image', source: { type: 'url', url: 'https://x.test/cat.png' } },
            { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: png } },
          ],
        },
      ],
    })
    const sound: PyValue = { type: 'input_audio', input_audio: { data: png, format: 'mp3' } }
    expect((await errorOf(one.ask(chat([{ role: 'user', content: [sound] }])))).message).toContain('no audio')
    const other = await start('google', () => ({ json: services.google.reply('a cat') }))
    await other.ask(chat([{ role: 'user', content: [...content, sound] }]))
    expect(other.bodies()[0]).toMatchObject({
      contents: [
        {
          parts: [
            { text: 'Look:' },
            { inlineData: { mimeType: 'image/png', data: png } },
            { fileData: { fileUri: 'https://x.test/cat.png' } },
            { inlineData: { mimeType: 'application/pdf', data: png } },
            { inlineData: { mimeType: 'audio/mp3', data: png } },
          ],
        },
      ],
    })
  })

  test.for(['anthropic', 'google'] as const)('text is not completed or scored by %s, and the reason is named', async (service) => {
    const { ask, model } = await start(service, () => ({ json: {} }))
    const text: Prompt = { kind: 'completion', pieces: [control('Q: 1+1=?\nA:', from)], bos: 'tokenizer', stop: [], notes: [] }
    expect((await errorOf(ask(text))).message).toMatch(/API takes messages, but the format produces text/)
    expect([model.score, model.forward]).toEqual([undefined, undefined])
  })
})

describe('replies', () => {
  const calls = [
    { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
    { type: 'text', text: 'Wait.', citations: null },
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
  ]

  test('have reasoning and calls; signed reasoning goes back with its call', async () => {
    const { ask, bodies } = await start('anthropic', () => ({ json: anthropicMessage(calls, { stop_reason: 'tool_use' }) }))
    const call = { kind: 'call', id: 'toolu_1', name: 'f', arguments: { a: 1 } }
    expect(await ask()).toMatchObject({ text: 'Wait.', reasoning: 'Hm.', calls: [call], finish: 'stop' })
    await ask(
      chat([
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: 'Wait.',
          tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'toolu_1', content: 'y' },
      ]),
    )
    expect(bodies()[1]).toMatchObject({
      messages: [{}, { content: [{ type: 'thinking', thinking: 'Hm.', signature: 'sig' }, { type: 'text' }, { type: 'tool_use' }] }, {}],
    })
  })

  test('of Gemini: thoughts, calls with their signature, and ids only if the service gave them', async () => {
    const parts = [
      { text: 'Hm.', thought: true },
      { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'sig' },
    ]
    const { ask, bodies } = await start('google', () => ({ json: googleReply(parts) }), { path: 'gemini-3-flash' })
    const reply = await ask()
    expect(reply).toMatchObject({ text: '', reasoning: 'Hm.', calls: [{ kind: 'call', name: 'f', arguments: { a: 1 } }] })
    const [made] = reply.calls ?? []
    const id = made?.kind === 'call' ? (made.id ?? '') : ''
    const turns = (given: string): PyValue[] => [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: '', tool_calls: [{ id: given, type: 'function', function: { name: 'f', arguments: '{"a":1}' } }] },
      { role: 'tool', tool_call_id: given, content: 'y' },
    ]
    await ask(chat(turns(id)))
    await ask(chat(turns('of another model')))
    const sent = (signature: string) => ({
      contents: [{}, { parts: [{ functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: signature }] }, {}],
    })
    expect(bodies().slice(1)).toMatchObject([sent('sig'), sent('skip_thought_signature_validator')])
    expect(JSON.stringify(bodies())).not.toContain('call_')
  })

  test('are streamed', async () => {
    const event = (type: string, more: object = {}) => ({ type, ...more })
    const usage = { input_tokens: 5, cache_read_input_tokens: 4, cache_creation_input_tokens: 0, output_tokens: 1 }
    const delta = (index: number, type: string, value: object) => event('content_block_delta', { index, delta: { type, ...value } })
    const events = [
      event('message_start', { message: anthropicMessage([], { stop_reason: null, usage }) }),
      event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
      event('ping'),
      delta(0, 'thinking_delta', { thinking: 'H' }),
      delta(0, 'thinking_delta', { thinking: 'm.' }),
      delta(0, 'signature_delta', { signature: 'sig' }),
      event('content_block_stop', { index: 0 }),
      event('content_block_start', { index: 1, content_block: { type: 'text', text: '' } }),
      delta(1, 'text_delta', { text: 'Wa' }),
      delta(1, 'text_delta', { text: 'it.' }),
      event('content_block_stop', { index: 1 }),
      event('content_block_start', { index: 2, content_block: { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} } }),
      delta(2, 'input_json_delta', { partial_json: '' }),
      delta(2, 'input_json_delta', { partial_json: '{"a": ' }),
      delta(2, 'input_json_delta', { partial_json: '1}' }),
      event('content_block_stop', { index: 2 }),
      event('message_delta', { delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 12, input_tokens: null } }),
      event('message_stop'),
    ]
    const one = await start('anthropic', () => ({ events }), { stream: true })
    const texts: string[] = []
    expect(await one.ask(asked, { onText: (text) => texts.push(text) })).toMatchObject({
      text: 'Wait.',
      reasoning: 'Hm.',
      calls: [{ kind: 'call', id: 'toolu_1', name: 'f', arguments: { a: 1 } }],
      tokens: { prompt: 9, reused: 4, reply: 12 },
    })
    expect([texts, one.bodies()[0]]).toMatchObject([['Wa', 'it.'], { stream: true }])
    const parts = (...given: object[]) => googleReply(given, { finishReason: undefined })
    const stream = [parts({ text: 'Hm.', thought: true }), parts({ text: 'Wa' }), googleReply([{ text: 'it.' }])]
    const other = await start('google', () => ({ events: stream }), { stream: true })
    expect(await other.ask()).toMatchObject({ text: 'Wait.', reasoning: 'Hm.', finish: 'stop', tokens: { prompt: 9, reused: 4, reply: 9 } })
    expect(other.server.seen[0]!.path).toBe('/v1beta/models/the-model:streamGenerateContent?alt=sse')
  })

  test.for([
    ['max_tokens', 'length', []],
    ['model_context_window_exceeded', 'length', []],
    ['stop_sequence', 'stop', []],
    ['refusal', 'stop', ['refusal']],
  ] as const)('that end with %s are %s', async ([stop_reason, finish, codes]) => {
    const { ask } = await start('anthropic', () => ({ json: anthropicMessage([], { stop_reason, stop_sequence: 'END' }) }))
    const reply = await ask()
    expect([reply.text, reply.finish, reply.notes.map(({ code }) => code)]).toEqual(['', finish, codes])
  })

  test.for([
    [{ finishReason: 'MAX_TOKENS' }, {}, 'length', []],
    [{ finishReason: 'SAFETY' }, {}, 'stop', ['refusal', 'content-filter']],
    [undefined, { candidates: undefined, promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, 'stop', ['refusal', 'content-filter']],
  ] as const)('of Gemini that end with %j %j', async ([more, rest, finish, codes]) => {
    const { ask } = await start('google', () => ({ json: googleReply(undefined, more, rest) }))
    const reply = await ask()
    expect([reply.text, reply.finish, reply.notes.map(({ code }) => code)]).toEqual(['', finish, codes])
  })

  test('a call that Gemini could not read is the mistake of the model', async () => {
    const { ask } = await start('google', () => ({
      json: googleReply(undefined, { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'f(a=' }),
    }))
    expect((await ask()).calls).toMatchObject([{ kind: 'malformed', raw: 'f(a=' }])
  })

  const text = { type: 'text', text: 'x' }
  const garbage: Record<Service, readonly unknown[]> = {
    anthropic: [
      ...[{}, [], 'x', null, { content: null }, { content: 'x' }, { content: [null] }, { content: [5] }, { content: [{}] }],
      ...[{ content: [{ type: 'text' }] }, { content: [{ type: 'text', text: 5 }] }, { content: [{ type: 'tool_use', name: 'f' }] }],
      ...[{ content: [{ type: 'tool_use', id: 't', input: 'x' }] }, { content: [{ type: 'thinking' }] }, { content: [] }],
      ...[
        { content: [text], stop_reason: 'pause_turn' },
        { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      ],
    ],
    google: [
      ...[{}, [], 'x', null, { candidates: 'x' }, { candidates: [] }, { candidates: [5] }, { candidates: [{ content: 'x' }] }],
      ...[{ candidates: [{ content: { parts: 'x' } }] }, { candidates: [{ content: { parts: [5] } }] }, { candidates: [{}] }],
      ...[{ candidates: [{ content: { parts: [{ text: 5 }] } }] }, { candidates: [{ content: { role: 'model' }, finishReason: 'STOP' }] }],
      ...[{ candidates: [{ content: { parts: [{ functionCall: 'x' }] } }] }, { candidates: [{ finishReason: 'MALFORMED_RESPONSE' }] }],
      ...[{ candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: 'x' } }] } }] }, { error: { code: 500, message: 'no' } }],
    ],
  }
  const names = Object.keys(garbage) as Service[]

  test.for(names.flatMap((service) => garbage[service].map((json) => [service, json] as const)))(
    'garbage fails the row and is retried: %s %j',
    async ([service, json]) => {
      const { ask, server } = await start(service, () => ({ json }))
      const { code, message } = await errorOf(ask())
      expect([code, message, server.seen.length]).toEqual([
        'request-failed',
        expect.stringMatching(/its answer|answered with an error|it stopped|could not read/),
        3,
      ])
    },
  )

  test.for(names)('a stream of %s that is cut, empty or garbage fails the row', async (service) => {
    const streams = [
      [],
      service === 'anthropic'
        ? [{ type: 'message_start', message: anthropicMessage([]) }]
        : [googleReply([{ text: 'x' }], { finishReason: undefined })],
      service === 'anthropic' ? [{ type: 'content_block_delta', index: 0, delta: 5 }] : [{ candidates: 5 }],
      ['not JSON'],
    ]
    for (const events of streams) {
      const { ask } = await start(service, () => ({ events }), { stream: true })
      expect((await errorOf(ask())).code).toBe('request-failed')
    }
  })
})

describe('refusals', () => {
  const anthropicError = (type: string, message: string) => ({ type: 'error', error: { type, message }, request_id: 'req_1' })

  test('a busy service is waited for as long as it asks', async () => {
    const one = await start('anthropic', ({ number }) =>
      number === 0
        ? { status: 429, headers: { 'retry-after': '7' }, json: anthropicError('rate_limit_error', 'slow down') }
        : number === 1
          ? { status: 529, json: anthropicError('overloaded_error', 'Overloaded') }
          : { json: services.anthropic.reply('2') },
    )
    expect((await one.ask()).text).toBe('2')
    expect(one.waits.filter((wait) => wait.for === 'retry').map(({ milliseconds }) => milliseconds)).toEqual([7500, expect.any(Number)])
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }]
    const other = await start('google', ({ number }) =>
      number === 0
        ? { status: 429, json: { error: { code: 429, message: 'quota', status: 'RESOURCE_EXHAUSTED', details } } }
        : { json: services.google.reply('2') },
    )
    expect((await other.ask()).text).toBe('2')
    expect(other.waits.find((wait) => wait.for === 'retry')?.milliseconds).toBe(7500)
  })

  test('wrong keys, missing credit and unknown models end the run, with advice; the key is not shown', async () => {
    const models = { json: { models: [{ name: 'models/gemini-2.5-flash' }] } }
    const bad = { error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } }
    const one = await start('google', () => ({ status: 400, json: bad }))
    expect(await errorOf(one.ask())).toMatchObject({ code: 'unauthorized', fix: expect.stringContaining('GEMINI_API_KEY') })
    const gone = { error: { code: 404, message: 'models/x is not found for API version v1beta', status: 'NOT_FOUND' } }
    const two = await start('google', ({ method }) => (method === 'GET' ? models : { status: 404, json: gone }))
    expect(await errorOf(two.ask())).toMatchObject({ code: 'no-such-model', fix: 'set path to one that it has: gemini-2.5-flash' })
    const poor = anthropicError('invalid_request_error', `Your credit balance is too low (${key})`)
    const three = await start('anthropic', () => ({ status: 400, json: poor }))
    const { code, message } = await errorOf(three.ask())
    expect([code, message.includes(key)]).toEqual(['unauthorized', false])
  })

  test('a sampling field that a model refuses is left out, with a note', async () => {
    const { ask, bodies } = await start('anthropic', ({ body }) =>
      'temperature' in JSON.parse(body)
        ? { status: 400, json: anthropicError('invalid_request_error', '`temperature` is deprecated for this model.') }
        : { json: services.anthropic.reply('2') },
    )
    expect((await ask()).notes).toMatchObject([{ code: 'adapted-request', text: expect.stringContaining('refuses temperature') }])
    expect(bodies()).toHaveLength(2)
  })
})

test('a reply that is nested too deeply is a bad reply', () => {
  const deep = `${'['.repeat(1500)}${']'.repeat(1500)}`
  const anthropic = `{"content":[{"type":"tool_use","id":"1","name":"f","input":{"x":${deep}}}],"stop_reason":"tool_use"}`
  expect(() => anthropicReader({ keep: () => undefined } as never).whole(anthropic)).toThrow(BadReply)
  const google = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"x":${deep}}}}]}}]}`
  expect(() => googleReader({ keep: () => undefined } as never).whole(google)).toThrow(BadReply)
})
