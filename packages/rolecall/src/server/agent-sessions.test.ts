import { promptText } from '@rolecall/core/internal/format'
import { expect, test } from 'vitest'
import { scriptedModel } from '../../../../proof/testing/scripted-model.ts'
import { createApp } from './create-app.ts'

// Sessions in the shapes of agents and frameworks, growing turn by turn: two parallel calls, one more, then an answer. The model is scripted.

/** Writes every role as it comes, and earlier turns always in the same way. */
const template = `{% for tool in tools or [] %}[{{ tool | tojson }}]
{% endfor %}{% for message in messages %}<|im_start|>{{ message.role }}
{{ message.content or '' }}{% for call in message.tool_calls or [] %}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`

const callOf = (name: string, path: string) => `<tool_call>\n${JSON.stringify({ name, arguments: { path } })}\n</tool_call>`
const replies = [`I look.${callOf('read', 'zqPATH1')}\n${callOf('list', 'zqPATH2')}`, callOf('read', 'zqPATH3'), 'It is zqDONE.']
const results: Readonly<Record<string, string>> = { zqPATH1: 'zqRESULT1', zqPATH2: 'zqRESULT2', zqPATH3: 'zqRESULT3' }
const conversation = ['zqSYSTEM', 'zqUSER', 'I look.', 'zqPATH1', 'zqPATH2', 'zqRESULT1', 'zqRESULT2', 'zqPATH3', 'zqRESULT3']
const schema = { type: 'object', properties: { path: { type: 'string' } } }
const png = 'data:image/png;base64,iVBORw0KGgo='

type Body = { [key: string]: unknown }
type Call = { id: string; name: string; path: string }
/** What a client has of a reply: its calls, its text, and the reply as the client sends it back. */
type Reply = { calls: Call[]; text: string; kept: Body[] }
type Post = (path: string, body: Body) => Promise<{ text: string; problems: readonly string[] }>

/** A client: how it asks, and how its history grows. */
type Client = (post: Post, more: (calls: readonly Call[]) => void) => Promise<string>

async function run(client: Client, { stablePrefix = false } = {}): Promise<{ prompts: string[]; problems: readonly string[] }> {
  const prompts: string[] = []
  const reported = new Set<string>()
  const left = [...replies]
  const model = scriptedModel({
    says(prompt) {
      prompts.push(prompt.kind === 'completion' ? promptText(prompt) : '')
      const reply = left.shift() ?? ''
      return [reply.slice(0, 11), reply.slice(11, 30), reply.slice(30)]
    },
  })
  const config = { chat_template: template, roles: 'auto' } as const
  const app = createApp({ models: [{ model, name: 'm', config }], stablePrefix })
  const post: Post = async (path, body) => {
    const response = await app.request(path, { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) })
    const text = await response.text()
    expect([response.status, text]).toEqual([200, expect.any(String)])
    for (const event of text.startsWith('{') ? [JSON.parse(text) as Body] : eventsIn(text))
      for (const problem of problemsIn(event)) reported.add(problem)
    return { text, problems: [...reported] }
  }
  const answer = await client(post, (calls) => expect(calls.length).toBeGreaterThan(0))
  expect(answer).toContain('zqDONE')
  return { prompts, problems: [...reported] }
}

/** Each prompt extends the one before, and the last has each word of the conversation once and in order. */
function expectGrown(prompts: readonly string[]): void {
  const generation = '<|im_start|>assistant\n'
  for (const [index, earlier] of prompts.slice(0, -1).entries())
    expect(prompts[index + 1]!.startsWith(earlier.slice(0, -generation.length))).toBe(true)
  const last = prompts.at(-1)!
  expect(conversation.map((word) => [word, last.split(word).length - 1])).toEqual(conversation.map((word) => [word, 1]))
  const places = conversation.map((word) => last.indexOf(word))
  expect(places).toEqual([...places].sort((one, other) => one - other))
}

/** Of a message, of a choice, or of a response. */
function problemsIn({ problems = [], choices = [], response }: Body): readonly string[] {
  const inner = response === undefined ? (choices as Body[]) : [response as Body]
  return [...(problems as string[]), ...inner.flatMap(problemsIn)]
}

const eventsIn = (text: string) => [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json!) as Body)
const pathIn = (written: string) => (JSON.parse(written) as { path: string }).path

type Delta = { content?: string; tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[] }

function chatReply(text: string): Reply {
  const events = eventsIn(text) as { choices: { delta: Delta; finish_reason: string | null }[] }[]
  expect(text).toContain('data: [DONE]')
  expect(events.flatMap(({ choices }) => choices.flatMap(({ finish_reason: reason }) => reason ?? []))).toHaveLength(1)
  const calls: { id: string; name: string; written: string }[] = []
  let content = ''
  for (const { delta } of events.flatMap(({ choices }) => choices)) {
    content += delta.content ?? ''
    for (const { index, id, function: called } of delta.tool_calls ?? []) {
      calls[index] ??= { id: id ?? '', name: called.name ?? '', written: '' }
      calls[index].written += called.arguments
    }
  }
  const kept = calls.map(({ id, name, written }) => ({ id, type: 'function', function: { name, arguments: written } }))
  return { text: content, calls: calls.map(({ id, name, written }) => ({ id, name, path: pathIn(written) })), kept }
}

