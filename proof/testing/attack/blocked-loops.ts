import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { scriptedServer } from '../scripted-server.ts'
import type { Attack, Chance } from './attack.ts'
import { schemaBomb } from './schema-bombs.ts'

/** The longest block, in milliseconds of processor time, that a request may cause. */
const longest = 50

/** Hard requests on every route; none may block the event loop. */
export const blockedLoops: Attack = {
  name: 'blocked loops',
  holds: `no request blocks the event loop for more than ${longest} ms, measured three times`,
  async run({ chance, slack, goesOn, tried, gotThrough }) {
    const jiti = createRequire(import.meta.url)
      .resolve('jiti/package.json')
      .replace('package.json', 'lib/jiti-cli.mjs')
    const upstream = await scriptedServer(() => (response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }] }))
    })
    const child = fork(jiti, [fileURLToPath(new URL('loop-server.ts', import.meta.url)), upstream.url], { execArgv: [] })
    try {
      const { url } = (await answerOf(child)) as { url: string }
      const most = slack * longest
      while (goesOn()) {
        const left = requests(chance)
        while (left.length > 0 && goesOn()) {
          const [path, body, what] = left.splice(chance.number(left.length), 1)[0]!
          const blocks: number[] = []
          // Once is a coincidence: our own code is compiled, garbage collected, or the machine is busy.
          while (blocks.length < 3 && (blocks.length === 0 || blocks.at(-1)! > most)) blocks.push(await measure(child, url, path, body))
          tried()
          if (Math.min(...blocks) > most) gotThrough(`${what} on ${path} blocks for ${blocks.map((one) => one.toFixed(0)).join(', ')} ms`)
        }
      }
    } finally {
      child.send('end')
      await upstream.close()
    }
  },
}

async function measure(child: ChildProcess, url: string, path: string, body: object): Promise<number> {
  await ask(child)
  await send(url, path, body)
  return ((await ask(child)) as { longest: number }).longest
}

async function send(url: string, path: string, body: object): Promise<void> {
  try {
    const sent = withNested(JSON.stringify(body))
    const response = await fetch(url + path, { method: 'POST', body: sent, signal: AbortSignal.timeout(600_000) })
    await response.text()
    if (response.status === 500) throw new Error(`${path} answers 500`)
  } catch (error) {
    // A body of more than 8 MB is refused while it is sent.
    if (!['EPIPE', 'ECONNRESET'].includes(((error as Error).cause as NodeJS.ErrnoException | undefined)?.code ?? '')) throw error
  }
}

/** Stands for objects within objects, and for spaces: JSON.stringify would overflow the stack, or write none. */
function nested(levels: number): string {
  return `nested ${levels}`
}

