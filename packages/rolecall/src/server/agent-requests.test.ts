import { PromptError } from '@rolecall/core/internal/errors'
import { describe, expect, test } from 'vitest'
import { type Answer, type Body, callOf, serverOf } from '../../../../proof/testing/asked-server.ts'
import { scriptedModel } from '../../../../proof/testing/scripted-model.ts'
import type { LanguageModel, ModelReply } from '../model/language-model/language-model.ts'
import { promptTooLong } from '../model/language-model/prompt-too-long.ts'
import { createApp } from './create-app.ts'

// What coding agents send beyond plain chats, in the shapes of their recorded requests, against a model that answers as a test says.

const itemsOf = ({ events }: Answer) => events.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : []))
const said = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'input_text', text }] })
const schema = { type: 'object', properties: { path: { type: 'string' } } }

describe('the Responses API: tools', () => {
  const namespace = {
    type: 'namespace',
    name: 'agents',
    description: 'Runs agents.',
    tools: [{ type: 'function', name: 'spawn', description: 'Starts one.', parameters: schema }],
  }

  test('of a namespace are functions for the model, and calls come back with their namespace', async () => {
    const ask = serverOf(callOf('spawn', { path: 'a' }))
    const input = [
      said('user', 'Start it.'),
      { type: 'function_call', call_id: 'c1', namespace: 'agents', name: 'spawn', arguments: '{"path":"before"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'started' },
    ]
    const answer = await ask('/v1/responses', { input, tools: [namespace], stream: true })
    expect(answer.prompt).toContain('"description": "agents: Runs agents.\\n\\nStarts one."')
    expect(answer.prompt).toContain('{"name": "spawn", "arguments": {"path": "before"}}')
    expect(itemsOf(answer)).toMatchObject([{ type: 'function_call', name: 'spawn', namespace: 'agents', arguments: '{"path":"a"}' }])
  })

  test('of two namespaces may have the same name', async () => {
    const other = { ...namespace, name: 'jobs', description: '' }
    const answer = await serverOf(callOf('jobs__spawn', {}))('/v1/responses', {
      input: 'Start it.',
      tools: [namespace, other],
      stream: true,
    })
    expect(answer.prompt).toContain('"name": "jobs__spawn"')
    expect(itemsOf(answer)).toMatchObject([{ name: 'spawn', namespace: 'jobs' }])
    const conflict = await serverOf()('/v1/responses', {
      input: 'Hi',
      tools: [
        { type: 'function', name: 'f' },
        { type: 'function', name: 'f', description: 'Another.' },
      ],
    })
    expect(conflict.problems).toEqual([expect.stringContaining('tools[1]: there is another tool named f')])
  })

  test('that live in the input, or that a search of the client has found, are shown', async () => {
    const input = [
      {
        type: 'additional_tools',
        role: 'developer',
        tools: [{ type: 'function', name: 'exec', description: 'Runs it.', parameters: schema }],
      },
      said('user', 'Find a tool.'),
      { type: 'tool_search_call', call_id: 's1', execution: 'client', status: 'completed', arguments: { query: 'web' } },
      {
        type: 'tool_search_output',
        call_id: 's1',
        execution: 'client',
        status: 'completed',
        tools: [{ type: 'function', name: 'open', description: 'Opens it.' }],
      },
    ]
    const tools = [
      {
        type: 'tool_search',
        execution: 'client',
        description: 'Searches tools.',
        parameters: { type: 'object', properties: { query: { type: 'string' } } },
      },
    ]
    const answer = await serverOf(callOf('tool_search', { query: 'more' }))('/v1/responses', { input, tools, stream: true })
    for (const text of [
      'Searches tools.',
      'Runs it.',
      'Opens it.',
      '{"name": "tool_search", "arguments": {"query": "web"}}',
      'Now available: open.',
    ])
      expect(answer.prompt.split(text)).toHaveLength(2)
    expect(itemsOf(answer)).toMatchObject([{ type: 'tool_search_call', execution: 'client', arguments: { query: 'more' } }])
    expect(answer.problems).toEqual([])
  })

  test('a local shell is a function, and calls of it come back as the client knows them', async () => {
    const input = [
      said('user', 'List.'),
      { type: 'local_shell_call', id: 'l1', call_id: 'c1', status: 'completed', action: { type: 'exec', command: ['ls', '-a'], env: {} } },
      { type: 'function_call_output', call_id: 'c1', output: 'a.txt' },
    ]
    const answer = await serverOf(callOf('local_shell', { command: ['pwd'] }))('/v1/responses', {
      input,
      tools: [{ type: 'local_shell' }],
      stream: true,
    })
    expect(answer.prompt).toContain('{"name": "local_shell", "arguments": {"command": ["ls", "-a"], "env": {}}}')
    expect(itemsOf(answer)).toMatchObject([{ type: 'local_shell_call', action: { type: 'exec', command: ['pwd'] } }])
    const broken = await serverOf('<tool_call>\n{"name": "local_shell", "arguments": {pwd}}\n</tool_call>')('/v1/responses', {
      input,
      tools: [{ type: 'local_shell' }],
    })
    expect(broken.body.output).toMatchObject([{ type: 'function_call', name: 'local_shell', arguments: '{pwd}' }])
    expect(broken.problems).toHaveLength(1)
  })

  test('are none for one call, while the history has calls', async () => {
    const input = [
      said('user', 'List.'),
      { type: 'function_call', call_id: 'c1', name: 'ls', arguments: '{"path":"."}' },
      { type: 'function_call_output', call_id: 'c1', output: 'a.txt' },
      said('user', 'Summarize.'),
    ]
    const { status, prompt } = await serverOf()('/v1/responses', { input, tools: [], parallel_tool_calls: false })
    expect([status, prompt.includes('a.txt'), prompt.includes('"path": "."')]).toEqual([200, true, true])
  })
})

describe('the Responses API: items', () => {
  test('that only their vendor can read are left out and reported; what they say in plain text is read', async () => {
    const input = [
      said('user', 'U1'),
      { type: 'compaction', encrypted_content: 'SECRET' },
      { type: 'web_search_call', id: 'ws', status: 'completed', action: { type: 'search', query: 'q' } },
      { type: 'mcp_call', id: 'mcp', server_label: 'files', name: 'read', arguments: '{"path":"PATH"}', output: 'CONTENT' },
      {
        type: 'agent_message',
        author: 'a',
        recipient: 'b',
        content: [
          { type: 'input_text', text: 'FROM-AGENT' },
          { type: 'encrypted_content', encrypted_content: 'SECRET' },
        ],
      },
      { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'THOUGHT' }], content: null, encrypted_content: 'SECRET' },
      { type: 'shell_call', call_id: 'c2', action: { commands: ['COMMAND'] } },
      { type: 'shell_call_output', call_id: 'c2', output: [{ stdout: 'STDOUT', stderr: '', outcome: { type: 'exit', exit_code: 0 } }] },
      said('user', 'U2'),
    ]
    const { prompt, problems } = await serverOf()('/v1/responses', { input })
    const words = ['U1', 'PATH', 'CONTENT', 'FROM-AGENT', 'THOUGHT', 'COMMAND', 'STDOUT', 'U2']
    expect(words.map((word) => prompt.split(word).length)).toEqual(words.map(() => 2))
    expect(words.map((word) => prompt.indexOf(word))).toEqual(words.map((word) => prompt.indexOf(word)).sort((one, other) => one - other))
    expect(prompt).not.toContain('SECRET')
    expect(problems).toEqual([
      'input[1]: left out, since items of type "compaction" cannot be read here',
      'input[2]: left out, since items of type "web_search_call" cannot be read here',
      'input[4].content[1]: left out, since content of type "encrypted_content" cannot be read here',
    ])
  })

  test('an unfinished answer at the end is continued', async () => {
    const last = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It is' }] }
    const promptOf = async (status: string) =>
      (await serverOf()('/v1/responses', { input: [said('user', 'U'), { ...last, status }] })).prompt
    expect(await promptOf('incomplete')).toMatch(/assistant\nIt is$/)
    expect(await promptOf('completed')).toMatch(/It is<\|im_end\|>\n<\|im_start\|>assistant\n$/)
  })
})