const functions = ['read', 'list'].map((name) => ({ type: 'function', function: { name, description: 'Works.', parameters: schema } }))

/** A client of chat completions. */
function chatClient(
  first: readonly Body[],
  write: (reply: Reply) => Body,
  answer: (call: Call) => readonly Body[] = ({ id, path }) => [{ role: 'tool', tool_call_id: id, content: results[path] }],
): Client {
  return async (post, more) => {
    const messages = [...first]
    for (;;) {
      const { text } = await post('/v1/chat/completions', {
        messages,
        tools: functions,
        stream: true,
        stream_options: { include_usage: true },
      })
      const reply = chatReply(text)
      if (reply.calls.length === 0) return reply.text
      more(reply.calls)
      messages.push(write(reply), ...reply.calls.flatMap(answer))
    }
  }
}

const opening = [
  { role: 'system', content: 'zqSYSTEM' },
  { role: 'user', content: 'zqUSER' },
]

test('opencode: text beside calls, reasoning sent back, an image of a tool as a user message', async () => {
  const client = chatClient(
    opening,
    ({ text, kept }) => ({ role: 'assistant', content: text, reasoning_content: 'Hm.', tool_calls: kept }),
    ({ id, path }) => [
      { role: 'tool', tool_call_id: id, content: results[path] },
      ...(path === 'zqPATH3'
        ? [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'Read:' },
                { type: 'image_url', image_url: { url: png } },
              ],
            },
          ]
        : []),
    ],
  )
  const { prompts, problems } = await run(client)
  expectGrown(prompts)
  expect(problems.filter((problem) => problem.includes('prefix cache'))).toEqual([])
  expect(prompts.at(-1)).not.toContain('base64')
})

test('Cline: no content beside calls, results as JSON in a text', async () => {
  const client = chatClient(
    opening,
    ({ kept, text }) =>
      text === '' ? { role: 'assistant', content: null, tool_calls: kept } : { role: 'assistant', content: text, tool_calls: kept },
    ({ id, path }) => [{ role: 'tool', tool_call_id: id, content: JSON.stringify([{ type: 'text', text: results[path] }]) }],
  )
  expectGrown((await run(client)).prompts)
})

test('LangGraph: names, users in a row, an empty text beside calls', async () => {
  const first = [
    { role: 'system', content: 'zqSYSTEM' },
    { role: 'user', name: 'ann', content: 'Hello.' },
    { role: 'user', content: [{ type: 'text', text: 'zqUSER' }] },
  ]
  const client = chatClient(
    first,
    ({ text, kept }) => ({ role: 'assistant', content: text, tool_calls: kept }),
    ({ id, name, path }) => [{ role: 'tool', name, tool_call_id: id, content: results[path] }],
  )
  expectGrown((await run(client)).prompts)
})

test('OpenAI Agents SDK: a text part that carries copies of the whole message', async () => {
  const client = chatClient(opening, ({ text, kept }) => ({
    role: 'assistant',
    content: [{ type: 'text', text, role: 'assistant', reasoning_content: 'zqPATH1', tool_calls: kept }],
    tool_calls: kept,
  }))
  expectGrown((await run(client)).prompts)
})

type Item = {
  type: string
  id: string
  call_id?: string
  name?: string
  namespace?: string
  arguments?: string
  content?: { text: string }[]
}

function responseReply(text: string): Reply & { items: Item[] } {
  const events = eventsIn(text) as { type: string; sequence_number: number; item?: Item }[]
  expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index))
  expect([events[0]!.type, events.at(-1)!.type]).toEqual(['response.created', 'response.completed'])
  const items = events.flatMap(({ type, item }) => (type === 'response.output_item.done' && item ? [item] : []))
  const calls = items.filter(({ type }) => type === 'function_call')
  return {
    items,
    kept: items,
    text: items.flatMap(({ content = [] }) => content.map(({ text: part }) => part)).join(''),
    calls: calls.map(({ call_id: id = '', name = '', arguments: written = '{}' }) => ({ id, name, path: pathIn(written) })),
  }
}

const say = (role: string, text: string, id: string) => ({ type: 'message', id, role, content: [{ type: 'input_text', text }] })

