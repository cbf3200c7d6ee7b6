import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { plain } from '../../../packages/core/src/base/text/index.ts'
import type { Prompt } from '../../../packages/core/src/prompt/format/format.ts'
import { anthropicBatches } from '../../../packages/rolecall/src/model/batch/anthropic-batches.ts'
import { connectBatch } from '../../../packages/rolecall/src/model/batch/connect-batch.ts'
import { openaiBatches } from '../../../packages/rolecall/src/model/batch/openai-batches.ts'
import { anthropicApi } from '../../../packages/rolecall/src/model/chat-apis/anthropic-api.ts'
import { googleApi } from '../../../packages/rolecall/src/model/chat-apis/google-api.ts'
import type { LanguageModel } from '../../../packages/rolecall/src/model/language-model/language-model.ts'
import type { HttpClient, HttpReply } from '../../../packages/rolecall/src/model/openai/http/http-client.ts'
import { openServerModel } from '../../../packages/rolecall/src/model/openai/open-openai.ts'
import { openaiApi } from '../../../packages/rolecall/src/model/openai/openai-api.ts'
import { standInBatches } from '../stand-in-batches.ts'
import { anthropicMessage, googleReply } from '../strict-apis.ts'
import type { Attack, Chance } from './attack.ts'

const from = { by: 'template', path: 'attack' } as const
const asked = (text: string): Prompt => ({ kind: 'chat', messages: [{ role: 'user', content: [plain(text, from)] }], stop: [], notes: [] })

const values: readonly unknown[] = [
  ...[null, true, 0, -1, 1e308, '', 'x', '\u0000\u001b[2J', [], [null], {}, { a: { b: [] } }, '__proto__', 'constructor'],
  ...[JSON.parse('{"__proto__": {"polluted": true}}'), 'x'.repeat(100_000), { type: 'error', error: 'no' }],
]

/** A copy of some JSON with a hostile value at a random place, or without that place. */
function mutated(value: unknown, chance: Chance): unknown {
  if (typeof value !== 'object' || value === null || chance.once(6)) return chance.pick(values)
  const keys = Object.keys(value)
  if (keys.length === 0) return chance.pick(values)
  const key = chance.pick(keys)
  const old = (value as Record<string, unknown>)[key]
  if (Array.isArray(value)) return value.map((one: unknown, index) => (String(index) === key ? mutated(one, chance) : one))
  if (chance.once(5)) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
  return { ...value, [key]: mutated(old, chance) }
}

const messages = {
  anthropic: {
    whole: [
      anthropicMessage([
        { type: 'thinking', thinking: 'Hm.', signature: 's' },
        { type: 'text', text: 'A', citations: null },
        { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
      ]),
    ],
    stream: [
      { type: 'message_start', message: anthropicMessage([]) },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'A' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't1', name: 'f', input: {} } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"a": 1}' } },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } },
      { type: 'message_stop' },
    ],
  },
  google: {
    whole: [
      googleReply([{ text: 'Hm.', thought: true }, { text: 'A' }, { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 's' }]),
    ],
    stream: [googleReply([{ text: 'A' }], { finishReason: undefined }), googleReply([{ functionCall: { name: 'f', args: {} } }])],
  },
} as const

function replyOf(status: number, text: string, type = 'application/json', chunk = 7): HttpReply {
  return {
    status,
    header: (name) => (name === 'content-type' ? type : undefined),
    text: async () => text,
    async *chunks() {
      const bytes = new TextEncoder().encode(text)
      for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk)
    },
    discard: () => undefined,
  }
}