describe("Anthropic's protocol", () => {
  test('deferred tools are shown once a search has found them, after the others', async () => {
    const tool = (name: string, more = {}) => ({ name, description: `Does ${name}.`, input_schema: schema, ...more })
    const tools = [tool('A'), tool('Later', { defer_loading: true }), tool('Never', { defer_loading: true }), tool('B')]
    const messages = [
      { role: 'user', content: 'Find it.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'A', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'tool_reference', tool_name: 'Later' }] }] },
    ]
    const { prompt, problems } = await serverOf()('/v1/messages', { max_tokens: 9, tools, messages })
    expect([...prompt.matchAll(/Does (\w+)\./g)].map(([, name]) => name)).toEqual(['A', 'B', 'Later'])
    expect(prompt).toContain('The tool Later is available now.')
    expect(problems).toEqual([expect.stringContaining('tools: Never are deferred')])
  })

  test("calls and results of the vendor's tools, search results and unknown blocks are read or reported, never refused", async () => {
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'search_result', source: 'doc', title: 'TITLE', content: [{ type: 'text', text: 'FOUND' }] },
          { type: 'text', text: 'QUESTION' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'FIRST' },
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'QUERY' } },
          {
            type: 'web_search_tool_result',
            tool_use_id: 's1',
            content: [{ type: 'web_search_result', title: 'PAGE', url: 'urn:1', encrypted_content: 'SECRET' }],
          },
          { type: 'text', text: 'SECOND' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'container_upload', file_id: 'f1' },
          { type: 'text', text: 'LAST' },
        ],
      },
    ]
    const { status, prompt, problems } = await serverOf()('/v1/messages', { max_tokens: 9, messages })
    expect(status).toBe(200)
    const words = ['TITLE', 'FOUND', 'QUESTION', 'FIRST', 'QUERY', 'PAGE', 'SECOND', 'LAST']
    const places = words.map((word) => prompt.indexOf(word))
    expect(places).toEqual([...places].sort((one, other) => one - other))
    expect([prompt.includes('SECRET'), places.includes(-1)]).toEqual([false, false])
    expect(problems).toEqual(['messages[2].content[0]: left out, since blocks of type "container_upload" cannot be read here'])
  })
})

