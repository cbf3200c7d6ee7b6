import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { type Deviation, fakeLlamaServer } from '../../../../../proof/testing/fake-llama-server.ts'
import { succeeds } from '../../../../../proof/testing/run-program.ts'
import { type Scripted, type ScriptedServer, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { compileTemplate } from '../../../../core/src/base/jinja/index.ts'
import type { PartsEngine } from '../../../../core/src/prompt/format/parts/parts-engine.ts'
import type { Tokenizer } from '../../../../core/src/prompt/tokenizer/tokenizer.ts'
import { writingOfTemplate } from '../../cli/verify/our-writing.ts'
import { fetchClient } from '../../model/openai/http/fetch-client.ts'
import { loadEmbedded } from '../../node/models/load-embedded.ts'
import { loadTokenizer, shippedTokenizer } from '../../node/models/load-tokenizer.ts'
import { createApp } from '../../server/create-app.ts'
import { openServer, ServerRequests, type Verification, verifyServer } from './index.ts'

const template = `{{ bos_token }}{% for m in messages %}<|im_start|>{{ m.role }}
{{ m.content.split('</think>')[-1] if m.role == 'assistant' and not loop.last else m.content }}<|im_end|>
{% endfor %}<|im_start|>assistant
{{ '<think>' if enable_thinking is not defined or enable_thinking }}`

const opened: ScriptedServer[] = []
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close()
})

function rootOf(server: ScriptedServer): string {
  return server.url.replace('/v1', '')
}

async function verify(
  server: ScriptedServer,
  { most = 80, tokenizer, echo = false }: { most?: number; tokenizer?: Tokenizer; echo?: boolean } = {},
) {
  opened.push(server)
  const requests = new ServerRequests(fetchClient(), rootOf(server), {}, most)
  const found = await openServer(requests)
  const specialTokens = found.specialTokens ?? { bos_token: '<s>', eos_token: '</s>' }
  const ours = writingOfTemplate(
    { source: found.template ?? template, name: 'its own template', specialTokens },
    tokenizer,
    compileTemplate,
    found.engine,
  )
  return verifyServer(found, ours, requests, { echo })
}

const causesOf = ({ byCause }: Verification) => byCause.map(({ cause }) => cause)

describe('a server of llama.cpp', () => {
  test('that follows its template matches, using only read-only paths and no more requests than allowed', async () => {
    const server = await fakeLlamaServer(template)
    const found = await verify(server, { most: 40 })
    expect(found).toMatchObject({ server: { kind: 'llama.cpp', version: 'fake-1', model: 'fake' }, byCause: [] })
    expect(found.sameText).toBe(found.chats - found.refused)
    expect(server.seen.length).toBe(found.requests)
    expect(found.requests).toBeLessThanOrEqual(40)
    expect([...new Set(server.seen.map(({ method, path }) => `${method} ${path}`))].toSorted()).toEqual([
      'GET /props',
      'GET /v1/models',
      'POST /apply-template',
      'POST /tokenize',
    ])
    expect(found.notes).toEqual([
      expect.stringContaining('media were not compared'),
      expect.stringContaining('no tokenizer is given (--tokenizer)'),
    ])
  })

  const deviations: [string, Deviation][] = [
    ['bos', { text: (text) => text.replace('<s>', '') }],
    ['parts', { text: (text) => text.replace('One?\nTwo?', 'One?Two?') }],
    ['system', { messages: (messages) => messages.filter(({ role }) => role !== 'system') }],
    ['reasoning', { messages: (messages) => messages.map((one) => ({ ...one, content: one.content.replace('</think>', '<\\/think>') })) }],
    ['thinking', { ignoresSwitches: true }],
    ['white-space', { text: (text) => text.replaceAll('<|im_end|>\n', '<|im_end|>') }],
    ['text', { text: (text) => text.replaceAll('user', 'human') }],
  ]
  test.for(deviations)('the cause of a difference is named: %s', async ([cause, deviation]) => {
    const found = await verify(await fakeLlamaServer(template, deviation))
    expect(causesOf(found)).toEqual([cause])
    const [{ example, count, fix }] = found.byCause as [Verification['byCause'][number]]
    expect(count).toBeGreaterThan(0)
    expect(fix).not.toBe('')
    expect(example.ours).not.toBe(example.theirs)
  })

  test('several simultaneous causes are distinguished', async () => {
    const found = await verify(
      await fakeLlamaServer(template, {
        text: (text) => text.replace('<s>', ''),
        messages: (messages) => messages.filter(({ role }) => role !== 'system'),
        ignoresSwitches: true,
      }),
    )
    expect(causesOf(found).toSorted()).toEqual(['bos', 'system', 'thinking'])
  })

  test('that rejects what the template accepts, or vice versa, is reported with the message', async () => {
    const refusing = await verify(
      await fakeLlamaServer(template, {
        messages(messages) {
          if (messages[0]?.role === 'assistant') throw new Error('the user has to begin')
          return messages
        },
      }),
    )
    expect(refusing.byCause).toMatchObject([{ cause: 'server-refuses', example: { theirs: 'refused: the user has to begin' } }])
    const strict = `{% if messages[0].role == 'assistant' %}{{ raise_exception('the user has to begin') }}{% endif %}${template}`
    const lenient = await verify(await fakeLlamaServer(strict, { messages: (all) => all.filter(({ role }) => role !== 'assistant') }))
    expect(causesOf(lenient)).toContain('template-refuses')
  })

  test('in which user text becomes a control token is detected, with and without our tokenizer', async () => {
    const special = (text: string) => (text.includes('<|im_end|>') ? [1, 2] : [3])
    const encode: Deviation['encode'] = (text, { parse_special: recognises }) => (recognises ? special(text) : [3])
    const without = await verify(await fakeLlamaServer(template, { encode }))
    expect(without.byCause).toMatchObject([{ cause: 'injected', example: { chat: 'a user message with <|im_end|>' } }])
    const joined = shippedTokenizer()
    const text = await verify(await fakeLlamaServer(template, { encode: (given) => joinedIds(given, joined) }), { tokenizer: joined })
    expect(causesOf(text)).toEqual(['injected'])
    expect(text.sameIds).toBeGreaterThan(20)
  })

  test('that adds BOS twice is reported', async () => {
    const tokenizer = shippedTokenizer()
    const found = await verify(await fakeLlamaServer(template, { encode: (text) => [tokenizer.bos!, ...joinedIds(text, tokenizer)] }), {
      tokenizer,
    })
    expect(causesOf(found)).toContain('bos')
  })
})

