import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Scripted, type ScriptedServer, type Seen, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import { control, plain } from '../../../../core/src/base/text/index.ts'
import type { Prompt } from '../../../../core/src/prompt/format/format.ts'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { nodeClient } from '../../node/models/node-client.ts'
import type { LanguageModel } from '../language-model/language-model.ts'
import { fetchClient } from './http/fetch-client.ts'
import type { Wait } from './http/wait.ts'
import { systemClock } from './http/wait.ts'
import { openaiApi } from './openai-api.ts'
import { readSettings } from './openai-settings.ts'
import { serverModel } from './server-model.ts'

const opened: { close?(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close?.()
})

async function server(answer: (seen: Seen) => Scripted): Promise<ScriptedServer> {
  const started = await scriptedServer(answer)
  opened.push(started)
  return started
}

const key = 'sk-secret-1234567890'

/** A model whose waits take no time. */
function modelAt(
  url: string,
  config: Partial<ModelConfig> = {},
  { waits = [] as Wait[], real = false, by = 'undici' } = {},
): LanguageModel {
  const settings = readSettings({ abbr: 'm', path: 'the-model', base_url: url, retries: 3, ...config }, { OPENAI_API_KEY: key }, openaiApi)
  const { client, close } = nodeClient({ connections: settings.concurrency, environment: {} })
  let skipped = 0
  const sleep = async (milliseconds: number) => {
    skipped += milliseconds
  }
  const clock = real ? systemClock : { now: () => Date.now() + skipped, sleep }
  const model = serverModel({
    api: openaiApi,
    settings,
    client: by === 'fetch' ? fetchClient() : client,
    close,
    clock,
    random: () => 0.5,
    onWait: (wait) => waits.push(wait),
  })
  opened.unshift(model)
  return model
}

