import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { scriptedModel } from '../../../../proof/testing/scripted-model.ts'
import { PromptError } from '../../../core/src/base/errors/prompt-error.ts'
import type { ModelConfig } from '../evaluation/config/config-schema.ts'
import { createApp } from './create-app.ts'
import { serve } from './serve-models.ts'
import { toClientError } from './to-client-error.ts'

// Errors speak of the client's request, never of the server's config.

/** Words that only concern the operator. */
const configWords =
  /max_seq_len|_policy|reader_cfg|infer_cfg|prompt_template|Retriever|Inferencer|format_options|tokenizer_path|extra_body|key_env|base_url|conv_template|join_turns|mean_gen_len|want:|--[a-z]|on the model|config/

type ErrorBody = { error: { message: string; param: string | null; code: string } }

async function post(app: { request(path: string, init: RequestInit): Response | Promise<Response> }, path: string, body: object) {
  const response = await app.request(path, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, ...((await response.json()) as ErrorBody) }
}

describe('a chat that a template cannot write is rejected, with the place in the template:', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', content: '1', tool_call_id: 'call_1' },
  ]
  const write = '{% for m in messages %}{{ m.content }}{% endfor %}'
  const cases: [name: string, template: string, code: string, place: string, reason: RegExp][] = [
    [
      'a list is changed in the sandbox',
      `{% set calls = [] %}\n{% for m in messages %}\n{% if m.tool_calls %}{% set _ = calls.append(m) %}{% endif %}{% endfor %}\n${write}`,
      'template-unsafe',
      'chat template, line 3, column',
      /append/,
    ],
    [
      'text is joined with a list',
      `{% for m in messages %}\n{% if m.tool_calls %}{{ m.role + m.tool_calls }}{% endif %}{% endfor %}${write}`,
      'template-failed',
      'chat template, line 2, column',
      /concatenate/,
    ],
  ]
  for (const [name, template, code, place, reason] of cases) {
    test(name, async () => {
      const models = [{ model: scriptedModel({ says: () => ['ok'] }), config: { chat_template: template, roles: 'strict' as const } }]
      const logged: string[] = []
      const app = createApp({ models, log: (text) => logged.push(text) })
      const rejected = { status: 400, error: { code, message: expect.stringContaining(place) } }
      for (const [path, body] of [
        ['/v1/chat/completions', { messages }],
        ['/v1/chat/completions', { messages, stream: true }],
        ['/v1/render', { messages }],
      ] as const) {
        const answer = await post(app, path, body)
        expect(answer).toMatchObject(rejected)
        expect(answer.error.message).toMatch(reason)
      }
      expect((await post(app, '/v1/chat/completions', { messages: messages.slice(0, 1) })).status).toBe(200)
      expect(logged).toEqual([])
    })
  }

  test('but only if its roles are strict: by default, the calls are written in another way, and reported', async () => {
    for (const [, template] of cases) {
      const app = createApp({ models: [{ model: scriptedModel({ says: () => ['ok'] }), config: { chat_template: template } }] })
      const response = await app.request('/v1/chat/completions', { method: 'POST', body: JSON.stringify({ messages }) })
      const reply = { choices: [{ problems: ['messages[1]: calls are written as text'] }] }
      expect([response.status, await response.json()]).toMatchObject([200, reply])
    }
  })

  test('but not if its thread fails', () => {
    expect(
      toClientError(new PromptError('template-failed', { where: 'chat_template', problem: 'out of memory', fix: 'x' })),
    ).toBeUndefined()
  })
})

describe('a chat that the format does not support is rejected by the field at fault:', () => {
  const image = { type: 'image_url', image_url: { url: 'data:,' } }
  const user = { role: 'user', content: 'Hi' }
  const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }
  const alternating =
    "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}{{ m.content }}{% endfor %}"
  const cases: [name: string, config: ModelConfig, body: object, param: string | null][] = [
    ['an image', { format: 'internlm2' }, { messages: [{ role: 'user', content: [image] }] }, 'messages[0].content[0]'],
    ['tools', { conv_template: 'vicuna_v1.1' }, { messages: [user], tools: [tool] }, 'tools[0]'],
    ['a role', { format: 'chatml' }, { messages: [{ role: 'robot', content: 'Hi' }] }, 'messages[0].role'],
    [
      'calls',
      { conv_template: 'vicuna_v1.1' },
      { messages: [user, { role: 'assistant', tool_calls: [{ name: 'f' }] }, user] },
      'messages[1].tool_calls',
    ],
    [
      'a system turn',
      { chat_template: alternating, roles: 'strict' },
      { messages: [{ role: 'system', content: 'Be.' }, user] },
      'messages[0]',
    ],
    ['a missing reply to continue', { format: 'chatml' }, { messages: [user], continue_final_message: true }, 'messages[0]'],
  ]
  for (const [name, config, body, param] of cases) {
    test(name, async () => {
      const app = createApp({ models: [{ model: scriptedModel({ says: () => ['ok'] }), config }] })
      const { status, error } = await post(app, '/v1/chat/completions', body)
      expect({ status, param: error.param, message: error.message }).toEqual({
        status: 400,
        param,
        message: expect.not.stringMatching(configWords),
      })
    })
  }
})