describe('chats', () => {
  const custom = {
    type: 'custom',
    custom: { name: 'patch', description: 'Edits.', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'RULES' } } },
  }
  const messages = [
    { role: 'user', content: 'Edit.' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'patch', input: 'BEFORE' } }] },
    { role: 'tool', tool_call_id: 'c1', content: 'done' },
  ]

  test('custom tools take free text, whole and streamed', async () => {
    const ask = serverOf(callOf('patch', { input: '*** "x"' }))
    const whole = await ask('/v1/chat/completions', { messages, tools: [custom] })
    expect(whole.prompt).toContain('{"name": "patch", "arguments": {"input": "BEFORE"}}')
    expect(whole.prompt).toContain('RULES')
    const called = { id: expect.stringMatching(/^[A-Za-z0-9]{9}$/), type: 'custom', custom: { name: 'patch', input: '*** "x"' } }
    expect(whole.body.choices).toMatchObject([{ message: { tool_calls: [called] }, finish_reason: 'tool_calls' }])
    expect(whole.problems).toEqual([expect.stringContaining('tools[0].custom.format')])
    const { events } = await ask('/v1/chat/completions', { messages, tools: [custom], stream: true })
    const deltas = events.flatMap(({ choices }) =>
      (choices as { delta: { tool_calls?: object[] } }[]).flatMap(({ delta }) => delta.tool_calls ?? []),
    )
    expect(deltas).toEqual([{ index: 0, ...called }])
    const forced = await serverOf(' {"input": "x"}}\n</tool_call>')('/v1/chat/completions', {
      messages,
      tools: [custom],
      tool_choice: { type: 'custom', custom: { name: 'patch' } },
    })
    expect(forced.body.choices).toMatchObject([{ message: { tool_calls: [{ type: 'custom', custom: { input: 'x' } }] } }])
  })

  test('a text part has a text and nothing else: copies of its message never reach the prompt', async () => {
    const echo = '{% for message in messages %}{{ message.content | tojson }}\n{% endfor %}{% if add_generation_prompt %}>{% endif %}'
    const part = {
      type: 'text',
      text: 'TEXT',
      role: 'assistant',
      reasoning_content: 'COPY',
      tool_calls: [{ id: 'COPY' }],
      cache_control: { type: 'COPY' },
    }
    const { prompt } = await serverOf('ok', { config: { chat_template: echo } })('/v1/chat/completions', {
      messages: [
        { role: 'user', content: 'U' },
        { role: 'assistant', content: [part, part] },
        { role: 'user', content: 'V' },
      ],
    })
    expect(prompt).toContain('TEXT')
    expect(prompt).not.toContain('COPY')
  })

  test('a last message of the assistant with `prefix` is the beginning of the reply', async () => {
    const { prompt } = await serverOf()('/v1/chat/completions', {
      messages: [
        { role: 'user', content: 'U' },
        { role: 'assistant', content: 'It is', prefix: true },
      ],
    })
    expect(prompt).toMatch(/assistant\nIt is$/)
  })
})