const source = { by: 'template', path: 'test' } as const
const asked: Prompt = { kind: 'chat', messages: [{ role: 'user', content: [plain('1+1=?', source)] }], stop: [], notes: [] }
const textAsked: Prompt = { kind: 'completion', pieces: [control('Q: 1+1=?\nA:', source)], bos: 'tokenizer', stop: [], notes: [] }
const chatReply = (content: string, more: object = {}) => ({
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop', ...more }],
  usage: { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
})
const delta = (content: string, finish: string | null = null) => ({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })
const error = async (promise: Promise<unknown>) => {
  const caught = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(caught).toBeInstanceOf(PromptError)
  return caught as PromptError
}

describe('requests', () => {
  test('the query of base_url follows every path', async () => {
    const { url, seen } = await server(({ method }) => (method === 'GET' ? { json: { data: [] } } : { status: 404, json: { error: 'no' } }))
    await error(modelAt(`${url}?api-version=1`).generate(asked, { maxTokens: 5 }))
    expect(seen.map(({ path }) => path)).toEqual(['/v1/chat/completions?api-version=1', '/v1/models?api-version=1'])
  })

  test('messages, with the length, the temperature and the stops; the key is a header', async () => {
    const { url, seen } = await server(() => ({ json: chatReply('2') }))
    const reply = await modelAt(url).generate(asked, { maxTokens: 5, stopTexts: ['\n'] })
    expect(reply).toMatchObject({ text: '2', finish: 'stop', tokens: { prompt: 9, reused: 4, reply: 2 } })
    expect(seen[0]).toMatchObject({ method: 'POST', path: '/v1/chat/completions', headers: { authorization: `Bearer ${key}` } })
    expect(JSON.parse(seen[0]!.body)).toEqual({
      model: 'the-model',
      messages: [{ role: 'user', content: '1+1=?' }],
      max_tokens: 5,
      temperature: 0,
      stop: ['\n'],
    })
  })

  test('sampling by the names of the API and of vLLM, and only what is set', async () => {
    const { url, seen } = await server(() => ({ json: { choices: [{ text: ' 2', finish_reason: 'length' }] } }))
    const sampling = {
      temperature: 0.5,
      topK: 40,
      topP: 0.9,
      minP: 0,
      repetitionPenalty: 1.1,
      presencePenalty: 0.2,
      frequencyPenalty: 0.3,
      seed: 7,
    }
    const reply = await modelAt(url).generate(textAsked, { maxTokens: 5, minTokens: 2, sampling })
    expect(reply).toMatchObject({ text: ' 2', finish: 'length' })
    expect(seen[0]!.path).toBe('/v1/completions')
    expect(JSON.parse(seen[0]!.body)).toEqual({
      model: 'the-model',
      prompt: 'Q: 1+1=?\nA:',
      max_tokens: 5,
      min_tokens: 2,
      temperature: 0.5,
      top_k: 40,
      top_p: 0.9,
      min_p: 0,
      repetition_penalty: 1.1,
      presence_penalty: 0.2,
      frequency_penalty: 0.3,
      seed: 7,
    })
  })

  test('extra_body and generation_body win, null removes a field, headers may come from the environment', async () => {
    const { url, seen } = await server(() => ({ json: chatReply('2') }))
    const settings = readSettings(
      {
        path: 'm',
        base_url: url,
        headers: { 'Api-Key': '$OTHER', 'x-team': 'evals' },
        extra_body: { temperature: null, max_tokens: 9 },
        generation_body: { top_k: 1 },
      },
      { OTHER: 'hidden' },
      openaiApi,
    )
    const { client, close } = nodeClient({ environment: {} })
    opened.unshift({ close })
    await serverModel({ api: openaiApi, settings, client }).generate(asked, { maxTokens: 5 })
    expect(JSON.parse(seen[0]!.body)).toEqual({ model: 'm', messages: expect.anything(), max_tokens: 9, top_k: 1 })
    expect(seen[0]!.headers).toMatchObject({ 'api-key': 'hidden', 'x-team': 'evals' })
    expect(seen[0]!.headers.authorization).toBeUndefined()
  })

  test('the token limit under the name that newer models require, once they say so', async () => {
    const { url, seen } = await server(({ body }) =>
      'max_tokens' in JSON.parse(body)
        ? {
            status: 400,
            json: { error: { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", param: 'max_tokens' } },
          }
        : { json: chatReply('2') },
    )
    const model = modelAt(url)
    for (const _ of [1, 2]) expect((await model.generate(asked, { maxTokens: 5 })).text).toBe('2')
    expect(seen.map(({ body }) => JSON.parse(body).max_completion_tokens)).toEqual([undefined, 5, 5])
    // Requests in flight together are all refused, and all adapt.
    const many = modelAt(url)
    const replies = await Promise.all(Array.from({ length: 8 }, () => many.generate(asked, { maxTokens: 5 })))
    expect(replies.map(({ text }) => text)).toEqual(Array(8).fill('2'))
  })

  test.each([
    ["Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.", 'temperature'],
    ["Unsupported parameter: 'top_p' is not supported with this model.", 'top_p'],
    ['Unrecognized request argument supplied: top_k', 'top_k'],
    ["Unsupported parameter: 'stop' is not supported with this model.", 'stop'],
    ['`temperature` may only be set to 1 when thinking is enabled.', 'temperature'],
  ])('no field that a model refuses, from the first refusal on, with a note: %s', async (message, field) => {
    const { url, seen } = await server(({ body }) =>
      field in JSON.parse(body) ? { status: 400, json: { error: { message, param: field } } } : { json: chatReply('2') },
    )
    const model = modelAt(url)
    const options = { maxTokens: 5, sampling: { topP: 0.9, topK: 40 }, stopTexts: ['\n\n'] }
    for (const _ of [1, 2])
      expect(await model.generate(asked, options)).toMatchObject({
        text: '2',
        notes: expect.arrayContaining([
          expect.objectContaining({ code: 'adapted-request', text: expect.stringContaining(`refuses ${field}`) }),
        ]),
      })
    expect(seen.map(({ body }) => field in JSON.parse(body))).toEqual([true, false, false])
  })

  test('a refused value is an error: the field is kept', async () => {
    const { url, seen } = await server(() => ({ status: 400, json: { error: { message: 'temperature must be between 0 and 2' } } }))
    await expect(modelAt(url).generate(asked, { maxTokens: 5 })).rejects.toThrow('temperature must be between 0 and 2')
    expect(seen).toHaveLength(1)
  })

  test('no stream_options to a server that does not know them', async () => {
    const { url, seen } = await server(({ body }) =>
      'stream_options' in JSON.parse(body)
        ? { status: 422, json: { detail: 'Extra inputs are not permitted: stream_options' } }
        : { events: [delta('2'), '[DONE]'] },
    )
    const model = modelAt(url, { stream: true })
    for (const _ of [1, 2]) expect((await model.generate(asked, { maxTokens: 5 })).text).toBe('2')
    expect(seen.length).toBe(3)
  })

  test('prompts that an endpoint does not support are refused before they are sent', async () => {
    const model = modelAt('http://127.0.0.1:1/v1', { endpoint: 'completions' })
    expect(await error(model.generate(asked, { maxTokens: 5 }))).toMatchObject({ code: 'wrong-kind' })
    const ids: Prompt = { ...textAsked, pieces: [{ ids: [5], source }] } as Prompt
    expect(await error(modelAt('http://127.0.0.1:1/v1').generate(ids, { maxTokens: 5 }))).toMatchObject({ code: 'ids-in-text' })
  })
})

describe('replies', () => {
  test('without the stops of the format, if the config leaves them to the server', async () => {
    const { url, seen } = await server(() => ({ json: { choices: [{ text: ' 2', finish_reason: 'stop' }] } }))
    const prompt: Prompt = { ...textAsked, stop: [{ text: '<|end|>', source }] }
    for (const config of [{}, { send_format_stops: false }])
      await modelAt(url, config).generate(prompt, { maxTokens: 5, stopTexts: ['\n'] })
    expect(seen.map(({ body }) => JSON.parse(body).stop)).toEqual([['<|end|>', '\n'], ['\n']])
  })

  test('end before a stop, whether the server cut it or not', async () => {
    const { url } = await server(() => ({ json: { choices: [{ text: ' 2\nQ: 2+2=?', finish_reason: 'length' }] } }))
    expect(await modelAt(url).generate(textAsked, { maxTokens: 5, stopTexts: ['\nQ:'] })).toMatchObject({ text: ' 2', finish: 'stop' })
  })

  test('separate reasoning and calls, whole or streamed', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at": 1}' } }
    const whole = { content: null, reasoning_content: 'Hm.', tool_calls: [call] }
    const parts = [
      { choices: [{ delta: { reasoning_content: 'H' } }] },
      { choices: [{ delta: { reasoning_content: 'm.' } }] },
      { choices: [{ delta: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'look', arguments: '{"at"' } }] } }] },
      { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: ': 1}' } }] }, finish_reason: 'tool_calls' }] },
      '[DONE]',
    ]
    const { url } = await server(({ body }) =>
      JSON.parse(body).stream ? { events: parts } : { json: { choices: [{ message: whole, finish_reason: 'tool_calls' }] } },
    )
    const read = { kind: 'call', id: 'c1', name: 'look', arguments: { at: 1 }, argumentsText: '{"at": 1}' }
    const expected = { text: '', reasoning: 'Hm.', calls: [read], finish: 'stop' }
    expect(await modelAt(url).generate(asked, { maxTokens: 5 })).toMatchObject(expected)
    expect(await modelAt(url, { stream: true }).generate(asked, { maxTokens: 5 })).toMatchObject(expected)
  })

  test('keep malformed calls', async () => {
    const calls = [
      { function: { name: 'look', arguments: '{"at": ' } },
      { function: { arguments: '{}' } },
      { function: { name: 'look', arguments: '1' } },
    ]
    const { url } = await server(() => ({ json: { choices: [{ message: { content: 'Hm.', tool_calls: calls } }] } }))
    expect(await modelAt(url).generate(asked, { maxTokens: 5 })).toMatchObject({
      text: 'Hm.',
      calls: [
        { kind: 'malformed', error: 'malformed', raw: '{"at": ', name: 'look' },
        { kind: 'malformed', error: 'no-name' },
        { kind: 'malformed', problem: 'the arguments are not a JSON object' },
      ],
    })
  })

  test('carry the ids and log-probabilities that a server returns', async () => {
    const choice = { text: ' 2', finish_reason: 'stop', token_ids: [5, 6], logprobs: { tokens: [' ', '2'], token_logprobs: [-1, -2] } }
    const { url } = await server(() => ({ json: { choices: [choice] } }))
    expect(await modelAt(url).generate(textAsked, { maxTokens: 5 })).toMatchObject({
      ids: [5, 6],
      logProbabilities: [-1, -2],
      tokens: { reply: 2 },
    })
  })

  for (const by of ['undici', 'fetch']) {
    test(`are streamed, by ${by}; a stop ends the stream and closes its connection`, async () => {
      let closed = false
      const { url } = await server(({ number }) => (response) => {
        response.on('close', () => (closed = true))
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const write = (text: string) => response.write(`data: ${JSON.stringify(delta(text))}\r\n\r\n`)
        write('à')
        write(' b#')
        setTimeout(() => write('# c'), 20)
        if (number > 0) setTimeout(() => response.end(`data: ${JSON.stringify(delta('', 'stop'))}\n\n: done\n\ndata: [DONE]\n\n`), 40)
      })
      const texts: string[] = []
      const model = modelAt(url, {}, { by })
      const onText = (text: string) => texts.push(text)
      expect(await model.generate(asked, { maxTokens: 5, stopTexts: ['##'], onText })).toMatchObject({ text: 'à b', finish: 'stop' })
      expect(texts).toEqual(['à', ' b'])
      await expect.poll(() => closed).toBe(true)
      expect(await model.generate(asked, { maxTokens: 5, onText })).toMatchObject({ text: 'à b## c' })
    })

    test(`are given up when the signal comes, by ${by}: the connection closes, and what was said is kept`, async () => {
      let closed = false
      const { url } = await server(() => (response) => {
        response.on('close', () => (closed = true))
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(`data: ${JSON.stringify(delta('Well'))}\n\n`)
      })
      const stop = new AbortController()
      const reply = modelAt(url, {}, { by }).generate(asked, { maxTokens: 5, signal: stop.signal, onText: () => stop.abort() })
      expect(await reply).toMatchObject({ text: 'Well', finish: 'aborted' })
      await expect.poll(() => closed).toBe(true)
    })
  }
})