test('a prompt that is too long is rejected with its token count and a fix', async () => {
  const server = await serve({ models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }] })
  try {
    const messages = [{ role: 'user', content: '12 + 34 = ? '.repeat(400) }]
    const response = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify({ messages }) })
    expect(await response.json()).toEqual({
      error: {
        message: expect.stringMatching(
          /^this model's maximum context length is 1024 tokens, but the prompt has \d+ tokens\. Send less: fewer or shorter messages, or a shorter prompt\.$/,
        ),
        type: 'invalid_request_error',
        param: null,
        code: 'context_length_exceeded',
      },
    })
  } finally {
    await server.close()
  }
})

describe('a row that cannot be rendered is rejected by the field at fault:', () => {
  const cases: [name: string, body: object, param: string][] = [
    ['examples without a template', { template: '{q}', row: { q: '1' }, examples: [{ q: '2' }] }, 'template'],
    ['examples without a place', { template: '{q}', ice_template: '{q}', row: { q: '1' }, examples: [{ q: '2' }] }, 'ice_token'],
    ['an invalid template', { template: 5, row: { q: '1' } }, 'template'],
    ['an unknown role', { template: { round: [{ role: 'ROBOT', prompt: '{q}' }] }, row: { q: '1' } }, 'template.round[0].role'],
  ]
  for (const [name, body, param] of cases) {
    test(name, async () => {
      const app = createApp({ models: [{ model: scriptedModel({ says: () => ['ok'] }), config: { format: 'chatml' } }] })
      const { status, error } = await post(app, '/v1/render', body)
      expect({ status, param: error.param, message: error.message }).toEqual({
        status: 400,
        param,
        message: expect.not.stringMatching(configWords),
      })
    })
  }
})

test('the upstream server is quoted without its address', () => {
  const problem = 'http://10.0.0.7:8000/v1 answered 400: "This model\'s maximum context length is 4096 tokens"'
  const error = toClientError(new PromptError('refused', { where: 'qwen', problem, fix: 'extra_body changes what is sent' }))
  expect(error).toEqual({
    status: 400,
    message: "the upstream server rejected the request: This model's maximum context length is 4096 tokens",
    code: 'context_length_exceeded',
  })
})

test('an error in the config is not disclosed', () => {
  const error = new PromptError('wrong-kind', { where: 'qwen › endpoint', problem: 'completions takes text', fix: "use endpoint: 'chat'" })
  expect(toClientError(error)).toBeUndefined()
})

test('no error located in a request suggests changing the config', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const folders = [
    'core/src/prompt/conversation',
    'core/src/prompt/format/adapt',
    'core/src/prompt/format/internlm2',
    'core/src/prompt/format/chat-template',
    'rolecall/src/model/language-model',
    'rolecall/src/model/openai',
    'rolecall/src/model/embedded',
    'core/src/prompt/tokenizer',
    'core/src/prompt/compile/fit',
  ]
  const leaking = folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) => [...readFileSync(`${root}${folder}/${file}`, 'utf8').matchAll(/new PromptError\('([\w-]+)', \{([\s\S]*?)\}\)/g)])
      .filter(([, , details]) => configWords.test(/fix:([\s\S]*)$/.exec(details!)?.[1] ?? ''))
      .flatMap(([, code, details]) => {
        const error = new PromptError(code!, { where: 'messages[0]', problem: 'this is wrong', fix: details! })
        return configWords.test(toClientError(error)?.message ?? '') ? [code!] : []
      }),
  )
  // These are only ever located in a config, so clients never see them.
  const configOnly = [
    'bad-tokenizer',
    'missing',
    'missing-bos',
    'unknown-vocabulary',
    'wrong-kind',
    'wrong-token-id',
    'thoughts-dropped',
    'unread-template',
    'two-formats',
  ]
  expect([...new Set(leaking)].filter((code) => !configOnly.includes(code))).toEqual([])
})