describe('a schema of the last answer beside tools', () => {
  const wanted = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const body = {
    input: 'Hi',
    tools: [{ type: 'function', name: 'f', parameters: schema }],
    text: { format: { type: 'json_schema', name: 'x', schema: wanted } },
  }
  const unenforced = expect.stringMatching(/^text\.format\.schema: not enforced/)

  test('leaves the model free to call, and a text that violates it is reported', async () => {
    expect((await serverOf(callOf('f', {}))('/v1/responses', body)).problems).toEqual([unenforced])
    expect((await serverOf('{"city": "Paris"}')('/v1/responses', body)).problems).toEqual([unenforced])
    expect((await serverOf('{"city": 5}')('/v1/responses', body)).problems).toEqual([
      unenforced,
      expect.stringMatching(/violates it: city expected a string/),
    ])
    expect((await serverOf('Paris')('/v1/responses', body)).problems).toEqual([unenforced, expect.stringContaining('is not JSON')])
  })
})

describe('calls that an upstream server returns and that cannot be used are reported by every API', () => {
  const at = [0, 0] as const
  const malformed: [string, ModelReply['calls'] & {}][] = [
    ['cut', [{ kind: 'malformed', error: 'malformed', raw: '{"path": "a', problem: 'the arguments are not JSON (cut)', name: 'read', at }]],
    ['without a name', [{ kind: 'malformed', error: 'no-name', raw: '{"path": "a"}', problem: 'the call names no tool', at }]],
  ]
  const asks: [string, Body][] = [
    [
      '/v1/chat/completions',
      { messages: [{ role: 'user', content: 'U' }], tools: [{ type: 'function', function: { name: 'read', parameters: schema } }] },
    ],
    ['/v1/messages', { max_tokens: 9, messages: [{ role: 'user', content: 'U' }], tools: [{ name: 'read', input_schema: schema }] }],
    ['/v1/responses', { input: 'U', tools: [{ type: 'function', name: 'read', parameters: schema }] }],
  ]
  for (const [kind, calls] of malformed) {
    for (const [path, body] of asks) {
      for (const stream of [false, true]) {
        test(`${kind}: ${path}${stream ? ', streamed' : ''}`, async () => {
          const answer = await serverOf({ text: '', calls }, { config: { format: 'messages' }, model: { forward: async () => '' } })(path, {
            ...body,
            stream,
          })
          expect(answer.problems.length).toBeGreaterThan(0)
          expect(JSON.stringify([answer.body, answer.events])).toContain('path')
        })
      }
    }
  }
})