describe('garbage is never an answer', () => {
  const message = (content: unknown, more: object = {}) => [{ message: content, finish_reason: 'stop', ...more }]
  const garbage: [choices: unknown, problem: string][] = [
    [[{}], 'neither text nor tool calls: its content is null or missing, and finish_reason is null'],
    [['x'], 'choices[0] is "x"'],
    [[5], 'choices[0] is 5'],
    [[['x']], 'choices[0] is ["x"]'],
    [message(null), 'its content is null or missing, and finish_reason is "stop"'],
    [message('a text'), 'choices[0].message is "a text"'],
    [message(['a', 'list']), 'choices[0].message is ["a","list"]'],
    [message({}), 'its content is null or missing'],
    [message({ content: null }), 'its content is null or missing'],
    [message({ content: null, tool_calls: [] }), 'its content is null or missing'],
    [message({ content: 5 }), 'choices[0].message.content is 5'],
    [message({ content: { text: 'x' } }), 'choices[0].message.content is {"text":"x"}'],
    [message({ content: '' }, { finish_reason: null }), 'its content is "", and finish_reason is null'],
    [[{ error: { message: 'no capacity' } }], 'it answered with an error: {"message":"no capacity"}'],
    [message({ content: '', tool_calls: [null] }), 'choices[0].message.tool_calls[0] is null'],
    [message({ content: '', tool_calls: [5] }), 'choices[0].message.tool_calls[0] is 5'],
    [message({ content: '', tool_calls: [{}] }), 'choices[0].message.tool_calls[0] is {}'],
    [message({ content: '', tool_calls: {} }), 'choices[0].message.tool_calls is {}'],
    ['x', "is not of the API's shape"],
  ]
  test.each(garbage)('%j fails with its field and value, after retries', async (choices, problem) => {
    const { url, seen } = await server(() => ({ json: { choices } }))
    const thrown = await error(modelAt(url, { retries: 1 }).generate(asked, { maxTokens: 5 }))
    expect(thrown.message).toContain(problem)
    expect(seen.length).toBe(2)
  })

  const streams: [name: string, deltas: unknown[], problem: string][] = [
    [
      'no text at all',
      [{ delta: {} }, { delta: {}, finish_reason: 'stop' }],
      'its content is null or missing, and finish_reason is "stop"',
    ],
    ['only null', [{ delta: { content: null } }, { delta: {}, finish_reason: 'stop' }], 'its content is null or missing'],
    ['a text in place of a delta', [{ delta: 'x' }], 'choices[0].delta is "x"'],
    ['calls that are none', [{ delta: { tool_calls: [null] } }], 'choices[0].delta.tool_calls[0] is null'],
    ['an error in a choice', [{ error: { message: 'no capacity' } }], 'it answered with an error'],
  ]
  test.each(streams)('a stream with %s', async (_, choices, problem) => {
    const { url } = await server(() => ({ events: [...choices.map((choice) => ({ choices: [choice] })), '[DONE]'] }))
    expect((await error(modelAt(url, { retries: 0, stream: true }).generate(asked, { maxTokens: 5 }))).message).toContain(problem)
  })

  const empty: [choices: unknown][] = [
    [message({ content: '' })],
    [message({ content: null }, { finish_reason: 'length' })],
    [message({ content: null }, { finish_reason: 'content_filter' })],
    [message({ content: null, reasoning_content: 'Hm.' })],
    [message({ content: null, refusal: 'No.' })],
    [message({ content: null, tool_calls: [{ function: { name: 'f', arguments: '{' } }] })],
  ]
  test.each(empty)('%j is an answer', async (choices) => {
    const { url, seen } = await server(() => ({ json: { choices } }))
    await modelAt(url, { retries: 1 }).generate(asked, { maxTokens: 5 })
    expect(seen.length).toBe(1)
  })
})

