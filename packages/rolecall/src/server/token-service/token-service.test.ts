import { existsSync, readFileSync } from 'node:fs'
import { decodeTokens } from '@rolecall/core/internal/tokenizer'
import { describe, expect, test } from 'vitest'
import { loadEmbedded } from '../../node/models/load-embedded.ts'
import { createApp } from '../create-app.ts'

type Call = { id?: string; function?: { name?: string; arguments?: string } }
type Message = { role?: string; content?: string; tool_calls?: Call[] }
type Choice = {
  index: number
  token_ids: number[]
  finish_reason: string | null
  message?: Message
  delta?: Message
  logprobs: unknown
  problems?: string[]
}
/** Of all answers. */
type Json = {
  request_id?: string
  token_ids?: number[]
  token_offsets?: [number, number][]
  ids?: number[]
  sampling_params?: object
  choices?: Choice[]
  usage?: { completion_tokens: number }
  chunk?: { choices: Choice[] }
  stream_state?: object
  departures?: object[]
  assistant_tokens_mask?: number[] | null
}

type Config = Parameters<typeof createApp>[0]['models'][number]['config']

async function server(name = 'tiny', config: Config = { format: 'internlm2' }) {
  const model = await loadEmbedded()
  const app = createApp({ models: [{ name, model, config }] })
  const post = async (path: string, body: object | string, headers = {}) => {
    const sent = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await app.request(path, { method: 'POST', body: sent, headers })
    const text = await response.text()
    return { status: response.status, text, json: (response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}) as Json }
  }
  return { post, tokenizer: model.tokenizer, model }
}

const messages = [{ role: 'user', content: '12 + 34 = ?' }]

test('render, generate and derender together answer like the chat endpoint', async () => {
  const { post } = await server()
  const request = { messages, temperature: 0, max_tokens: 8 }
  const rendered = await post('/v1/chat/completions/render', request)
  expect(rendered.json).toMatchObject({
    model: 'tiny',
    stream: false,
    token_offsets: null,
    features: null,
    sampling_params: { temperature: 0, max_tokens: 8, stop: [], bad_words: [], output_kind: 2 },
  })
  expect(rendered.json.request_id).toMatch(/^chatcmpl-/)
  expect(rendered.json.token_ids).toEqual((await post('/v1/render', { messages })).json.ids)
  // What render answers is the body of generate, unchanged.
  const generated = await post('/inference/v1/generate', rendered.text)
  expect(generated.json).toMatchObject({
    request_id: expect.stringMatching(/^generate-tokens-chatcmpl-/),
    choices: [{ index: 0, finish_reason: 'stop' }],
  })
  const derendered = await post('/v1/chat/completions/derender', {
    generate_response: generated.json,
    prompt_tokens: rendered.json.token_ids?.length,
    chat_request: request,
  })
  const chat = await post('/v1/chat/completions', request)
  expect(derendered.json.choices?.[0]).toMatchObject({ message: { role: 'assistant', content: '46' }, finish_reason: 'stop' })
  expect(derendered.json.choices?.[0]?.message?.content).toBe(chat.json.choices?.[0]?.message?.content)
  // Engines count the token that ended the turn.
  expect(derendered.json.usage).toMatchObject({
    prompt_tokens: rendered.json.token_ids?.length,
    completion_tokens: (chat.json.usage?.completion_tokens ?? 0) + 1,
  })
})

