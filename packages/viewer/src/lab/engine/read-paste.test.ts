import { expect, test } from 'vitest'
import { readPaste } from './read-paste.ts'

const city = { type: 'object', properties: { city: { type: 'string' } } }

test("a request of OpenAI's API, also as a curl command", async () => {
  const body = {
    model: 'm',
    messages: [{ role: 'user', content: "It's" }],
    tools: [{ type: 'function', function: { name: 'f', parameters: city } }],
    temperature: 0,
  }
  const read = { as: 'openai', messages: body.messages, tools: body.tools, problems: [] }
  expect(await readPaste(JSON.stringify(body))).toEqual(read)
  const shell = JSON.stringify(body).replaceAll("'", `'\\''`)
  expect(await readPaste(`curl https://x.org/v1/chat/completions \\\n -H 'content-type: application/json' \\\n -d '${shell}'\n`)).toEqual(
    read,
  )
})

test("a request of Anthropic's API", async () => {
  const body = {
    system: 'Be brief.',
    tools: [{ name: 'f', description: 'd', input_schema: city }],
    thinking: { type: 'enabled', budget_tokens: 1024 },
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: { city: 'X' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: '26' }] },
    ],
  }
  const { as, messages, tools, variables } = await readPaste(JSON.stringify(body))
  expect([as, messages?.map(({ role }) => role), tools?.length, variables]).toEqual([
    'anthropic',
    ['system', 'user', 'assistant', 'tool'],
    1,
    { enable_thinking: true },
  ])
})

test('a request of the Responses API', async () => {
  const body = {
    instructions: 'Be brief.',
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: '26' },
    ],
    tools: [{ type: 'function', name: 'f', parameters: city }],
  }
  const { as, messages, tools } = await readPaste(JSON.stringify(body))
  expect([as, messages?.map(({ role }) => role), tools?.length]).toEqual(['responses', ['system', 'user', 'assistant', 'tool'], 1])
})

test.each([
  ['ChatML', '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n'],
  ['labels', 'System: Be brief.\nUser: Hi\nAssistant:'],
  ['Chinese labels', '系统：Be brief.\n用户：Hi\n'],
  ['Markdown', '**System:** Be brief.\n\n**User:** Hi'],
])('a transcript: %s', async (_, text) => {
  expect(await readPaste(text)).toMatchObject({
    as: 'transcript',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ],
  })
})

test('a row of ShareGPT', async () => {
  const { messages } = await readPaste(
    JSON.stringify({
      conversations: [
        { from: 'human', value: 'Hi' },
        { from: 'gpt', value: 'Hello' },
      ],
    }),
  )
  expect(messages).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
  ])
})

test('a dataset of an OpenCompass config in Python', async () => {
  const python = `infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(round=[dict(role='HUMAN', prompt='Q: {question}'), dict(role='BOT', prompt='{answer}')])),
    inferencer=dict(type=GenInferencer))
`
  const { as, dataset } = await readPaste(python)
  expect(as).toBe('opencompass')
  expect(dataset).toContain('Q: {question}')
})

test.each([
  ['no JSON', '{"messages": [', 'JSON'],
  ['a message without role', '[{"content": "x"}]', 'role'],
  ['a number', '12', 'object'],
  ['nothing known', 'hello', 'known'],
])('%s is refused, with the reason', async (_, text, words) => {
  await expect(readPaste(text)).rejects.toThrow(words)
})