const clock = () => {
  let skipped = 0
  return {
    now: () => Date.now() + skipped,
    sleep: async (milliseconds: number, signal?: AbortSignal) => {
      signal?.throwIfAborted()
      skipped += milliseconds
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** What came of a request: a reply of plain values, an error that names itself, or something else. */
async function outcome(model: LanguageModel, question: string, slack: number): Promise<string | undefined> {
  const started = performance.now()
  try {
    const { text, reasoning = '', calls = [], tokens, finish } = await model.generate(asked(question), { maxTokens: 8 })
    const areTexts = [text, reasoning, ...calls.map((call) => (call.kind === 'call' ? call.name : call.kind))].every(
      (one) => typeof one === 'string',
    )
    const areNumbers = [tokens.prompt, tokens.reused, tokens.reply].every((one) => typeof one === 'number' && !Number.isNaN(one))
    if (!areTexts || !areNumbers) return `the reply is not of plain values: ${JSON.stringify({ text, reasoning, calls, tokens })}`
    if (text === '' && reasoning === '' && calls.length === 0 && finish === 'stop') return undefined
  } catch (error) {
    if (!(error instanceof PromptError)) return `it ended with ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
    // A terminal would obey it.
    if (error.message.includes('\u001b')) return `the error has control characters: ${JSON.stringify(error.message)}`
  }
  if ('polluted' in {}) return 'a prototype was polluted'
  return performance.now() - started > 5000 * slack ? `it took ${Math.round(performance.now() - started)} ms` : undefined
}

/** Replies of Anthropic's and Gemini's APIs with a wrong value at any place, whole and streamed. */
export const chatApis: Attack = {
  name: 'chat APIs',
  holds:
    "no reply of Anthropic's or Gemini's API, wrong at any place, crashes, hangs, pollutes or is read as something else than plain values",
  async run({ chance, goesOn, tried, gotThrough, slack }) {
    while (goesOn()) {
      const service = chance.pick(['anthropic', 'google'] as const)
      const stream = chance.once(2)
      const given: readonly unknown[] = messages[service][stream ? 'stream' : 'whole']
      const place = chance.number(given.length)
      const sent = given.map((event, index) => (index === place ? mutated(event, chance) : event))
      const status = chance.once(8) ? chance.pick([400, 401, 404, 429, 500, 529]) : 200
      const text = stream ? sent.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') : JSON.stringify(sent[0])
      const cut = chance.once(8) ? text.slice(0, chance.number(text.length)) : text
      const client: HttpClient = async () => replyOf(status, cut, stream ? 'text/event-stream' : 'application/json')
      const model = openServerModel(
        service === 'anthropic' ? anthropicApi() : googleApi(),
        { path: 'm', base_url: 'http://127.0.0.1:9', retries: 0, stream, max_server_wait: 1 },
        { client, clock: clock(), random: () => 0.5 },
      )
      const problem = await outcome(model, 'q', slack)
      tried()
      if (problem !== undefined) gotThrough(`${service} ${status} ${cut.slice(0, 500)}: ${problem}`)
      await model.close?.()
    }
  },
}

/** Batch endpoints whose answers are wrong at any place, in any request. */
export const batchApis: Attack = {
  name: 'batch endpoints',
  holds: 'whatever a batch endpoint answers, a row gets its own result or an error, and nothing crashes or hangs',
  async run({ chance, goesOn, tried, gotThrough, slack }) {
    while (goesOn()) {
      const service = chance.pick(['openai', 'anthropic'] as const)
      const standIn = standInBatches(service, { polls: chance.number(2) })
      const wrong = chance.number(5)
      let number = 0
      let sent = ''
      const client: HttpClient = async ({ url, method, headers, body }) => {
        const { pathname, search } = new URL(url)
        const text = body === undefined ? '' : typeof body === 'string' ? body : new TextDecoder().decode(body)
        const answer = standIn.answer({ method, path: pathname + search, headers, body: text, number })
        if (typeof answer === 'function' || 'events' in answer) return replyOf(500, '')
        const honest = 'json' in answer ? JSON.stringify(answer.json) : answer.text
        if (number++ !== wrong) return replyOf(answer.status ?? 200, honest, 'application/json', 1000)
        const lines = honest.split('\n').filter((line) => line !== '')
        const line = chance.number(lines.length)
        sent = lines.map((one, index) => (index === line ? JSON.stringify(mutated(JSON.parse(one), chance)) : one)).join('\n')
        if (chance.once(6)) sent = sent.slice(0, chance.number(sent.length))
        return replyOf(chance.once(6) ? chance.pick([400, 404, 429, 500]) : 200, sent, 'application/json', 1000)
      }
      const [api, batches] = service === 'openai' ? [openaiApi, openaiBatches] : [anthropicApi(), anthropicBatches]
      const model = connectBatch(
        api,
        batches,
        { path: 'm', base_url: 'http://127.0.0.1:9/v1', retries: 1, max_server_wait: 1 },
        { environment: {}, connect: () => ({ client, close: async () => {} }), tokenizerOf: () => undefined },
        { clock: clock(), random: () => 0.5 },
      )
      const questions = ['a', 'b', 'c']
      const problems = await Promise.all(questions.map((question) => outcome(model, question, slack)))
      const texts = await Promise.all(
        questions.map((question) =>
          model.generate(asked(question), { maxTokens: 8 }).then(
            ({ text }) => text,
            () => '',
          ),
        ),
      )
      tried()
      for (const problem of problems)
        if (problem !== undefined) gotThrough(`${service}, answer ${wrong} was ${sent.slice(0, 500)}: ${problem}`)
      for (const [index, text] of texts.entries())
        if (questions.some((other, at) => at !== index && text === `${other}!`))
          gotThrough(`${service}: ${sent.slice(0, 500)}: a row got the reply of another`)
      await model.close?.()
    }
  },
}