test('the stream of an engine is derendered chunk by chunk, calls with their arguments', async () => {
  const { post, tokenizer } = await server()
  const mark = (token: string) => tokenizer?.idOf(token) ?? Number.NaN
  const ids = (text: string) => tokenizer?.encodeRun(text, false, () => false).ids ?? []
  const call = '\n{"name": "get_weather", "parameters": {"city": "Paris"}}'
  const reply = [
    ...ids('Let me look.'),
    mark('<|action_start|>'),
    mark('<|plugin|>'),
    ...ids(call),
    mark('<|action_end|>'),
    mark('<|im_end|>'),
  ]
  const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: { city: {} } } } }]
  const chat_request = { messages, tools }
  let state: object | undefined
  const deltas: Choice[] = []
  for (const [index, id] of reply.entries()) {
    const isLast = index === reply.length - 1
    const generate_chunk = { request_id: 'r', choices: [{ index: 0, token_ids: [id], finish_reason: isLast ? 'stop' : null }] }
    const { json, status } = await post('/v1/chat/completions/derender', {
      stream: true,
      generate_chunk,
      stream_state: state,
      chat_request,
    })
    expect(status).toBe(200)
    state = json.stream_state
    deltas.push(...(json.chunk?.choices ?? []))
  }
  const joined = (pick: (delta: Message) => unknown) => deltas.map(({ delta }) => pick(delta ?? {}) ?? '').join('')
  expect(deltas.filter(({ delta }) => delta?.role !== undefined)).toHaveLength(1)
  expect(joined(({ content }) => content)).toBe('Let me look.')
  expect(joined(({ tool_calls: calls }) => calls?.[0]?.function?.name)).toBe('get_weather')
  expect(joined(({ tool_calls: calls }) => calls?.[0]?.function?.arguments)).toBe('{"city": "Paris"}')
  expect(new Set(deltas.flatMap(({ delta }) => delta?.tool_calls?.flatMap(({ id }) => id ?? []) ?? [])).size).toBe(1)
  expect(deltas.at(-1)?.finish_reason).toBe('tool_calls')
  // The whole answer is the same.
  const generate_response = { request_id: 'r', choices: [{ index: 0, token_ids: reply, finish_reason: 'stop' }] }
  const whole = await post('/v1/chat/completions/derender', { generate_response, chat_request })
  expect(whole.json.choices?.[0]?.message).toMatchObject({
    content: 'Let me look.',
    tool_calls: [{ function: { arguments: '{"city": "Paris"}' } }],
  })
})

async function derenderInChunks(post: Awaited<ReturnType<typeof server>>['post'], pieces: readonly number[][], chat_request?: object) {
  let stream_state: object | undefined
  const choices: Choice[] = []
  for (const [index, token_ids] of pieces.entries()) {
    const finish_reason = index === pieces.length - 1 ? 'stop' : null
    const generate_chunk = { request_id: 'r', choices: [{ index: 0, token_ids, finish_reason }] }
    const { json } = await post('/v1/chat/completions/derender', { stream: true, generate_chunk, stream_state, chat_request })
    stream_state = json.stream_state
    choices.push(...(json.chunk?.choices ?? []))
  }
  return { choices, content: choices.map(({ delta }) => delta?.content ?? '').join('') }
}

const weather = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: { city: {} } } } }]

describe('derendered chunks', () => {
  test('without the request, each chunk adds its text, and a character comes with its last byte', async () => {
    const { post, tokenizer } = await server()
    const ids = tokenizer?.encodeRun('Hello 🦉 there\uFFFD!', false, () => false).ids ?? []
    const { choices, content } = await derenderInChunks(
      post,
      ids.map((id) => [id]),
    )
    expect(content).toBe('Hello 🦉 there\uFFFD!')
    expect(choices.filter(({ delta }) => (delta?.content ?? '') !== '').length).toBeGreaterThan(2)
  })

  test('a malformed call is text, whole and in chunks, and its problem is named once', async () => {
    const { post, tokenizer } = await server()
    const mark = (token: string) => tokenizer?.idOf(token) ?? Number.NaN
    const ids = (text: string) => tokenizer?.encodeRun(text, false, () => false).ids ?? []
    const broken = '\n{"name" "get_weather"}'
    const reply = [
      ...ids('Wait.'),
      mark('<|action_start|>'),
      mark('<|plugin|>'),
      ...ids(broken),
      mark('<|action_end|>'),
      mark('<|im_end|>'),
    ]
    const chat_request = { messages, tools: weather }
    const generate_response = { request_id: 'r', choices: [{ index: 0, token_ids: reply, finish_reason: 'stop' }] }
    const whole = (await post('/v1/chat/completions/derender', { generate_response, chat_request })).json.choices?.[0]
    expect(whole?.message?.content).toBe(`Wait.<|action_start|><|plugin|>${broken}<|action_end|>`)
    expect(whole?.problems).toHaveLength(1)
    const pieces = reply.map((id) => [id])
    const { choices, content } = await derenderInChunks(post, pieces, chat_request)
    expect(content).toBe(whole?.message?.content)
    expect(choices.flatMap(({ problems = [] }) => problems)).toEqual(whole?.problems)
  })

  test('the pieces of a call in one chunk are one entry', async () => {
    const { post, tokenizer } = await server()
    const mark = (token: string) => tokenizer?.idOf(token) ?? Number.NaN
    const call = tokenizer?.encodeRun('\n{"name": "get_weather", "parameters": {"city": "Paris"}}', false, () => false).ids ?? []
    const reply = [mark('<|action_start|>'), mark('<|plugin|>'), ...call, mark('<|action_end|>'), mark('<|im_end|>')]
    const { choices } = await derenderInChunks(post, [reply], { messages, tools: weather })
    expect(choices[0]?.delta?.tool_calls).toMatchObject([{ index: 0, function: { name: 'get_weather', arguments: '{"city": "Paris"}' } }])
    expect(choices[0]?.delta?.tool_calls).toHaveLength(1)
  })
})