describe('counting without a tokenizer', () => {
  const messages = [{ role: 'user', content: 'one two three four '.repeat(50) }]

  test('is an estimate that says so, and learns from what the upstream server counts', async () => {
    const ask = serverOf({ text: 'ok', tokens: { prompt: 500, reused: 0, reply: 1 } })
    const first = await ask('/v1/messages/count_tokens', { messages })
    expect(first.body.input_tokens).toBeGreaterThan(200)
    expect(first.problems).toEqual([expect.stringMatching(/estimate .* 3\.5 bytes per token/)])
    await ask('/v1/messages', { max_tokens: 5, messages })
    const second = await ask('/v1/messages/count_tokens', { messages })
    expect([second.status, second.body.input_tokens]).toEqual([200, 500])
    const { events } = await ask('/v1/messages', { max_tokens: 5, messages, stream: true })
    expect(events[0]).toMatchObject({ type: 'message_start', message: { usage: { input_tokens: 500 } } })
  })
})

describe("a context that is full is reported in the words of the API's own vendor", () => {
  const full = (error: () => Error) =>
    serverOf('', {
      model: {
        generate: async () => {
          throw error()
        },
      },
    })
  const messages = [{ role: 'user', content: 'U' }]

  test('by the model', async () => {
    const ask = full(() => promptTooLong('m', 40_000, 32_768))
    expect((await ask('/v1/messages', { max_tokens: 9, messages, stream: true })).body).toMatchObject({
      error: { type: 'invalid_request_error', message: 'prompt is too long: 40000 tokens > 32768 maximum' },
    })
    expect((await ask('/v1/chat/completions', { messages })).body).toMatchObject({
      error: { code: 'context_length_exceeded', message: expect.stringContaining("this model's maximum context length is 32768 tokens") },
    })
    const { status, events } = await ask('/v1/responses', { input: 'U', stream: true })
    expect([status, events.map(({ type }) => type)]).toEqual([200, ['response.created', 'response.failed', 'error']])
    expect(events[1]).toMatchObject({ sequence_number: 1, response: { status: 'failed', error: { code: 'context_length_exceeded' } } })
    expect((await ask('/v1/responses', { input: 'U' })).status).toBe(400)
  })
})

describe('a reply that does not fit beside the prompt', () => {
  const refusing = (said: string) => {
    const wanted: number[] = []
    const generate: LanguageModel['generate'] = async (_, { maxTokens }) => {
      wanted.push(maxTokens)
      if (maxTokens > 1000) throw new PromptError('refused', { where: 'm', problem: `http://upstream answered 400: "${said}"`, fix: '' })
      return { text: 'ok', finish: 'stop', tokens: { prompt: 7000, reused: 0, reply: 1 }, notes: [] }
    }
    return { ask: serverOf('', { model: { generate } }), wanted }
  }
  const body = { max_tokens: 32_000, messages: [{ role: 'user', content: 'U' }] }

  for (const said of [
    "This model's maximum context length is 8000 tokens. However, you requested 39000 tokens (7000 in the messages, 32000 in the completion).",
    "This model's maximum context length is 8000 tokens. However, your request has 7000 input tokens plus 32000 'max_tokens'.",
  ]) {
    test(`is asked for again with what fits: ${said.slice(50, 90)}`, async () => {
      const { ask, wanted } = refusing(said)
      expect((await ask('/v1/messages', body)).status).toBe(200)
      expect(wanted).toEqual([32_000, 1000])
    })
  }

  test('unless the prompt alone is too long', async () => {
    const { ask, wanted } = refusing("This model's maximum context length is 8000 tokens. However, your request has 9000 input tokens.")
    expect((await ask('/v1/messages', body)).body).toMatchObject({ error: { message: 'prompt is too long: 9000 tokens > 8000 maximum' } })
    expect(wanted).toEqual([32_000])
  })
})

test('clients may ask with HEAD whether there is a server', async () => {
  const app = createApp({ models: [{ model: scriptedModel({ says: () => [] }), config: { format: 'chatml' } }], apiKey: 'secret' })
  expect((await app.request('/', { method: 'HEAD' })).status).toBe(200)
})