describe('a failed request is retried', () => {
  const faults: Record<string, Scripted> = {
    'after 408': { status: 408, text: '' },
    'after 409': { status: 409, text: '' },
    'after 500': { status: 500, text: 'oops' },
    'after 503': { status: 503, text: '' },
    'after a body that is not JSON': { text: 'upstream error' },
    'after JSON that is no reply': { json: { object: 'list' } },
    'after a reply without an answer': { json: { id: 'x', choices: [] } },
    'after a stream without an answer': { events: [{ choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } }, '[DONE]'] },
    'after an error in place of a reply': { json: { error: { message: 'overloaded' } } },
    'after a stream that was cut': { events: [delta('1')], isCut: true },
    'after a stream that ends in the middle': { events: [delta('1')] },
    'after a broken connection': (response) => void response.socket?.destroy(),
    'after a reply that was cut': (response) => {
      response.writeHead(200, { 'content-length': '1000', 'content-type': 'application/json' })
      response.write('{"choices":')
      setTimeout(() => response.destroy(), 10)
    },
    'after a server that gave up': { json: chatReply('1', { finish_reason: 'abort' }) },
  }
  for (const [name, fault] of Object.entries(faults)) {
    test(name, async () => {
      const { url, seen } = await server(({ number }) => (number < 2 ? fault : { json: chatReply('2') }))
      const waits: Wait[] = []
      expect((await modelAt(url, {}, { waits }).generate(asked, { maxTokens: 5 })).text).toBe('2')
      expect(seen.length).toBe(3)
      expect(new Set(seen.map(({ body }) => body)).size).toBe(1)
      expect(waits).toMatchObject([
        { for: 'retry', reason: expect.stringMatching(/^retry 1 of 3 \(./), milliseconds: 500 },
        { for: 'retry', reason: expect.stringMatching(/^retry 2 of 3 \(./), milliseconds: 1000 },
      ])
    })
  }

  test('immediately, the first time, after a stale connection', async () => {
    const gone: Scripted = (response) => void response.socket?.destroy()
    const { url, seen } = await server(({ number }) => ([1, 3, 4].includes(number) ? gone : { json: chatReply('2') }))
    const waits: Wait[] = []
    const model = modelAt(url, { concurrency: 1 }, { waits })
    for (const told of [0, 0, 1]) {
      expect((await model.generate(asked, { maxTokens: 5 })).text).toBe('2')
      expect(waits.length).toBe(told)
    }
    expect(waits[0]!.reason).toMatch(/^retry 1 of 3 \(./)
    expect(seen.length).toBe(6)
  })

  test('after silence', async () => {
    const { url, seen } = await server(({ number }) => (number === 0 ? () => undefined : { json: chatReply('2') }))
    expect((await modelAt(url, { timeout: 1 }).generate(asked, { maxTokens: 5 })).text).toBe('2')
    expect(seen.length).toBe(2)
  })

  test('after silence in the middle of a stream, by fetch, too', async () => {
    const { url, seen } = await server(({ number }) =>
      number === 0
        ? (response) => {
            response.writeHead(200, { 'content-type': 'text/event-stream' })
            response.write(`data: ${JSON.stringify(delta('2'))}\n\n`)
          }
        : { events: [delta('2', 'stop')] },
    )
    const texts: string[] = []
    const model = modelAt(url, { timeout: 1 }, { by: 'fetch' })
    expect((await model.generate(asked, { maxTokens: 5, onText: (text) => texts.push(text) })).text).toBe('2')
    expect({ texts, requests: seen.length }).toEqual({ texts: ['2'], requests: 2 })
  })

  test('after the delay that the server requests: seconds, or a date', async () => {
    const waits: Wait[] = []
    const { url } = await server(({ number }) =>
      number === 0
        ? { status: 429, headers: { 'retry-after': '7' }, text: '' }
        : number === 1
          ? { status: 503, headers: { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }, text: '' }
          : { json: chatReply('2') },
    )
    await modelAt(url, {}, { waits }).generate(asked, { maxTokens: 5 })
    expect(waits[0]).toMatchObject({ for: 'retry', milliseconds: 7500 })
    // The model's clock has already skipped the first wait.
    expect(waits[1]!.milliseconds).toBeGreaterThan(48_000)
    expect(waits[1]!.milliseconds).toBeLessThan(54_000)
  })

  const limited: Scripted = { status: 429, json: { error: { message: 'slow down' } } }

  test('after 429 without using up the attempts', async () => {
    const answers: Scripted[] = [
      ...Array.from({ length: 7 }, () => limited),
      ...Array.from({ length: 3 }, (): Scripted => ({ status: 503, headers: { 'retry-after': '0' }, text: '' })),
      ...Array.from({ length: 3 }, (): Scripted => ({ status: 500, text: '' })),
    ]
    const { url, seen } = await server(({ number }) => answers[number] ?? { json: chatReply('2') })
    const waits: Wait[] = []
    expect((await modelAt(url, {}, { waits }).generate(asked, { maxTokens: 5 })).text).toBe('2')
    expect(seen.length).toBe(14)
    expect(waits[0]).toMatchObject({ for: 'retry', reason: 'its limit (it answered 429: "slow down")', milliseconds: 500 })
    expect(waits.filter(({ reason }) => reason.startsWith('retry')).map(({ reason }) => reason.slice(0, 12))).toEqual([
      'retry 1 of 3',
      'retry 2 of 3',
      'retry 3 of 3',
    ])
  })

  test('after 429 not at all with retries: 0', async () => {
    const { url, seen } = await server(() => limited)
    expect(await error(modelAt(url, { retries: 0 }).generate(asked, { maxTokens: 5 }))).toMatchObject({ code: 'request-failed' })
    expect(seen.length).toBe(1)
  })

  test('until the server has refused everything for too long: that ends all waits, and the run', async () => {
    const { url, seen } = await server(() => limited)
    const model = modelAt(url, { max_retry_wait: 20, max_server_wait: 10, concurrency: 4 })
    const errors = await Promise.all(Array.from({ length: 20 }, () => error(model.generate(asked, { maxTokens: 5 }))))
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['server-busy']))
    expect(errors[0]!.problem).toMatch(/ has refused every request for \d+ s: it answered 429: "slow down"$/)
    expect(seen.length).toBeLessThan(60)
    const before = seen.length
    expect(await error(model.generate(asked, { maxTokens: 5 }))).toMatchObject({ code: 'server-busy' })
    expect(seen.length).toBe(before + 1)
  })

  test('as long as the server is answering an earlier request, however often it refuses others meanwhile', async () => {
    const refusals = 60
    let release: (() => void) | undefined
    const { url, seen } = await server(({ number }) => {
      if (number === 0)
        return (response) => {
          release = () => response.end(JSON.stringify(chatReply('first')))
        }
      if (number > refusals) return { json: chatReply('second') }
      if (number === refusals) release!()
      return limited
    })
    const model = modelAt(url, { max_retry_wait: 20, max_server_wait: 10, concurrency: 2 })
    const first = model.generate(asked, { maxTokens: 5 })
    await vi.waitFor(() => expect(release).toBeDefined())
    const second = model.generate(asked, { maxTokens: 5 })
    expect([(await first).text, (await second).text, seen.length]).toEqual(['first', 'second', refusals + 2])
  })

  test('until a request was refused too often while others were accepted: its row fails', async () => {
    const { url, seen } = await server(({ body }) => (body.includes('1+1') ? limited : { json: chatReply('4') }))
    const model = modelAt(url, { concurrency: 1, retries: 2 })
    const other: Prompt = { ...asked, messages: [{ role: 'user', content: [plain('2+2=?', source)] }] }
    let isOver = false
    const failing = error(model.generate(asked, { maxTokens: 5 })).finally(() => {
      isOver = true
    })
    while (!isOver) expect((await model.generate(other, { maxTokens: 5 })).text).toBe('4')
    expect(await failing).toMatchObject({ code: 'request-failed', problem: expect.stringContaining('times while it accepted others') })
    expect(seen.filter(({ body }) => body.includes('1+1')).length).toBeGreaterThanOrEqual(18)
  })

  test('until only requests are left that it refused while it accepted others: their rows fail, not the run', async () => {
    const { url, seen } = await server(({ body }) => (body.includes('1+1') ? limited : { json: chatReply('4') }))
    const model = modelAt(url, { concurrency: 4, retries: 3, max_retry_wait: 2, max_server_wait: 1 })
    const other: Prompt = { ...asked, messages: [{ role: 'user', content: [plain('2+2=?', source)] }] }
    const failing = [1, 2].map(() => error(model.generate(asked, { maxTokens: 5 })))
    while (seen.length < 30) await model.generate(other, { maxTokens: 5 })
    expect((await Promise.all(failing)).map(({ code }) => code)).toEqual(['request-failed', 'request-failed'])
  })

  test('a limited number of times: then the row has an error with the server and its message', async () => {
    const { url, seen } = await server(() => ({ status: 500, json: { error: { message: `bad\u0007 GPU ${key}` } } }))
    const thrown = await error(modelAt(url).generate(asked, { maxTokens: 5 }))
    expect(thrown).toMatchObject({ code: 'request-failed', where: 'm' })
    expect(thrown.problem).toBe(`${url} did not answer in 4 attempts; the last time it answered 500: "bad GPU ***"`)
    expect(seen.length).toBe(4)
  })

  test('after a retry, text already streamed must come again and is not repeated', async () => {
    const streams: Record<number, Scripted> = {
      0: { events: [delta('1 +'), delta(' 1')], isCut: true },
      1: { events: [delta('1'), delta(' + 1 = 2', 'stop'), '[DONE]'] },
    }
    const { url } = await server(({ number }) => streams[number] ?? { events: [delta('2', 'stop')] })
    const texts: string[] = []
    const onText = (text: string) => texts.push(text)
    expect((await modelAt(url).generate(asked, { maxTokens: 5, onText })).text).toBe('1 + 1 = 2')
    expect(texts.join('')).toBe('1 + 1 = 2')
    streams[2] = { events: [delta('One')], isCut: true }
    expect(await error(modelAt(url).generate(asked, { maxTokens: 5, onText }))).toMatchObject({ code: 'reply-differs' })
  })
})