test('generate streams each id once, with its log-probability', async () => {
  const { post } = await server()
  const { json: rendered } = await post('/v1/chat/completions/render', { messages, temperature: 0, max_tokens: 8 })
  const whole = await post('/inference/v1/generate', rendered)
  const options = { stream: true, stream_options: { include_usage: true } }
  const streamed = await post('/inference/v1/generate', {
    ...rendered,
    ...options,
    sampling_params: { ...rendered.sampling_params, logprobs: 1 },
  })
  const lines = streamed.text.trimEnd().split('\n\n')
  expect(lines.at(-1)).toBe('data: [DONE]')
  const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.slice('data: '.length)) as Json)
  const choices = chunks.flatMap(({ choices }) => choices ?? [])
  expect(choices.flatMap(({ token_ids: ids }) => ids)).toEqual(whole.json.choices?.[0]?.token_ids)
  expect(choices[0]?.logprobs).toMatchObject({ content: [{ token: `token_id:${choices[0]?.token_ids?.[0]}`, bytes: null }] })
  expect(choices.map(({ finish_reason: finish }) => finish).filter(Boolean)).toEqual(['stop'])
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: rendered.token_ids?.length } })
})

test('the ids of a sampled reply are kept, however its text would be encoded', async () => {
  const { post, tokenizer } = await server()
  const { json: first } = await post('/v1/chat/completions/render', { messages })
  const letters = [...'46'].flatMap((digit) => tokenizer?.encodeRun(digit, false, () => false).ids ?? [])
  const previous = { token_ids: first.token_ids, completion_token_ids: letters }
  const chat = [...messages, { role: 'assistant', content: '46' }, { role: 'user', content: 'Sure?' }]
  const { json } = await post('/v1/chat/completions/render', { messages: chat, previous })
  const kept = [...(first.token_ids ?? []), ...letters]
  expect(json.token_ids?.slice(0, kept.length)).toEqual(kept)
  expect(json.departures).toEqual([])
  expect((await post('/v1/chat/completions/render', { messages, previous })).status).toBe(400)
})

const thinking = {
  chat_template:
    '{% for m in messages %}<|im_start|>{{ m.role }}\n{% if enable_thinking is defined and not enable_thinking %}/no_think {% endif %}{% if m.role == "assistant" %}{% generation %}{{ m.content }}<|im_end|>{% endgeneration %}{% else %}{{ m.content }}<|im_end|>{% endif %}\n{% endfor %}{% if tools %}<tools>{% endif %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}',
}

