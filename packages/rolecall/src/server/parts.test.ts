import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modelConfigOf } from '../node/models/model-flags.ts'
import type { Listening } from './listen.ts'
import { serve } from './serve-models.ts'

// Messages with parts on all three APIs: text is read, an image is rejected by name, replaced or forwarded.

const template =
  "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}{{ p.text if p.type == 'text' else '<image>' }}{% endfor %}{% endif %}<|im_end|>\n{% endfor %}<|im_start|>assistant\n"
const png = 'iVBORw0KGgo='

let local: Listening
let proxy: Listening
let upstream: Server
const received: Record<string, unknown>[] = []

beforeAll(async () => {
  local = await serve({
    models: [
      { abbr: 'jinja', type: 'embedded', chat_template: template },
      { abbr: 'strict', type: 'embedded', chat_template: template, roles: 'strict' },
      { abbr: 'internlm', type: 'embedded', format: 'internlm2' },
    ],
  })
  upstream = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push(JSON.parse(body) as Record<string, unknown>)
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        choices: [{ index: 0, message: { role: 'assistant', content: 'A cat.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 9, completion_tokens: 3 },
      }),
    )
  })
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done))
  const { port } = upstream.address() as AddressInfo
  const config = modelConfigOf({ model: `openai:vision@http://127.0.0.1:${port}/v1`, format: 'messages' })
  proxy = await serve({ models: [{ ...config, retries: 0, stream: false } as never] })
}, 60_000)

afterAll(async () => {
  await local.close()
  await proxy.close()
  upstream.close()
})

async function post(url: string, path: string, body: object): Promise<{ status: number; body: Record<string, never> }> {
  const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Record<string, never> }
}

const ask = {
  '/v1/chat/completions': (parts: 'text' | 'image') => ({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is' },
          parts === 'text' ? { type: 'text', text: 'this?' } : { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
        ],
      },
    ],
    max_tokens: 4,
  }),
  '/v1/messages': (parts: 'text' | 'image') => ({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is' },
          parts === 'text'
            ? { type: 'text', text: 'this?' }
            : { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
        ],
      },
    ],
    max_tokens: 4,
  }),
  '/v1/responses': (parts: 'text' | 'image') => ({
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is' },
          parts === 'text' ? { type: 'input_text', text: 'this?' } : { type: 'input_image', image_url: `data:image/png;base64,${png}` },
        ],
      },
    ],
    max_output_tokens: 16,
  }),
} as const

const paths = Object.keys(ask) as (keyof typeof ask)[]

describe.each(paths)('%s', (path) => {
  const place = path === '/v1/responses' ? 'input[0].content[1]' : 'messages[0].content[1]'

  test.each(['jinja', 'internlm'])('a list of texts is answered by %s', async (model) => {
    expect((await post(local.url, path, { model, ...ask[path]('text') })).status).toBe(200)
  })

  test.each(['strict', 'internlm'])('an image is rejected with 400 and the part by %s, whole and streamed', async (model) => {
    for (const stream of [false, true]) {
      const { status, body } = await post(local.url, path, { model, ...ask[path]('image'), stream })
      expect({ status, message: JSON.stringify(body) }).toEqual({ status: 400, message: expect.stringContaining(place) })
    }
  })

  test('an image is replaced and reported where a template has the default roles, whole and streamed', async () => {
    for (const stream of [false, true]) {
      const response = await fetch(`${local.url}${path}`, {
        method: 'POST',
        body: JSON.stringify({ model: 'jinja', ...ask[path]('image'), stream }),
      })
      const reply = await response.text()
      expect([response.status, reply]).toEqual([200, expect.stringContaining(`${place}: the image became the text`)])
    }
  })

  test('an image is forwarded by a proxy', async () => {
    received.length = 0
    expect((await post(proxy.url, path, ask[path]('image'))).status).toBe(200)
    expect(received[0]!.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
        ],
      },
    ])
  })
})

test('audio, video and unknown keys are forwarded unchanged', async () => {
  received.length = 0
  const content = [
    { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
    { type: 'video_url', video_url: { url: 'https://example.org/clip.mp4' } },
    { type: 'text', text: 'What?', cache_control: { type: 'ephemeral' } },
  ]
  expect((await post(proxy.url, '/v1/chat/completions', { messages: [{ role: 'user', content }] })).status).toBe(200)
  expect(received[0]!.messages).toEqual([{ role: 'user', content }])
})

test.each([
  [[{ type: 'image_urll', image_url: { url: 'x' } }], 'messages[0].content[0]'],
  [[{ type: 'text' }], 'messages[0].content[0]'],
  [[7], 'messages[0].content[0]'],
])('a part that is none is a 400 that names it: %j', async (content, place) => {
  const { status, body } = await post(local.url, '/v1/chat/completions', { model: 'jinja', messages: [{ role: 'user', content }] })
  expect({ status, message: JSON.stringify(body) }).toEqual({ status: 400, message: expect.stringContaining(place) })
})