describe('a refused request is not retried', () => {
  const refusals: [string, Scripted, Partial<PromptError>][] = [
    [
      'a wrong key',
      { status: 401, json: { error: { message: `Incorrect API key provided: ${key}` } } },
      { code: 'unauthorized', problem: expect.stringContaining('answered 401: "Incorrect API key provided: ***"') },
    ],
    [
      'an account with nothing left',
      { status: 429, json: { error: { message: 'You exceeded…', code: 'insufficient_quota' } } },
      { code: 'unauthorized' },
    ],
    ['a key that may not', { status: 403, text: '' }, { code: 'unauthorized' }],
    [
      'a model that is not there',
      { status: 404, json: { error: { message: 'The model `the-model` does not exist.', code: 'model_not_found' } } },
      { code: 'no-such-model', fix: 'set path to one that it has: small, large' },
    ],
    ['an address without the endpoint', { status: 404, json: { detail: 'Not Found' } }, { code: 'no-endpoint' }],
    ['a redirect', { status: 301, headers: { location: 'https://other.test/v1' }, text: '' }, { code: 'no-endpoint' }],
    ['a web page', { headers: { 'content-type': 'text/html' }, text: '<html>' }, { code: 'no-endpoint' }],
    [
      'a prompt that is too long',
      { status: 400, json: { object: 'error', message: `maximum context length is 5 tokens${'!'.repeat(500)}` } },
      { code: 'refused', problem: expect.stringMatching(/answered 400: "maximum context length is 5 tokens!+…"$/) },
    ],
  ]
  for (const [name, answer, expected] of refusals) {
    test(name, async () => {
      const { url, seen } = await server(({ method }) =>
        method === 'GET' ? { json: { data: [{ id: 'small' }, { id: 'large' }] } } : answer,
      )
      const thrown = await error(modelAt(url).generate(asked, { maxTokens: 5 }))
      expect(thrown).toMatchObject(expected)
      expect(seen.filter(({ method }) => method === 'POST').length).toBe(1)
      expect(`${thrown.message}${thrown.stack}${JSON.stringify(thrown)}`).not.toContain(key)
    })
  }

  test('a delay that is longer than allowed', async () => {
    const { url } = await server(() => ({ status: 429, headers: { 'retry-after': '3600' }, text: '' }))
    expect(await error(modelAt(url).generate(asked, { maxTokens: 5 }))).toMatchObject({
      code: 'server-busy',
      fix: expect.stringContaining('max_retry_wait: 3600'),
    })
  })
})