describe('a render that goes on from previous ids', () => {
  const chat = [...messages, { role: 'assistant', content: '46' }, { role: 'user', content: 'Sure?' }]
  const goOn = async (more: object, config?: Config) => {
    const { post, tokenizer, model } = await server('tiny', config)
    const settings = Object.fromEntries(Object.entries(more).filter(([key]) => key !== 'previous'))
    const { json: first } = await post('/v1/chat/completions/render', { messages, ...settings })
    const reply = tokenizer?.encodeRun('46', false, () => false).ids ?? []
    const previous = { token_ids: first.token_ids, completion_token_ids: reply }
    const answer = await post('/v1/chat/completions/render', { messages: chat, previous, ...more })
    return { ...answer, text: tokenizer ? decodeTokens(answer.json.token_ids ?? [], tokenizer) : '', body: answer.text, model, reply }
  }

  test('renders what follows with the variables and tools of the request', async () => {
    const { json, text } = await goOn({ chat_template_kwargs: { enable_thinking: false } }, thinking)
    expect(json.departures).toMatchObject([{ path: 'messages[1]', now: '/no_think 46<|im_end|>' }])
    expect(text).toContain('user\n/no_think Sure?')
    const effort = await goOn({ reasoning_effort: 'none' }, thinking)
    expect(effort.text).toContain('user\n/no_think Sure?')
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }]
    expect((await goOn({ tools, tool_choice: 'none' }, thinking)).text).not.toContain('<tools>')
  })

  test('counts the ids that are sent, and has no offsets for them', async () => {
    const { json, model } = await goOn({ return_token_offsets: true })
    const { max_tokens: most } = json.sampling_params as { max_tokens: number }
    expect(most).toBe((model.context ?? Number.NaN) - (json.token_ids?.length ?? 0))
    expect(json.token_offsets).toBeNull()
  })

  test.each([
    ['ids that the model lacks', { previous: { token_ids: [9e6], completion_token_ids: [1] } }, 'previous.token_ids'],
    ['sampled ids that it lacks', { previous: { token_ids: [1], completion_token_ids: [9e6] } }, 'previous.completion_token_ids'],
    ['ids beyond the context', { previous: { token_ids: Array.from({ length: 8190 }, () => 5), completion_token_ids: [5] } }, 'context'],
    ['a prompt without a reply to come', { add_generation_prompt: false }, 'add_generation_prompt'],
    ['a message that is continued', { continue_final_message: true, messages: chat.slice(0, 2) }, 'continue_final_message'],
    ['a forced call', { tool_choice: 'required', tools: weather }, 'tool_choice'],
  ])('refuses %s', async (_, more, words) => {
    const { status, body } = await goOn(more)
    expect({ status, body }).toEqual({ status: 400, body: expect.stringContaining(words) })
  })
})

test('the mask of the assistant follows the variables of the request', async () => {
  const { post, tokenizer } = await server('tiny', thinking)
  const chat = [...messages, { role: 'assistant', content: '46' }, { role: 'user', content: 'Sure?' }]
  const body = { messages: chat, return_assistant_tokens_mask: true }
  const trained = async (more: object) => {
    const { json } = await post('/v1/chat/completions/render', { ...body, ...more })
    const ids = json.token_ids?.filter((_, index) => json.assistant_tokens_mask?.[index] === 1) ?? []
    return tokenizer ? decodeTokens(ids, tokenizer) : ''
  }
  expect(await trained({})).toBe('46<|im_end|>')
  const quiet = { chat_template_kwargs: { enable_thinking: false } }
  expect(await trained(quiet)).toBe('/no_think 46<|im_end|>')
  expect(await trained({ ...quiet, add_generation_prompt: false })).toBe('/no_think 46<|im_end|>')
})

test('the stops of the format reach the engine: special tokens as ids, other texts as texts', async () => {
  const conv_template = {
    name: 'two-stops',
    system_template: '{system_message}',
    system_message: '',
    roles: { user: 'User', assistant: 'Assistant' },
    role_templates: { user: '{user_message}', assistant: '{assistant_message}' },
    messages: [],
    seps: ['<|im_end|>'],
    role_content_sep: ': ',
    role_empty_sep: ':',
    stop_str: ['<|im_end|>', 'User:'],
    stop_token_ids: [],
  }
  const { post, tokenizer } = await server('tiny', { conv_template })
  const { json } = await post('/v1/chat/completions/render', { messages, stop: ['END'] })
  expect(json.sampling_params).toMatchObject({ stop: ['END', 'User:'], stop_token_ids: [tokenizer?.idOf('<|im_end|>')] })
})