test('Codex: developer messages, tools in a namespace, reasoning without content, nothing stored', async () => {
  const [read, list] = functions.map(({ function: tool }) => ({ type: 'function', strict: false, ...tool }))
  const tools = [read, { type: 'namespace', name: 'agents', description: 'More.', tools: [list] }, { type: 'web_search' }]
  const client: Client = async (post, more) => {
    const input: Body[] = [
      say('developer', 'zqSYSTEM', 'm1'),
      say('developer', 'Small steps.', 'm2'),
      say('user', 'Rules.', 'm3'),
      say('user', 'zqUSER', 'm4'),
    ]
    for (;;) {
      const body = {
        input,
        tools,
        stream: true,
        store: false,
        parallel_tool_calls: true,
        include: ['reasoning.encrypted_content'],
        prompt_cache_key: 's',
      }
      const { items, calls, text } = responseReply((await post('/v1/responses', body)).text)
      if (calls.length === 0) return text
      more(calls)
      expect(items.filter(({ name }) => name === 'list').every(({ namespace }) => namespace === 'agents')).toBe(true)
      input.push(
        { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'Hm.' }], content: null, encrypted_content: 'x' },
        ...items,
      )
      input.push(...calls.map(({ id, path }) => ({ type: 'function_call_output', id: `o${id}`, call_id: id, output: results[path] })))
    }
  }
  const { prompts, problems } = await run(client)
  expectGrown(prompts)
  expect(problems).toEqual([expect.stringContaining('tools[2]: tools of type "web_search"')])
})

test('AI SDK: what the server has stored is referenced by its id', async () => {
  const tools = functions.map(({ function: tool }) => ({ type: 'function', ...tool }))
  const client: Client = async (post, more) => {
    const input: Body[] = [
      { role: 'system', content: 'zqSYSTEM' },
      { role: 'user', content: [{ type: 'input_text', text: 'zqUSER' }] },
    ]
    for (;;) {
      const { items, calls, text } = responseReply((await post('/v1/responses', { input, tools, stream: true })).text)
      if (calls.length === 0) return text
      more(calls)
      for (const { type, id, call_id, name, arguments: written } of items)
        input.push(type === 'message' ? { type: 'item_reference', id } : { type: 'function_call', call_id, name, arguments: written })
      input.push(...calls.map(({ id, path }) => ({ type: 'function_call_output', call_id: id, output: results[path] })))
    }
  }
  expectGrown((await run(client)).prompts)
})

type Block = { type: string; text?: string; id?: string; name?: string; written?: string }

function messageReply(text: string): Reply & { blocks: Body[] } {
  const events = eventsIn(text) as {
    type: string
    index: number
    content_block?: Block
    delta?: { text?: string; partial_json?: string }
  }[]
  expect([events[0]!.type, events.at(-1)!.type]).toEqual(['message_start', 'message_stop'])
  const blocks: Block[] = []
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'content_block_start' && block) blocks[index] = { ...block, written: '' }
    const open = blocks[index]
    if (type !== 'content_block_delta' || !open) continue
    if (delta?.text !== undefined) open.text = (open.text ?? '') + delta.text
    open.written += delta?.partial_json ?? ''
  }
  expect(events.filter(({ type }) => type === 'content_block_stop')).toHaveLength(blocks.length)
  const uses = blocks.filter(({ type }) => type === 'tool_use')
  return {
    text: blocks.map(({ text: part = '' }) => part).join(''),
    calls: uses.map(({ id = '', name = '', written = '' }) => ({ id, name, path: pathIn(written) })),
    kept: [],
    blocks: blocks.map(({ type, text: part, id, name, written = '' }) =>
      type === 'tool_use' ? { type, id, name, input: JSON.parse(written) as object } : { type, text: part },
    ),
  }
}

test('Claude Code: a billing line that changes, system messages in mid-conversation, results in order of finishing, token counts', async () => {
  const tools = functions.map(({ function: { name, description } }) => ({ name, description, input_schema: schema }))
  let requests = 0
  const client: Client = async (post, more) => {
    const messages: Body[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: '<system-reminder>Note.</system-reminder>' },
          { type: 'text', text: 'zqUSER', cache_control: { type: 'ephemeral' } },
        ],
      },
      { role: 'system', content: 'Reminder 0.' },
    ]
    for (;;) {
      const system = [
        { type: 'text', text: `x-anthropic-billing-header: cc_version=2; cch=${requests++};` },
        { type: 'text', text: 'zqSYSTEM', cache_control: { type: 'ephemeral' } },
      ]
      const body = { max_tokens: 32_000, system, messages, tools, thinking: { type: 'adaptive' }, metadata: { user_id: '{}' } }
      const counted = JSON.parse((await post('/v1/messages/count_tokens?beta=true', body)).text) as { input_tokens: number }
      expect(counted.input_tokens).toBeGreaterThan(0)
      const { blocks, calls, text } = messageReply((await post('/v1/messages?beta=true', { ...body, stream: true })).text)
      if (calls.length === 0) return text
      more(calls)
      messages.push({ role: 'assistant', content: blocks })
      const finished = calls.map(({ id, path }, index) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: results[path],
        ...(index === 0 ? {} : { is_error: false }),
      }))
      messages.push({ role: 'user', content: finished.reverse() }, { role: 'system', content: `Reminder ${requests}.` })
    }
  }
  const { prompts, problems } = await run(client, { stablePrefix: true })
  expectGrown(prompts)
  expect(problems.filter((problem) => problem.includes('prefix cache'))).toEqual([])
})
