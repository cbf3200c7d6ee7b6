import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Attack, Chance } from './attack.ts'
import { schemaBomb } from './schema-bombs.ts'

/** The longest block, in milliseconds of processor time, that a request may cause. */
const longest = 50

/** Hard requests on every route; none may block the event loop. Longer chats still do: a chat is read and rendered in one go (SECURITY.md). */
export const blockedLoops: Attack = {
  name: 'blocked loops',
  holds: `no request of up to 300 messages or 10,000 ids blocks the event loop for more than ${longest} ms, measured three times`,
  async run({ chance, goesOn, tried, gotThrough }) {
    const jiti = createRequire(import.meta.url)
      .resolve('jiti/package.json')
      .replace('package.json', 'lib/jiti-cli.mjs')
    const child = fork(jiti, [fileURLToPath(new URL('loop-server.ts', import.meta.url))], { execArgv: [] })
    try {
      const { url } = (await answerOf(child)) as { url: string }
      // The first requests compile our own code.
      for (const [path, body] of requests(chance)) await send(url, path, body)
      while (goesOn()) {
        for (const [path, body, what] of requests(chance)) {
          if (!goesOn()) break
          const blocks: number[] = []
          // Once is a coincidence: the collector of garbage, or a busy machine.
          while (blocks.length < 3 && (blocks.length === 0 || blocks.at(-1)! > longest)) blocks.push(await measure(child, url, path, body))
          tried()
          if (Math.min(...blocks) > longest)
            gotThrough(`${what} on ${path} blocks for ${blocks.map((one) => one.toFixed(0)).join(', ')} ms`)
        }
      }
    } finally {
      child.send('end')
    }
  },
}

async function measure(child: ChildProcess, url: string, path: string, body: object): Promise<number> {
  await ask(child)
  await send(url, path, body)
  return ((await ask(child)) as { longest: number }).longest
}

async function send(url: string, path: string, body: object): Promise<void> {
  const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(60_000) })
  await response.text()
}

function ask(child: ChildProcess): Promise<unknown> {
  const answer = answerOf(child)
  child.send('longest')
  return answer
}

function answerOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null) => reject(new Error(`the server ended with ${code}`))
    child.once('exit', fail)
    child.once('message', (answer) => {
      child.off('exit', fail)
      resolve(answer)
    })
  })
}

function requests(chance: Chance): [path: string, body: object, what: string][] {
  const text = (length: number) => 'lorem ipsum dolor '.repeat(Math.ceil(length / 18)).slice(0, length)
  const chat = (more: object) => ({
    model: chance.pick(['tiny', 'template']),
    messages: [{ role: 'user', content: 'hi' }],
    max_tokens: 2,
    ...more,
  })
  const messages = Array.from({ length: 300 }, (_, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: 'x' }))
  const schema = chance.pick([
    schemaBomb(12, 5),
    schemaBomb(12, 20),
    schemaBomb(8, 5),
    { type: 'string', not: { pattern: '(a|b)*a(a|b){14}$' } },
  ])
  const tool = { type: 'function', function: { name: 'f', parameters: schema, strict: true } }
  const size = 10_000 + chance.number(50_000)
  const chats = '/v1/chat/completions'
  return [
    [chats, chat({}), 'a short chat'],
    [chats, chat({ messages }), '300 messages'],
    [chats, chat({ messages: [{ role: 'user', content: text(size) }] }), 'a long message'],
    [chats, chat({ response_format: { type: 'json_schema', json_schema: { schema } } }), 'a schema'],
    [chats, chat({ model: 'tiny', tools: [tool], tool_choice: 'required' }), 'a schema of a forced call'],
    [chats, chat({ model: 'tiny', tools: [tool] }), 'a strict schema'],
    [chats, chat({ guided_regex: '([a-z]?){3000}0' }), 'a pattern'],
    [chats, chat({ guided_choice: Array.from({ length: 5000 }, (_, index) => `c${index}`) }), 'a choice of 5,000'],
    [chats, chat({ stop: Array.from({ length: 5000 }, (_, index) => `s${index}`) }), '5,000 stops'],
    ['/v1/completions', { model: 'tiny', prompt: text(size), max_tokens: 1 }, 'a long prompt'],
    ['/v1/completions', { model: 'tiny', prompt: Array.from({ length: 10_000 }, () => 5), max_tokens: 1 }, '10,000 ids'],
    ['/v1/messages', { model: 'tiny', max_tokens: 1, messages }, '300 messages'],
    ['/v1/messages/count_tokens', { model: 'tiny', messages: [{ role: 'user', content: text(size) }] }, 'a long message'],
    ['/v1/responses', { model: 'tiny', input: messages, max_output_tokens: 1 }, '300 items'],
    ['/v1/responses/input_tokens', { model: 'tiny', input: text(size) }, 'a long text'],
    ['/tokenize', { model: 'tiny', content: text(size), with_pieces: true }, 'a long text'],
    ['/detokenize', { model: 'tiny', tokens: Array.from({ length: 50_000 }, () => 5) }, '50,000 ids'],
    ['/apply-template', { model: 'template', messages: [{ role: 'user', content: text(size) }] }, 'a long message'],
    ['/v1/render', { model: 'tiny', messages: [{ role: 'user', content: text(size) }] }, 'a long message'],
    ['/v1/embeddings', { model: 'tiny', input: text(size) }, 'a long text'],
  ]
}