test('offsets count code points, as Python does', async () => {
  const { post } = await server()
  const { json } = await post('/v1/completions/render', { prompt: '🦉🦉 a', return_token_offsets: true })
  expect((json as Json[])[0]?.token_offsets?.at(-1)).toEqual([2, 4])
})

test.each([
  [
    'a conversation longer than the context',
    '/v1/chat/completions/render',
    { messages: [{ role: 'user', content: 'word '.repeat(9000) }] },
    400,
    'context',
  ],
  ['the template of a request', '/v1/chat/completions/render', { messages, chat_template: 'x' }, 400, 'not trusted'],
  [
    'ids that the model lacks',
    '/v1/chat/completions/derender',
    { generate_response: { request_id: 'r', choices: [{ index: 0, token_ids: [9e6] }] } },
    400,
    '9000000',
  ],
  [
    'a state of somebody else',
    '/v1/chat/completions/derender',
    { stream: true, generate_chunk: { request_id: 'r', choices: [] }, stream_state: { ids: [-1], call_ids: [], role_sent: true } },
    400,
    'stream_state.ids',
  ],
  ['features', '/inference/v1/generate', { token_ids: [1], sampling_params: {}, features: { mm_hashes: {} } }, 400, 'features'],
  ['no ids', '/inference/v1/generate', { token_ids: [], sampling_params: {} }, 400, 'token_ids'],
])('%s is refused', async (_, path, body, status, words) => {
  const { post } = await server()
  const answer = await post(path, body)
  expect({ status: answer.status, text: answer.text }).toEqual({ status, text: expect.stringContaining(words) })
})

const fixtures = new URL('../../../../../../shared/notes/token-exact/', import.meta.url)

describe.skipIf(!existsSync(fixtures))("requests of vLLM's own tests (needs ../shared)", () => {
  type Case = {
    name: string
    path: string
    request: Record<string, unknown>
    needs?: string
    server?: string
    headers?: object
    expect: Expected
  }
  type Expected = {
    status: number
    equals?: Record<string, unknown>
    has?: string[]
    absent?: string[]
    length?: number
    sameLength?: [string, string][]
  }
  const casesIn = (file: string) => (JSON.parse(readFileSync(new URL(file, fixtures), 'utf8')) as { model: string; cases: Case[] }).cases
  const name = 'hmellor/tiny-random-LlamaForCausalLM'
  const at = (value: unknown, path: string): unknown =>
    path
      .replaceAll(/\[(\d+)\]/g, '.$1')
      .split('.')
      .filter(Boolean)
      .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)
  // Templates of requests are not trusted, headers of Rust's server are not read, and its models have other names.
  const supported = ({ needs, server: flags, request, headers }: Case) =>
    needs === undefined && flags === undefined && headers === undefined && request !== undefined && request.model !== 'render-model'

  test.each(
    ['vllm-render.json', 'vllm-derender.json'].flatMap((file) =>
      casesIn(file)
        .filter(supported)
        .map((one) => [`${file}: ${one.name}`, one] as const),
    ),
  )('%s', async (_, { path, request, expect: expected }) => {
    const { post } = await server(name)
    const { json: rendered } = await post('/v1/chat/completions/render', { messages })
    const body = JSON.parse(JSON.stringify(request).replaceAll('"IDS"', JSON.stringify(rendered.token_ids))) as object
    const { status, json } = await post(path, body)
    expect(status, JSON.stringify(json)).toBe(expected.status)
    for (const [where, value] of Object.entries(expected.equals ?? {})) expect(at(json, where), where).toEqual(value)
    for (const where of expected.has ?? []) expect(at(json, where), where).toBeDefined()
    for (const where of expected.absent ?? []) expect(at(json, where), where).toBeUndefined()
    for (const [one, other] of expected.sameLength ?? [])
      expect((at(json, one) as unknown[]).length).toBe((at(json, other) as unknown[]).length)
    if (expected.length !== undefined) expect(json).toHaveLength(expected.length)
  })
})
