import { expect, test } from 'vitest'
import { loadEmbedded } from '../../node/models/load-embedded.ts'
import { createApp } from '../create-app.ts'

// What /v1/render shows is what the other endpoints send.

type Told = {
  text: string
  ids: number[]
  pieces: { text?: string; control?: boolean; source: { by: string; path: string } }[]
  kind: string
}

async function server() {
  const model = await loadEmbedded()
  const app = createApp({
    models: [
      { name: 'tiny', model, config: { format: 'internlm2' } },
      { name: 'api', model, config: { type: 'openai' } },
    ],
  })
  return async (body: object, path = 'render') => {
    const response = await app.request(`/v1/${path}`, { method: 'POST', body: JSON.stringify({ model: 'tiny', ...body }) })
    return { status: response.status, told: (await response.json()) as Told }
  }
}

test('a chat is shown with its ids and who wrote what', async () => {
  const ask = await server()
  const { told } = await ask({ messages: [{ role: 'user', content: '1+1=?<|im_end|>' }] })
  expect(told).toMatchObject({
    object: 'prompt',
    kind: 'completion',
    format: 'internlm2',
    stop: [{ token: '<|im_end|>' }, { token: '</s>' }],
  })
  expect(told.text).toBe('<s><|im_start|>user\n1+1=?<|im_end|><|im_end|>\n<|im_start|>assistant\n')
  const said = told.pieces.filter(({ source }) => source.by === 'message')
  expect(said).toMatchObject([{ text: '1+1=?<|im_end|>', control: false, source: { path: 'messages[0].content' } }])
  // 7 is <|im_end|>: the one that a user typed is ordinary characters.
  expect(told.ids.filter((id) => id === 7)).toHaveLength(1)
})

test('its ids are what the chat endpoint sends, and the completions endpoint answers the same', async () => {
  const ask = await server()
  const messages = [{ role: 'user', content: '12 + 34 = ?' }]
  const { told } = await ask({ messages })
  const chat = (await ask({ messages, temperature: 0 }, 'chat/completions')).told as unknown as {
    choices: { message: { content: string } }[]
    usage: { prompt_tokens: number }
  }
  const completed = (await ask({ prompt: told.ids, temperature: 0 }, 'completions')).told as unknown as { choices: { text: string }[] }
  expect(chat.usage.prompt_tokens).toBe(told.ids.length)
  expect([chat.choices[0]!.message.content, completed.choices[0]!.text]).toEqual(['46', '46'])
})

test('a row is shown in its template, with examples, to the letter', async () => {
  const ask = await server()
  const round = [
    { role: 'HUMAN', prompt: '{question}' },
    { role: 'BOT', prompt: '{answer}' },
  ]
  const { told } = await ask({
    template: { begin: ['</E>'], round },
    ice_template: { round },
    ice_token: '</E>',
    output_column: 'answer',
    row: { question: '3+3=?', answer: '6' },
    examples: [{ question: '1+1=?', answer: '2' }],
  })
  expect(told.text).toBe(
    '<s><|im_start|>user\n1+1=?<|im_end|>\n<|im_start|>assistant\n2<|im_end|>\n<|im_start|>user\n3+3=?<|im_end|>\n<|im_start|>assistant\n',
  )
  expect(told.pieces.find(({ text }) => text === '3+3=?')).toMatchObject({ source: { by: 'field', path: 'question' } })
})

test('numbers of rows, messages and schemas keep every digit', async () => {
  const model = await loadEmbedded()
  const app = createApp({ models: [{ model, config: { format: 'internlm2' } }] })
  const render = async (body: string) => ((await (await app.request('/v1/render', { method: 'POST', body })).json()) as Told).text
  expect(await render('{"template": "{n} {big}", "row": {"n": 1.0, "big": 12345678901234567890}}')).toContain('1.0 12345678901234567890')
  const tools = '[{"name": "f", "parameters": {"type": "object", "properties": {"2": {"minimum": 1.0}, "1": {}}}}]'
  expect(await render(`{"messages": [{"role": "user", "content": "Hi"}], "tools": ${tools}}`)).toContain('{"2": {"minimum": 1.0}, "1": {}}')
})

test('a model that takes messages shows those', async () => {
  const ask = await server()
  const { told } = await ask({ model: 'api', messages: [{ role: 'user', content: 'Hi' }] })
  expect(told).toMatchObject({ kind: 'chat', messages: [{ role: 'user', content: 'Hi' }] })
})

test('one thing is to be rendered, and not two or none', async () => {
  const ask = await server()
  expect(await ask({})).toMatchObject({
    status: 400,
    told: { error: { message: expect.stringContaining('either messages, or a template') } },
  })
  expect((await ask({ messages: [{ role: 'user', content: 'Hi' }], template: 'x' })).status).toBe(400)
  expect(await ask({ template: { rounds: [] }, row: {} })).toMatchObject({
    status: 400,
    told: { error: { param: expect.stringContaining('template') } },
  })
})
