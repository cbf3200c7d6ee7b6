import { embeddedTokenizer } from '../../../packages/rolecall/src/node/models/load-embedded.ts'
import { createApp } from '../../../packages/rolecall/src/server/create-app.ts'
import { listen } from '../../../packages/rolecall/src/server/listen.ts'
import { scriptedModel } from '../scripted-model.ts'
import type { Attack, Chance } from './attack.ts'

const tool = {
  type: 'function',
  function: {
    name: 'look',
    description: 'looks',
    parameters: { type: 'object', properties: { at: { type: 'string', pattern: '^a+$' } }, required: ['at'] },
  },
}
const bodies: Readonly<Record<string, object>> = {
  '/v1/chat/completions': {
    model: 'm',
    messages: [
      { role: 'system', content: 'be short' },
      { role: 'user', content: [{ type: 'text', text: 'hi' }], name: 'me' },
      {
        role: 'assistant',
        content: 'x',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'seen' },
    ],
    tools: [tool],
    tool_choice: 'auto',
    stream: false,
    max_tokens: 4,
    temperature: 0.5,
    top_p: 0.9,
    n: 1,
    stop: ['x'],
    seed: 1,
    logprobs: true,
    top_logprobs: 2,
    chat_template_kwargs: { a: 1 },
    stop_token_ids: [1],
    logit_bias: { 5: 1 },
    response_format: { type: 'text' },
  },
  '/v1/completions': {
    model: 'm',
    prompt: [1, 2, 3],
    max_tokens: 4,
    echo: true,
    logprobs: 1,
    stop: '\n',
    n: 1,
    best_of: 1,
    suffix: '',
    stop_token_ids: [2],
    return_token_ids: true,
  },
  '/v1/render': { model: 'm', messages: [{ role: 'user', content: 'hi' }], tools: [tool] },
}
const odd: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1e308,
  2 ** 53,
  0.5,
  '',
  'a',
  '\ud800',
  'x'.repeat(5000),
  [],
  {},
  [null],
  [[[]]],
  { $ref: '#' },
  { $ref: '#/%' },
  { type: 'object', properties: { a: { $ref: '#' } } },
  { role: 'tool' },
  { type: 'image_url', image_url: 'data:,' },
  [999_999_999],
  [-1],
  ['<|im_end|>'],
  { __proto__x: 1 },
  { anyOf: [{ $ref: '#' }, { $ref: '#' }] },
]

/** Nearly valid requests, and bytes that are not requests: none may cause a server error or block the server. */
export const httpFuzz: Attack = {
  name: 'HTTP fuzz',
  holds: 'no request is answered with 500 or not at all, and the server goes on',
  async run({ chance, goesOn, tried, gotThrough }) {
    const model = {
      ...scriptedModel({ says: () => ['look', ' at ', '<tool_call>{"name": "look", "arguments": {"at": 5}}</tool_call>'] }),
      tokenizer: embeddedTokenizer(),
    }
    const logged: string[] = []
    const app = createApp({ models: [{ model, config: { abbr: 'm', format: 'chatml' } }], log: (text) => logged.push(text) })
    const server = await listen(app)
    try {
      while (goesOn()) {
        const path = chance.pick([...Object.keys(bodies), '/v1/models', '/health', '/v1/%2e%2e/x', '/'])
        const body = bodyFor(path, chance)
        const method = chance.once(8) ? chance.pick(['GET', 'PUT', 'DELETE', 'OPTIONS']) : 'POST'
        const answer = await ask(`${server.url}${path}`, method, body, chance)
        tried()
        if (answer.problem !== undefined) gotThrough(`${answer.problem} ${logged.splice(0).join(' ')}: ${method} ${path} ${body}`)
      }
      const last = await ask(
        `${server.url}/v1/chat/completions`,
        'POST',
        JSON.stringify({ messages: [{ role: 'user', content: 'hi' }] }),
        chance,
        200,
      )
      if (last.problem !== undefined) gotThrough(`afterwards ${last.problem}`)
    } finally {
      await server.close({ now: true })
    }
  },
}

async function ask(url: string, method: string, body: string, chance: Chance, only?: number): Promise<{ problem?: string }> {
  const hasBody = method !== 'GET'
  const type =
    only === undefined && chance.once(10)
      ? chance.pick(['text/plain', 'multipart/form-data', 'application/json; charset=utf-16'])
      : 'application/json'
  try {
    const init = { method, headers: { 'content-type': type }, ...(hasBody ? { body } : {}), signal: AbortSignal.timeout(patience) }
    const response = await fetch(url, init)
    const text = await response.text()
    const isServersFault = response.status >= 500 && response.status !== 501
    if (isServersFault || (only !== undefined && response.status !== only)) return { problem: `${response.status} ${text.slice(0, 300)}` }
    return {}
  } catch (error) {
    return { problem: `no answer (${error instanceof Error ? error.message : String(error)})` }
  }
}

const patience = 30_000

function bodyFor(path: string, chance: Chance): string {
  const given = bodies[path] ?? {}
  if (chance.once(12))
    return chance.pick([
      '',
      '{',
      'null',
      '[]',
      '"a"',
      '{"a":'.repeat(5000),
      '['.repeat(100_000),
      '\u0000',
      '{"messages":[{"__proto__":{"role":"user"}}]}',
    ])
  const copy = structuredClone(given)
  for (let times = 1 + chance.number(3); times > 0; times--) mutate(copy, chance)
  return JSON.stringify(copy)
}

/** Mutates one place of a value: replaces, removes or duplicates it, or changes its key. */
function mutate(value: object, chance: Chance): void {
  const keys = Object.keys(value)
  if (keys.length === 0) return
  const key = chance.pick(keys)
  const held = (value as Record<string, unknown>)[key]
  if (typeof held === 'object' && held !== null && !chance.once(3)) {
    mutate(held, chance)
    return
  }
  const record = value as Record<string, unknown>
  const kind = chance.number(4)
  if (kind === 0 && !Array.isArray(value)) delete record[key]
  else if (kind === 1)
    record[chance.pick(['__proto__', 'constructor', 'token_ids', 'content', 'x', '0', 'stream', 'tools', 'strict'])] = structuredClone(
      chance.pick(odd),
    )
  else if (kind === 2 && Array.isArray(value)) value.push(...value.slice(0, 5))
  else record[key] = structuredClone(chance.pick(odd))
}