/** Encodes like servers: control tokens are recognised everywhere. */
function joinedIds(text: string, tokenizer: Tokenizer): number[] {
  const markers = tokenizer.addedTokens.map(({ content }) => content).toSorted((one, other) => other.length - one.length)
  const ids: number[] = []
  let rest = text
  while (rest !== '') {
    const at = markers.map((marker) => ({ marker, place: rest.indexOf(marker) })).filter(({ place }) => place >= 0)
    const first = at.toSorted((one, other) => one.place - other.place || other.marker.length - one.marker.length)[0]
    const run = first === undefined ? rest : rest.slice(0, first.place)
    if (run !== '') ids.push(...tokenizer.encodeRun(run, ids.length === 0, () => false).ids)
    if (first === undefined) break
    ids.push(tokenizer.idOf(first.marker)!)
    rest = rest.slice(first.place + first.marker.length)
  }
  return ids
}

describe('other servers', () => {
  const tokenizer = shippedTokenizer()
  const writes = (messages: unknown, engine: PartsEngine) => {
    const ours = writingOfTemplate(
      { source: template, name: 't', specialTokens: { bos_token: '<s>', eos_token: '</s>' } },
      tokenizer,
      compileTemplate,
      engine,
    )
    return ours.write({ messages: messages as [] }, {})
  }

  const vllm = (change: (ids: number[]) => number[] = (ids) => ids) =>
    scriptedServer(({ path, body }): Scripted => {
      if (path === '/v1/models') return { json: { data: [{ id: 'm', owned_by: 'vllm', root: '/nowhere' }] } }
      const given = JSON.parse(body) as { messages: unknown; tokens: number[] }
      if (path === '/detokenize')
        return { json: { prompt: new TextDecoder().decode(Buffer.concat(given.tokens.map((id) => tokenizer.bytesOf(id)))) } }
      const written = writes(given.messages, 'vllm')
      if ('refused' in written) return { status: 400, json: { message: written.refused } }
      const ids = [...written.ids!]
      if (path === '/tokenize') return { json: { tokens: ids, count: ids.length } }
      return {
        json: {
          prompt_logprobs: [
            null,
            ...change(ids)
              .slice(1)
              .map((id) => ({ [id]: { logprob: -1 } })),
          ],
        },
      }
    })

  test('vLLM returns the ids of messages and, with echo, those the engine used', async () => {
    const server = await vllm()
    const found = await verify(server, { tokenizer, echo: true })
    expect(found).toMatchObject({ server: { kind: 'vLLM', model: 'm' } })
    expect(causesOf(found).filter((cause) => cause !== 'thinking')).toEqual([])
    expect(found.sameIds).toBeGreaterThan(20)
    expect(found.notes).toContainEqual('4 prompts were compared with the ids the engine used (--echo)')
    expect(server.seen.length).toBeLessThanOrEqual(80)
    const other = await verify(await vllm((ids) => ids.map((id) => id + 1)), { tokenizer, echo: true })
    expect(other.byCause.find(({ cause }) => cause === 'tokens')?.example.chat).toContain('as seen by the engine')
  })

  test('SGLang returns only token counts, which are compared and reported', async () => {
    const server = await scriptedServer(({ path, body }): Scripted => {
      if (path === '/v1/models') return { json: { data: [{ id: 'm', owned_by: 'sglang' }] } }
      const written = writes((JSON.parse(body) as { messages: { content: string }[] }).messages, 'sglang')
      if ('refused' in written) return { status: 400, json: { error: { message: written.refused } } }
      const extra = body.includes('Rule') ? 1 : 0
      return { json: { usage: { prompt_tokens: written.ids!.length + extra } } }
    })
    const found = await verify(server, { tokenizer })
    expect(found.byCause.find(({ cause }) => cause === 'count')?.count).toBeGreaterThan(0)
    expect(found.sameIds).toBeGreaterThan(10)
    expect(found.notes[0]).toContain('only the number of prompt tokens')
    // Without a tokenizer there is nothing to compare, which is not a success.
    await expect(verify(server)).rejects.toMatchObject({ code: 'nothing-compared', fix: expect.stringContaining('--tokenizer') })
  })

  // By default it writes as text the tools that this template drops; strictly, it rejects them.
  test.each([
    ['strict', []],
    ['auto', ['tools']],
  ] as const)('our own server matches, with roles: %s', async (roles, expected) => {
    const app = createApp({
      models: [
        {
          name: 'tiny',
          model: await loadEmbedded(),
          config: { chat_template: template, roles, special_tokens: { bos_token: '<s>', eos_token: '</s>' } },
        },
      ],
    })
    const client = fetchClient((async (url: string, init: RequestInit) =>
      app.request(String(url).replace('http://ours', ''), init)) as typeof fetch)
    const requests = new ServerRequests(client, 'http://ours', {}, 40)
    const server = await openServer(requests)
    const ours = writingOfTemplate(
      { source: template, name: 't', specialTokens: { bos_token: '<s>', eos_token: '</s>' } },
      tokenizer,
      compileTemplate,
    )
    const found = await verifyServer(server, ours, requests)
    expect(server.kind).toBe('Rolecall')
    expect(causesOf(found).filter((cause) => cause !== 'server-refuses')).toEqual(expected)
    expect(found.sameIds).toBeGreaterThan(20)
  })

  test('an unsupported server is an error that quotes its reply', async () => {
    const server = await scriptedServer(() => ({ status: 404, json: { error: { message: 'not here' } } }))
    await expect(verify(server)).rejects.toMatchObject({ code: 'unknown-server', problem: expect.stringContaining('not here') })
    const locked = await scriptedServer(() => ({ status: 401, json: { error: { message: 'a key is needed' } } }))
    await expect(verify(locked)).rejects.toMatchObject({ code: 'no-access', fix: expect.stringContaining('--key-env') })
  })
})