test('an impossible address ends the run', async () => {
  const { url, seen } = await server(() => ({ json: chatReply('2') }))
  const waits: Wait[] = []
  const thrown = await error(modelAt(url.replace('http:', 'https:'), {}, { waits }).generate(asked, { maxTokens: 5 }))
  expect(thrown).toMatchObject({ code: 'no-endpoint', where: 'm › base_url', fix: expect.stringContaining('http or https') })
  const header = await error(modelAt(url, { headers: { 'x-team': 'a\nb' } }, { waits }).generate(asked, { maxTokens: 5 }))
  expect(header).toMatchObject({ code: 'no-endpoint', problem: expect.stringContaining('header') })
  expect([waits.length, seen.length]).toEqual([0, 0])
})

test('many concurrent waits cause no warning', async () => {
  const { url } = await server(() => ({ status: 500, text: '' }))
  const warnings: string[] = []
  const warn = ({ message }: Error) => warnings.push(message)
  process.on('warning', warn)
  const model = modelAt(url, { concurrency: 30 }, { real: true })
  const { signal } = new AbortController()
  const asking = Array.from({ length: 30 }, () => model.generate(asked, { maxTokens: 5, signal }).catch(() => undefined))
  await new Promise((resolve) => setTimeout(resolve, 300))
  await model.close?.()
  await Promise.all(asking)
  process.off('warning', warn)
  expect(warnings).toEqual([])
})