function withNested(json: string): string {
  return json
    .replace(/"spaces (\d+)"/, (_, count) => `${' '.repeat(Number(count))}1`)
    .replace(/"nested (\d+)"/g, (_, levels) => `${'{"a":'.repeat(Number(levels))}1${'}'.repeat(Number(levels))}`)
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
  const numbers = (length: number) => Array.from({ length }, () => 5)
  const count = chance.pick([300, 2000, 4000, 5900, 9000, 19_000])
  const messages = Array.from({ length: count }, (_, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: 'x' }))
  const parts = [{ role: 'user', content: Array.from({ length: count }, () => ({ type: 'text', text: 'x' })) }]
  const calls = Array.from({ length: Math.ceil(count / 10) }, (_, index) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${index}`, type: 'function', function: { name: 'f', arguments: '{"a": 1}' } }],
    },
    { role: 'tool', tool_call_id: `c${index}`, content: 'x' },
  ])
  const schema = chance.pick([
    schemaBomb(12, 5),
    schemaBomb(12, 20),
    schemaBomb(8, 5),
    { type: 'string', not: { pattern: '(a|b)*a(a|b){14}$' } },
  ])
  const tool = { type: 'function', function: { name: 'f', parameters: schema, strict: true } }
  const tools = Array.from({ length: 1000 }, (_, index) => ({
    type: 'function',
    function: { name: `f${index}`, parameters: { type: 'object' } },
  }))
  const enumTool = {
    type: 'function',
    function: { name: 'f', parameters: { type: 'object', properties: { a: { enum: numbers(count * 10) } } } },
  }
  const wideTool = {
    type: 'function',
    function: {
      name: 'f',
      parameters: { type: 'object', properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, {}])) },
    },
  }
  const blocks = [{ role: 'user', content: Array.from({ length: count }, () => ({ type: 'text', text: 'x' })) }]
  const inputParts = [{ role: 'user', content: Array.from({ length: count }, () => ({ type: 'input_text', text: 'x' })) }]
  const letters = [
    {
      role: 'user',
      content: chance.pick(['a', ' ', '\n', '😀', '<', '中', '"', '\u0000']).repeat(chance.pick([20_000, 60_000, 1_000_000, 1_300_000])),
    },
  ]
  const long = [{ role: 'user', content: text(chance.pick([10_000, 60_000, 1_000_000, 7_000_000])) }]
  const ids = numbers(chance.pick([1000, 10_000, 100_000, 290_000, 2_000_000]))
  // What only Python's reader keeps exactly.
  const [number, times] = chance.pick([
    [1.5, 19_000],
    [1e-300, 19_000],
    [2 ** 70, 19_000],
    [7, 190_000],
  ] as const)
  const inexact = { a: Array.from({ length: times }, () => number), b: 1e22 }
  // As much as a body may have: 8 MB.
  const [character, size] = chance.pick([
    ['a', 7_900_000],
    ['中', 2_600_000],
    ['😀', 1_950_000],
    ['\n', 1_950_000],
    ['"', 1_950_000],
  ] as const)
  const whole = [{ role: 'user', content: character.repeat(size) }]
  const chats = '/v1/chat/completions'
  return [
    [chats, chat({}), 'a short chat'],
    [chats, chat({ messages }), `${count} messages`],
    [chats, chat({ messages: parts }), `${count} parts`],
    [chats, chat({ messages: [{ role: 'user', content: 'hi' }, ...calls.flat()] }), `${2 * calls.length} calls and results`],
    [chats, chat({ messages: long }), sizeOf(long)],
    [chats, chat({ messages: long, stream: true }), `${sizeOf(long)}, streamed`],
    [chats, chat({ tools }), '1,000 tools'],
    [chats, chat({ tools: [enumTool] }), `a tool with ${count * 10} values`],
    [chats, chat({ tools: [wideTool] }), `a tool with ${count} parameters`],
    [chats, chat({ tools: [wideTool], tool_choice: 'required' }), `a forced call with ${count} parameters`],
    [chats, chat({ tools: [{ type: 'function', function: { name: 'f', parameters: nested(count) } }] }), `a tool ${count} levels deep`],
    [chats, chat({ messages: nested(count) }), `${count} levels`],
    [chats, chat({ metadata: nested(count) }), `metadata ${count} levels deep`],
    [chats, chat({ model: 'template', chat_template_kwargs: { a: numbers(count * 10) } }), `${count * 10} template values`],
    [chats, chat({ model: 'template', chat_template_kwargs: inexact }), `${times} times ${number} in template values`],
    [
      '/v1/responses',
      { model: 'tiny', input: 'x', tools: [{ type: 'function', name: 'f', parameters: inexact }] },
      `${times} times ${number}`,
    ],
    [chats, chat({ metadata: inexact }), `${times} times ${number} in metadata`],
    [chats, chat({ spaces: `spaces ${1_900_000}` }), '1,900,000 spaces'],
    [chats, chat({ messages: whole }), `a body of ${size} ${JSON.stringify(character)}`],
    ['/v1/messages', { model: 'tiny', max_tokens: 1, messages: whole }, `a body of ${size} ${JSON.stringify(character)}`],
    ['/tokenize', { model: 'template', messages: whole }, `a body of ${size} ${JSON.stringify(character)}`],
    [chats, chat({ model: 'proxy', messages: whole }), `a body of ${size} ${JSON.stringify(character)}, forwarded`],
    [chats, chat({ logit_bias: Object.fromEntries(numbers(count).map((_, at) => [at, 1])) }), `${count} biases`],
    [chats, chat({ messages: letters }), `${sizeOf(letters)} ${JSON.stringify(letters[0]!.content.slice(0, 1))}`],
    [
      chats,
      chat({ response_format: { type: 'json_schema', json_schema: { schema: wideTool.function.parameters } } }),
      `a schema of ${count} properties`,
    ],
    [
      chats,
      chat({ response_format: { type: 'json_schema', json_schema: { schema: enumTool.function.parameters } } }),
      `a schema with ${count * 10} values`,
    ],
    [chats, chat({ model: 'proxy', messages }), `${count} messages, forwarded`],
    [chats, chat({ model: 'proxy', messages: parts }), `${count} parts, forwarded`],
    [chats, chat({ model: 'proxy', messages: long }), `${sizeOf(long)}, forwarded`],
    [chats, chat({ model: 'proxy', tools: [enumTool] }), `a tool with ${count * 10} values, forwarded`],
    ['/v1/messages', { model: 'tiny', max_tokens: 1, messages: blocks }, `${count} blocks`],
    [
      '/v1/messages',
      { model: 'tiny', max_tokens: 1, messages, tools: [{ name: 'f', input_schema: wideTool.function.parameters }] },
      `a tool with ${count} parameters`,
    ],
    ['/v1/messages', { model: 'tiny', max_tokens: 1, messages: letters, system: long[0]!.content }, sizeOf(letters)],
    ['/v1/messages/count_tokens', { model: 'tiny', messages: blocks }, `${count} blocks`],
    ['/v1/responses', { model: 'tiny', input: inputParts, max_output_tokens: 1 }, `${count} parts`],
    ['/v1/responses', { model: 'tiny', input: long[0]!.content, max_output_tokens: 1 }, sizeOf(long)],
    [
      '/v1/responses',
      {
        model: 'tiny',
        input: 'x',
        tools: [{ name: 'f', type: 'function', parameters: wideTool.function.parameters }],
        max_output_tokens: 1,
      },
      `a tool with ${count} parameters`,
    ],
    ['/v1/completions', { model: 'tiny', prompt: letters[0]!.content, max_tokens: 1 }, sizeOf(letters)],
    ['/v1/completions', { model: 'tiny', prompt: Array.from({ length: 2000 }, () => [5, 5, 5]), max_tokens: 1 }, '2,000 prompts of ids'],
    ['/tokenize', { model: 'tiny', content: letters[0]!.content }, sizeOf(letters)],
    ['/v1/embeddings', { model: 'tiny', input: Array.from({ length: count }, () => 'x') }, `${count} texts`],
    [chats, chat({ model: 'tiny', tools, tool_choice: 'required' }), 'a choice of 1,000 tools'],
    [chats, chat({ model: 'tiny', tools: tools.slice(0, 128), tool_choice: 'required' }), 'a choice of 128 tools'],
    [chats, chat({ response_format: { type: 'json_schema', json_schema: { schema } } }), 'a schema'],
    [chats, chat({ model: 'tiny', tools: [tool], tool_choice: 'required' }), 'a schema of a forced call'],
    [chats, chat({ model: 'tiny', tools: [tool] }), 'a strict schema'],
    [chats, chat({ guided_regex: '([a-z]?){3000}0' }), 'a pattern'],
    [chats, chat({ guided_choice: Array.from({ length: 5000 }, (_, index) => `c${index}`) }), 'a choice of 5,000'],
    [chats, chat({ stop: Array.from({ length: 5000 }, (_, index) => `s${index}`) }), '5,000 stops'],
    [chats, chat({ stop_token_ids: ids }), `${ids.length} stop ids`],
    [chats, chat({ model: 'template', messages: [{ role: 'user', content: 'slow' }] }), 'a chat that its template takes seconds for'],
    ['/v1/completions', { model: 'tiny', prompt: long[0]!.content, max_tokens: 1 }, sizeOf(long)],
    ['/v1/completions', { model: 'tiny', prompt: text(60_000), max_tokens: 0, logprobs: 1, echo: true }, 'a long prompt to score'],
    ['/v1/completions', { model: 'tiny', prompt: ids, max_tokens: 1 }, `${ids.length} ids`],
    ['/v1/completions', { model: 'tiny', prompt: Array.from({ length: 200 }, () => 'x'), max_tokens: 1 }, '200 prompts'],
    ['/v1/messages', { model: 'tiny', max_tokens: 1, messages }, `${count} messages`],
    ['/v1/messages', { model: 'tiny', max_tokens: 1, messages: long, stream: true }, sizeOf(long)],
    ['/v1/messages/count_tokens', { model: 'tiny', messages: long }, sizeOf(long)],
    ['/v1/messages/count_tokens', { model: 'template', messages }, `${count} messages`],
    ['/v1/responses', { model: 'tiny', input: messages, max_output_tokens: 1 }, `${count} items`],
    ['/v1/responses', { model: 'tiny', input: Array.from({ length: 5000 }, () => ({ id: 'none' })) }, '5,000 references'],
    ['/v1/responses/input_tokens', { model: 'tiny', input: long[0]!.content }, sizeOf(long)],
    ['/v1/responses/input_tokens', { model: 'tiny', input: messages }, `${count} items`],
    ['/tokenize', { model: 'tiny', content: long[0]!.content, with_pieces: true }, sizeOf(long)],
    ['/tokenize', { model: 'template', messages }, `${count} messages`],
    ['/detokenize', { model: 'tiny', tokens: ids }, `${ids.length} ids`],
    ['/apply-template', { model: 'template', messages: long }, sizeOf(long)],
    ['/apply-template', { model: 'template', messages }, `${count} messages`],
    ['/v1/render', { model: 'tiny', messages: long }, sizeOf(long)],
    ['/v1/render', { model: 'template', messages }, `${count} messages`],
    ['/v1/embeddings', { model: 'tiny', input: long[0]!.content }, sizeOf(long)],
  ]
}

function sizeOf(messages: readonly { content: string }[]): string {
  return `a text of ${messages[0]!.content.length} characters`
}
