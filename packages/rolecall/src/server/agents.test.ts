import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Listening } from './listen.ts'
import { serve } from './serve-models.ts'

// Requests as coding agents send them, with all their fields: the model answers, and fields without effect are reported.

let server: Listening
beforeAll(async () => {
  server = await serve({ models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }] })
}, 60_000)
afterAll(() => server.close())

async function post(path: string, body: object): Promise<{ status: number; events: Record<string, unknown>[] }> {
  const headers = {
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'interleaved-thinking-2025-05-14',
  }
  const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const data = [...(await response.text()).matchAll(/^data: (.*)$/gm)]
  return { status: response.status, events: data.map(([, json]) => JSON.parse(json!) as Record<string, unknown>) }
}

const schema = { type: 'object', properties: { command: { type: 'string' } }, required: ['command'], additionalProperties: false }
const question = '12 + 34 = ?'

test("in Anthropic's protocol", async () => {
  const cached = { cache_control: { type: 'ephemeral' } }
  const { status, events } = await post('/v1/messages?beta=true', {
    model: 'tiny',
    max_tokens: 32_000,
    stream: true,
    temperature: 0,
    thinking: { type: 'adaptive' },
    output_config: { effort: 'medium' },
    metadata: { user_id: 'somebody' },
    context_management: { edits: [] },
    system: [
      { type: 'text', text: 'You are an agent.', ...cached },
      { type: 'text', text: 'Be short.' },
    ],
    tools: [
      { name: 'Bash', description: 'Runs a command', input_schema: schema },
      { type: 'web_search_20250305', name: 'web_search' },
    ],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'What is here?', ...cached }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: '' },
          { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt', is_error: false },
          { type: 'text', text: question },
        ],
      },
    ],
  })
  expect(status).toBe(200)
  expect(events.at(-1)).toEqual({ type: 'message_stop' })
  expect(events.at(-2)).toMatchObject({
    type: 'message_delta',
    problems: [expect.stringContaining('web_search_20250305'), expect.stringContaining('"medium" has no effect')],
  })
})

test('in the Responses API', async () => {
  const say = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'input_text', text }] })
  const { status, events } = await post('/v1/responses', {
    model: 'tiny',
    instructions: 'You are a coding agent.',
    stream: true,
    store: false,
    temperature: 0,
    tool_choice: 'auto',
    parallel_tool_calls: false,
    reasoning: { effort: 'medium', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'session',
    tools: [
      { type: 'function', name: 'shell', description: 'Runs a command', strict: false, parameters: schema },
      {
        type: 'custom',
        name: 'apply_patch',
        description: 'Edits files',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
      },
      { type: 'web_search' },
    ],
    input: [
      say('developer', 'You may run commands.'),
      say('user', 'What is here?'),
      { type: 'reasoning', id: 'rs_1', summary: [], content: null, encrypted_content: null },
      { type: 'function_call', name: 'shell', arguments: '{"command":"ls"}', call_id: 'c1' },
      { type: 'function_call_output', call_id: 'c1', output: 'a.txt' },
      say('user', question),
    ],
  })
  expect(status).toBe(200)
  const { type, response } = events.at(-1) as { type: string; response: { output: unknown[]; problems: string[] } }
  expect(type).toMatch(/^response\.(completed|incomplete)$/)
  expect(response.output.length).toBeGreaterThan(0)
  expect(response.problems).toEqual([
    expect.stringContaining('tools[1].format'),
    expect.stringContaining('tools[2]'),
    expect.stringMatching(/^input\[0\]\.role: .*"developer"/),
    expect.stringContaining('"medium" has no effect'),
  ])
})