describe('a server that is down', () => {
  test('is waited for, then the run ends', async () => {
    const { url, close } = await scriptedServer(() => ({ text: '' }))
    await close()
    const waits: Wait[] = []
    const thrown = await error(modelAt(url, { max_server_wait: 30 }, { waits }).generate(asked, { maxTokens: 5 }))
    expect(thrown).toMatchObject({ code: 'server-down', problem: expect.stringContaining(`no server answers at ${url} (`) })
    expect(waits.length).toBeGreaterThan(3)
    expect(waits.every((wait) => wait.for === 'server')).toBe(true)
    expect(waits.reduce((sum, { milliseconds }) => sum + milliseconds, 0)).toBeCloseTo(30_000, -3)
  })

  test('and was never reached is waited for only if it is known to be starting', async () => {
    const { url, close } = await scriptedServer(() => ({ text: '' }))
    await close()
    const waits: Wait[] = []
    const thrown = await error(modelAt(url, {}, { waits }).generate(asked, { maxTokens: 5 }))
    expect(thrown).toMatchObject({ code: 'server-down', fix: expect.stringContaining('--wait-for-server 5m') })
    expect(waits.reduce((sum, { milliseconds }) => sum + milliseconds, 0)).toBeLessThanOrEqual(1500)
  })

  test('effectively: when nothing succeeds any more, the run ends', async () => {
    const { url } = await server(({ number }) => (number === 5 ? { json: chatReply('2') } : { status: 502, text: 'Bad Gateway' }))
    const model = modelAt(url, { retries: 0, concurrency: 2 })
    const codes: string[] = []
    for (let row = 0; row < 17; row++) await model.generate(asked, { maxTokens: 5 }).catch(({ code }: PromptError) => codes.push(code))
    expect(codes).toEqual([...Array.from({ length: 14 }, () => 'request-failed'), 'server-down', 'server-down'])
  })

  test('may come back', async () => {
    const { url, port, close } = await scriptedServer(() => ({ text: '' }))
    await close()
    const reply = modelAt(url, { max_server_wait: 60 }, { real: true }).generate(asked, { maxTokens: 5 })
    const { createServer } = await import('node:http')
    await new Promise((resolve) => setTimeout(resolve, 300))
    const back = createServer((_, response) => response.end(JSON.stringify(chatReply('2'))))
    await new Promise<void>((resolve) => back.listen(port, '127.0.0.1', resolve))
    expect((await reply).text).toBe('2')
    back.closeAllConnections()
    back.close()
  })
})

test('closing a model cancels its waits', async () => {
  const { url } = await server(() => ({ status: 500, text: '' }))
  const model = modelAt(url, { max_retry_wait: 1000 }, { real: true, waits: [] })
  const asking = model.generate(asked, { maxTokens: 5 })
  const ended = asking.catch(() => 'ended')
  await new Promise((resolve) => setTimeout(resolve, 100))
  await model.close!()
  expect(await ended).toBe('ended')
})

test('no more concurrent requests than the model allows, on as many connections', async () => {
  let atOnce = 0
  let most = 0
  const started = await server(() => (response) => {
    most = Math.max(most, ++atOnce)
    setTimeout(() => {
      atOnce--
      response.end(JSON.stringify(chatReply('2')))
    }, 5)
  })
  const model = modelAt(started.url, { concurrency: 3 })
  await Promise.all(Array.from({ length: 20 }, () => model.generate(asked, { maxTokens: 5 })))
  expect(most).toBe(3)
  expect(started.connections.made).toBe(3)
})
