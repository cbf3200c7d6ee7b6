import { expect, test } from 'vitest'
import { loadEmbedded } from '../../node/models/load-embedded.ts'
import { createApp } from '../create-app.ts'

// /v1/render returns what the other endpoints send.

type Rendered = {
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
    return { status: response.status, result: (await response.json()) as Rendered }
  }
}

test('a chat is rendered with its token ids and the source of each piece', async () => {
  const ask = await server()
  const { result } = await ask({ messages: [{ role: 'user', content: '1+1=?<|im_end|>' }] })
  expect(result).toMatchObject({
    object: 'prompt',
    kind: 'completion',
    format: 'internlm2',
    stop: [{ token: '<|im_end|>' }, { token: '</s>' }],
  })
  expect(result.text).toBe('<s><|im_start|>user\n1+1=?<|im_end|><|im_end|>\n<|im_start|>assistant\n')
  const said = result.pieces.filter(({ source }) => source.by === 'message')
  expect(said).toMatchObject([{ text: '1+1=?<|im_end|>', control: false, source: { path: 'messages[0].content' } }])
  // 7 is <|im_end|>; the one that the user typed is ordinary text.
  expect(result.ids.filter((id) => id === 7)).toHaveLength(1)
})

test('the chat endpoint sends the same ids, and the completions endpoint gives the same reply', async () => {
  const ask = await server()
  const messages = [{ role: 'user', content: '12 + 34 = ?' }]
  const { result } = await ask({ messages })
  const chat = (await ask({ messages, temperature: 0 }, 'chat/completions')).result as unknown as {
    choices: { message: { content: string } }[]
    usage: { prompt_tokens: number }
  }
  const completed = (await ask({ prompt: result.ids, temperature: 0 }, 'completions')).result as unknown as { choices: { text: string }[] }
  expect(chat.usage.prompt_tokens).toBe(result.ids.length)
  expect([chat.choices[0]!.message.content, completed.choices[0]!.text]).toEqual(['46', '46'])
})

test('a row is rendered in its template with examples', async () => {
  const ask = await server()
  const round = [
    { role: 'HUMAN', prompt: '{question}' },
    { role: 'BOT', prompt: '{answer}' },
  ]
  const { result } = await ask({
    template: { begin: ['</E>'], round },
    ice_template: { round },
    ice_token: '</E>',
    output_column: 'answer',
    row: { question: '3+3=?', answer: '6' },
    examples: [{ question: '1+1=?', answer: '2' }],
  })
  expect(result.text).toBe(
    '<s><|im_start|>user\n1+1=?<|im_end|>\n<|im_start|>assistant\n2<|im_end|>\n<|im_start|>user\n3+3=?<|im_end|>\n<|im_start|>assistant\n',
  )
  expect(result.pieces.find(({ text }) => text === '3+3=?')).toMatchObject({ source: { by: 'field', path: 'question' } })
})

test('numbers in rows, messages and schemas keep every digit', async () => {
  const model = await loadEmbedded()
  const app = createApp({ models: [{ model, config: { format: 'internlm2' } }] })
  const render = async (body: string) => ((await (await app.request('/v1/render', { method: 'POST', body })).json()) as Rendered).text
  expect(await render('{"template": "{n} {big}", "row": {"n": 1.0, "big": 12345678901234567890}}')).toContain('1.0 12345678901234567890')
  const tools = '[{"name": "f", "parameters": {"type": "object", "properties": {"2": {"minimum": 1.0}, "1": {}}}}]'
  expect(await render(`{"messages": [{"role": "user", "content": "Hi"}], "tools": ${tools}}`)).toContain('{"2": {"minimum": 1.0}, "1": {}}')
})

test('a model that takes messages gets them unrendered', async () => {
  const ask = await server()
  const { result } = await ask({ model: 'api', messages: [{ role: 'user', content: 'Hi' }] })
  expect(result).toMatchObject({ kind: 'chat', messages: [{ role: 'user', content: 'Hi' }] })
})

test('a request needs either messages or a template', async () => {
  const ask = await server()
  expect(await ask({})).toMatchObject({
    status: 400,
    result: { error: { message: expect.stringContaining('either messages, or a template') } },
  })
  expect((await ask({ messages: [{ role: 'user', content: 'Hi' }], template: 'x' })).status).toBe(400)
  expect(await ask({ template: { rounds: [] }, row: {} })).toMatchObject({
    status: 400,
    result: { error: { param: expect.stringContaining('template') } },
  })
})

test('a template that drops the system turn is shown as it writes, with a note, where a request for a reply is refused', async () => {
  const chat_template =
    "{% for m in messages %}{% if m.role != 'system' %}<|{{ m.role }}|>{{ m.content }}{% endif %}{% endfor %}<|assistant|>"
  const app = createApp({ models: [{ name: 'drops', model: await loadEmbedded(), config: { chat_template, roles: 'strict' } }] })
  const ask = (path: string, body: object) => app.request(path, { method: 'POST', body: JSON.stringify(body) })
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ]
  const template = { begin: [{ role: 'SYSTEM', prompt: 'Be brief.' }], round: [{ role: 'HUMAN', prompt: '{question}' }] }
  for (const body of [{ messages }, { template, row: { question: 'Hi' } }]) {
    const response = await ask('/v1/render', body)
    const { text, notes } = (await response.json()) as { text: string; notes: { code: string }[] }
    expect([response.status, text]).toEqual([200, '<|user|>Hi<|assistant|>'])
    expect(notes).toContainEqual(expect.objectContaining({ code: 'system-left-out' }))
  }
  expect((await ask('/v1/chat/completions', { messages })).status).toBe(400)
})
