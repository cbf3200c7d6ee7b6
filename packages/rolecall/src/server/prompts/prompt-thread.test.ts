import { afterAll, beforeAll, expect, test } from 'vitest'
import { control, plain } from '../../../../core/src/base/text/index.ts'
import { tokenize } from '../../../../core/src/prompt/tokenizer/tokenize.ts'
import { embeddedTokenizer } from '../../node/models/load-embedded.ts'
import { createApp } from '../create-app.ts'
import type { Listening } from '../listen.ts'
import { serve } from '../serve-models.ts'
import { packPrompt, unpackPrompt } from './packed-prompt.ts'

const endless = '{% for i in range(999) %}{% for j in range(999) %}{% endfor %}{% endfor %}'
const template = `{% if messages[0].content == 'slow' %}${endless}{% endif %}{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}`
const models = [
  { abbr: 'format', type: 'embedded', format: 'internlm2' },
  { abbr: 'template', type: 'embedded', chat_template: template },
]
let elsewhere: Listening
let here: ReturnType<typeof createApp>
beforeAll(async () => {
  elsewhere = await serve({ models })
  const { openModel } = await import('../../node/models/model-flags.ts')
  here = createApp({ models: await Promise.all(models.map((config) => openModel(config))) })
}, 60_000)
afterAll(() => elsewhere.close())

/** The answers of a server that builds large prompts in another thread, and of one that builds all in this one. */
async function both(path: string, body: object): Promise<{ status: number; json: unknown }[]> {
  const init = { method: 'POST', body: JSON.stringify(body) }
  const answers = [await fetch(elsewhere.url + path, init), await here.request(path, init)]
  return Promise.all(answers.map(async (answer) => ({ status: answer.status, json: await answer.json() })))
}

const chat = (length: number) =>
  Array.from({ length }, (_, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: `<|im_end|> ${index}` }))
const long = [{ role: 'user', content: 'lorem <|im_end|> ipsum '.repeat(1200) }]

const wide = { type: 'object', properties: { a: { enum: Array.from({ length: 1200 }, (_, index) => index) } } }

test.for([
  ['/tokenize', { model: 'format', messages: chat(500) }],
  ['/tokenize', { model: 'template', messages: chat(3) }],
  ['/tokenize', { model: 'format', content: 'lorem <s> ipsum '.repeat(2000), with_pieces: true }],
  ['/detokenize', { model: 'format', tokens: Array.from({ length: 15_000 }, () => 5) }],
  ['/apply-template', { model: 'template', messages: chat(500), chat_template_kwargs: { x: 1.5 } }],
  ['/v1/render', { model: 'template', messages: long }],
  ['/v1/messages/count_tokens', { model: 'format', messages: chat(500) }],
  ['/v1/messages/count_tokens', { model: 'template', messages: long }],
  ['/v1/responses/input_tokens', { model: 'format', input: chat(500) }],
  // Errors: a role, a type, a prompt that is too long, an id that does not exist.
  ['/v1/chat/completions', { model: 'format', messages: [...chat(500), { role: 'friend', content: 'x' }] }],
  ['/v1/chat/completions', { model: 'template', messages: [{ role: 'user', content: 5 }] }],
  ['/v1/chat/completions', { model: 'format', messages: long }],
  [
    '/v1/chat/completions',
    { model: 'format', messages: chat(1), tools: [{ type: 'function', function: { name: 'f', parameters: wide } }] },
  ],
  ['/v1/completions', { model: 'format', prompt: long[0]!.content }],
  ['/detokenize', { model: 'format', tokens: [...Array.from({ length: 15_000 }, () => 5), 99_999] }],
] as const)('%s gives the same answer from another thread', { timeout: 180_000 }, async ([path, body]) => {
  const [there, ours] = await both(path, body)
  expect(there).toEqual(ours)
})

test('other requests are answered while a template takes its time', async () => {
  const slow = fetch(`${elsewhere.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'template', max_tokens: 1, messages: [{ role: 'user', content: 'slow' }] }),
  })
  let isOver = false
  void slow.then(() => (isOver = true))
  const answer = await fetch(`${elsewhere.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'format', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] }),
  })
  expect([answer.status, isOver]).toEqual([200, false])
  expect((await slow).status).toBe(200)
})

test('a packed prompt has the same ids', () => {
  const tokenizer = embeddedTokenizer()
  const source = { by: 'message', path: '' } as const
  const pieces = [control('<s><|im_start|>', source), plain('a <|im_end|>', source), { ids: [5, 6], source }, control('<|im_end|>', source)]
  const prompt = { kind: 'completion', pieces, bos: 'in-prompt', stop: [], notes: [] } as const
  const unpacked = unpackPrompt(packPrompt(prompt)!)
  expect(tokenize(unpacked, tokenizer).tokens).toEqual(tokenize(prompt, tokenizer).tokens)
  expect(packPrompt({ ...prompt, pieces: [{ media: { kind: 'image', url: 'x' }, source }] })).toBeUndefined()
})

test.for([
  ['6,000 messages', '/v1/chat/completions', { model: 'format', messages: chat(6000) }, 413],
  ['300,000 numbers', '/v1/completions', { model: 'format', prompt: Array.from({ length: 300_000 }, () => 5) }, 413],
  ['1,001 stop ids', '/v1/completions', { model: 'format', prompt: 'x', stop_token_ids: Array.from({ length: 1001 }, () => 5) }, 400],
  ['ids that are none', '/detokenize', { model: 'format', tokens: [1, -1] }, 400],
  ['5,001 items', '/v1/responses', { model: 'format', input: Array.from({ length: 5001 }, () => ({ id: 'x' })) }, 413],
] as const)('%s are refused', async ([, path, body, status]) => {
  const answer = await here.request(path, { method: 'POST', body: JSON.stringify(body) })
  expect(answer.status).toBe(status)
  expect(await answer.json()).toMatchObject({ error: { code: status === 413 ? 'request_too_complex' : 'invalid_value' } })
})
