import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scriptedModel } from '../../../../../proof/testing/scripted-model.ts'
import { createApp } from '../create-app.ts'
import type { Listening } from '../listen.ts'
import { serve } from '../serve-models.ts'

// The protocols of llama.cpp's server and of vLLM, which other tools use.

let server: Listening
beforeAll(async () => {
  server = await serve({ models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }] })
}, 60_000)
afterAll(() => server.close())

type RouteResult = { status: number } & Record<string, unknown>

async function post(path: string, body: object): Promise<RouteResult> {
  const response = await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, ...((await response.json()) as object) }
}

const messages = [{ role: 'user', content: '1 + 1 = ?' }]
const written = '<s><|im_start|>user\n1 + 1 = ?<|im_end|>\n<|im_start|>assistant\n'

describe('a chat', () => {
  test('is rendered like its prompt', async () => {
    expect(await post('/apply-template', { messages })).toEqual({ status: 200, prompt: written })
    const whole = await post('/apply-template', {
      messages: [...messages, { role: 'assistant', content: '2' }],
      add_generation_prompt: false,
    })
    expect(whole.prompt).toBe('<s><|im_start|>user\n1 + 1 = ?<|im_end|>\n<|im_start|>assistant\n2<|im_end|>\n')
  })

  test('has the ids of its prompt, which decode to its text', async () => {
    const { ids } = await post('/v1/render', { messages })
    const { tokens, count, max_model_len, token_strs } = await post('/tokenize', { messages, return_token_strs: true })
    expect({ tokens, count, max_model_len }).toEqual({ tokens: ids, count: (ids as number[]).length, max_model_len: 1024 })
    expect((token_strs as string[]).join('')).toBe(written)
    expect(await post('/detokenize', { tokens })).toEqual({ status: 200, content: written, prompt: written })
  })
})

describe('a text', () => {
  test('has special tokens unless parse_special is false', async () => {
    const idsOf = async (body: object) => (await post('/tokenize', body)).tokens as number[]
    const ids = await idsOf({ prompt: 'Hi<|im_end|>', add_special_tokens: false })
    expect((await post('/detokenize', { tokens: [ids.at(-1)] })).content).toBe('<|im_end|>')
    expect(await idsOf({ content: 'Hi<|im_end|>' })).toEqual(ids)
    const plain = await idsOf({ content: 'Hi<|im_end|>', parse_special: false })
    expect(plain).not.toContain(ids.at(-1))
    expect((await post('/detokenize', { tokens: plain })).content).toBe('Hi<|im_end|>')
  })

  test('is returned in pieces, as bytes if a piece is not valid text', async () => {
    const { tokens } = await post('/tokenize', { content: 'a😀', with_pieces: true })
    const bytes = (tokens as { piece: string | number[] }[]).flatMap(({ piece }) =>
      typeof piece === 'string' ? [...Buffer.from(piece)] : piece,
    )
    expect(Buffer.from(bytes).toString().trimStart()).toBe('a😀')
  })
})

test('invalid requests are rejected', async () => {
  expect(await post('/tokenize', { content: 'a', prompt: 'b' })).toMatchObject({ status: 400 })
  expect(await post('/detokenize', { tokens: [99_999] })).toMatchObject({ status: 400, error: { param: 'tokens' } })
  const app = createApp({ models: [{ model: scriptedModel({ says: () => [] }), config: { format: 'messages' } }] })
  const response = await app.request('/apply-template', { method: 'POST', body: JSON.stringify({ messages }) })
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('only its server knows')])
})