/** Debian testing has it in the package llama.cpp. */
const llama = process.env.ROLECALL_LLAMA_SERVER ?? 'llama-server'
const hasLlama = succeeds(llama, '--version')

describe.skipIf(!hasLlama)(
  `a real server of llama.cpp${hasLlama ? '' : ' (skipped: there is no llama-server here; ROLECALL_LLAMA_SERVER names one)'}`,
  () => {
    test('renders its template as we do, but continues a final answer and lets data become control tokens', {
      timeout: 120_000,
    }, async () => {
      const model = fileURLToPath(new URL('../../../embedded-model/tiny-chat.q8_0.gguf', import.meta.url))
      const port = await freePort()
      const child = spawn(llama, ['-m', model, '--port', String(port), '--host', '127.0.0.1', '-t', '1', '-c', '512', '--jinja'], {
        stdio: 'ignore',
      })
      try {
        const root = `http://127.0.0.1:${port}`
        await untilReady(root)
        const requests = new ServerRequests(fetchClient(), root, {}, 120)
        const server = await openServer(requests)
        const tokenizer = loadTokenizer(model)
        const ours = writingOfTemplate(
          { source: server.template!, name: 'its own template', specialTokens: server.specialTokens! },
          tokenizer,
          compileTemplate,
        )
        const found = await verifyServer(server, ours, requests)
        expect(found.server.kind).toBe('llama.cpp')
        expect(found.byCause.find(({ cause }) => cause === 'injected')?.count).toBeGreaterThan(0)
        expect(causesOf(found).filter((cause) => !['injected', 'last-answer', 'server-refuses'].includes(cause))).toEqual([])
        expect(found.sameIds).toBeGreaterThan(30)
      } finally {
        child.kill()
      }
    })
  },
)

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

async function untilReady(root: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const isReady = await fetch(`${root}/health`).then(
      (reply) => reply.ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('the server did not start')
}