describe('from turn to turn', () => {
  const turns = [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'U1' },
    { role: 'assistant', content: 'A1', reasoning_content: 'T1' },
    { role: 'user', content: 'U2' },
  ]
  const twice = async (first: Body, second: Body, more: Parameters<typeof serverOf>[1] = {}) => {
    const ask = serverOf('ok', more)
    expect((await ask('/v1/chat/completions', first)).problems).toEqual([])
    return (await ask('/v1/chat/completions', second)).problems
  }

  test('a prompt that grows is not reported', async () => {
    expect(await twice({ messages: turns.slice(0, 2) }, { messages: turns })).toEqual([])
  })

  test('a template that rewrites earlier text is reported with its line', async () => {
    const drops = `{% set seen = namespace(user=0) %}{% for message in messages %}{% if message.role == 'user' %}{% set seen.user = loop.index0 %}{% endif %}{% endfor %}
{% for message in messages %}<|im_start|>{{ message.role }}
{% if message.reasoning_content and loop.index0 > seen.user %}{{ message.reasoning_content }}{% endif %}
{{ message.content }}{% for call in message.tool_calls or [] %}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`
    const called = { id: 'c00000001', type: 'function', function: { name: 'f', arguments: '{}' } }
    const running = [
      ...turns.slice(0, 2),
      { role: 'assistant', content: 'A1', reasoning_content: 'T1', tool_calls: [called] },
      { role: 'tool', tool_call_id: 'c00000001', content: 'R1' },
    ]
    const notes: string[] = []
    const problems = await twice(
      { messages: running },
      { messages: [...running, { role: 'assistant', content: 'A2' }, { role: 'user', content: 'U2' }] },
      { config: { chat_template: drops }, onNote: (text) => void notes.push(text) },
    )
    expect(problems).toEqual([
      expect.stringMatching(/^prompt: the chat template rewrites earlier text, .*; line 2: the reasoning of earlier turns is dropped/),
    ])
    expect(notes).toEqual([
      expect.stringMatching(
        /^m: the prompt of a conversation is rewritten: a prefix cache keeps \d+ of \d+ characters \(prefix-rewritten\)$/,
      ),
    ])
  })

  const billed = (nonce: string, messages: readonly object[]) => ({
    max_tokens: 9,
    system: [
      { type: 'text', text: `x-anthropic-billing-header: cc_version=2; cch=${nonce};` },
      { type: 'text', text: 'Be short.' },
    ],
    messages,
  })

  test("a client's nonce in its system text costs the whole prefix and is reported, or removed", async () => {
    const [first, second] = [billed('aa', turns.slice(1, 2)), billed('bb', [turns[1]!, { role: 'assistant', content: 'A1' }, turns[3]!])]
    const ask = serverOf()
    await ask('/v1/messages', first)
    expect((await ask('/v1/messages', second)).problems).toEqual([
      expect.stringMatching(/^system: it differs from that of the previous request, "bb;/),
    ])
    const stable = serverOf('ok', { stablePrefix: true })
    const removed = await stable('/v1/messages', first)
    expect(removed.prompt).not.toContain('billing')
    expect(removed.prompt).toContain('Be short.')
    expect((await stable('/v1/messages', second)).problems).toEqual([
      expect.stringMatching(/^system: a line of Claude Code .* was removed \(--stable-prefix\)$/),
    ])
  })

  test('tools that change are reported', async () => {
    const tool = (name: string) => ({ type: 'function', function: { name, parameters: schema } })
    const problems = await twice({ messages: turns.slice(0, 2), tools: [tool('a')] }, { messages: turns, tools: [tool('b'), tool('a')] })
    expect(problems).toEqual([expect.stringMatching(/^tools: they differ from those of the previous request/)])
  })

  test('another conversation that begins with the same message, without tools, is not mistaken for the previous request', async () => {
    const tools = [{ type: 'function', function: { name: 'a', parameters: schema } }]
    const ask = serverOf()
    await ask('/v1/chat/completions', { messages: turns.slice(0, 2), tools })
    await ask('/v1/chat/completions', { messages: turns.slice(0, 2) })
    expect((await ask('/v1/chat/completions', { messages: turns, tools })).problems).toEqual([])
  })
})
