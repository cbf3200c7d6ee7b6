import { beforeAll, describe, expect, test } from 'vitest'
import { compileChat } from '../../../../core/src/prompt/compile/compile-chat.ts'
import type { ChatMessage } from '../../../../core/src/prompt/conversation/chat-message.ts'
import type { Prompt } from '../../../../core/src/prompt/format/format.ts'
import { promptText } from '../../../../core/src/prompt/format/prompt-text.ts'
import { decodeTokens } from '../../../../core/src/prompt/tokenizer/token-decoder.ts'
import { tokenize } from '../../../../core/src/prompt/tokenizer/tokenize.ts'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { embeddedTokenizer, loadEmbedded } from '../../node/models/load-embedded.ts'
import type { LanguageModel, ModelReply } from '../language-model/language-model.ts'
import type { AgentEvent } from './agent-event.ts'
import type { AgentOptions } from './agent-options.ts'
import { defineTool } from './agent-tool.ts'
import type { CodeResult, Interpreter } from './interpreter.ts'
import { replayModel } from './replay-model.ts'
import { askAgent, runAgent } from './run-agent.ts'
import type { Transcript } from './transcript.ts'

let embedded: LanguageModel
const internlm2 = compileChat('internlm2').format
beforeAll(async () => {
  embedded = await loadEmbedded({ format: internlm2 })
}, 60_000)

const weather = defineTool<{ location: string }>({
  name: 'get_current_weather',
  description: 'Get the current weather in a given location',
  parameters: {
    type: 'object',
    properties: {
      location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA' },
      unit: { type: 'string' },
    },
    required: ['location'],
  },
  run: () => ({ temperature: 22 }),
})
const user = (content: string): ChatMessage => ({ role: 'user', content })
const shanghai = user('我想了解今天上海的天气')

async function all(options: AgentOptions): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of runAgent(options)) events.push(event)
  return events
}

function told(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'result' ? [event.content] : []))
}

type Script = string | Partial<ModelReply>

/** A model with scripted replies that records its prompts. */
function scripted(...script: Script[]): LanguageModel & { prompts: Prompt[] } {
  const prompts: Prompt[] = []
  return {
    name: 'scripted',
    prompts,
    async generate(prompt, { onText, signal }) {
      const next = script[prompts.length]
      prompts.push(prompt)
      if (next === undefined) throw new Error('the script is over')
      const given = typeof next === 'string' ? { text: next } : next
      const text = given.text ?? ''
      for (const character of text) onText?.(character)
      const finish = signal?.aborted ? 'aborted' : 'stop'
      return { finish, tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [], ...given, text }
    },
  }
}

const call = (body: string) => `<|action_start|><|plugin|>\n${body}<|action_end|>`
const code = (text: string) => `<|action_start|><|interpreter|>\n\`\`\`python\n${text}\n\`\`\`<|action_end|>`

/** Can only evaluate `print(a + b)`. */
function adder(): Interpreter & { ran: string[] } {
  const ran: string[] = []
  return {
    name: 'adder',
    isSandbox: true,
    ran,
    async run(given): Promise<CodeResult> {
      ran.push(given)
      const sum = given.match(/\d+/g)!.reduce((total, number) => total + Number(number), 0)
      return { ok: true, outputs: [{ kind: 'text', stream: 'stdout', text: `${sum}\n` }] }
    },
    addFile: async () => undefined,
    listFiles: async () => [],
    readFile: async () => new Uint8Array(),
    restart: async () => undefined,
    close: async () => undefined,
  }
}

describe('with the embedded model', () => {
  test('document 004’s conversation about the weather runs to its end', async () => {
    const events = await all({ model: embedded, format: 'internlm2', messages: [shanghai], tools: [weather] })
    const said = (from: number) =>
      events
        .slice(from)
        .map((event) => (event.type === 'text' ? event.text : ''))
        .join('')
    expect(events.find(({ type }) => type === 'call')).toEqual({
      type: 'call',
      id: 'call_0',
      name: 'get_current_weather',
      arguments: { location: 'Shanghai' },
      argumentsText: '{"location": "Shanghai"}',
    })
    expect(told(events)).toEqual(['{"temperature": 22}'])
    expect(said(0)).toBe('好的，我将为你查询上海的天气。上海的天气是 22 摄氏度')
    const done = events.at(-1)!
    expect(done).toMatchObject({ type: 'done', result: { reason: 'answer', text: '上海的天气是 22 摄氏度', turns: 2, pending: [] } })
  })

  test('generated text is sent back as the ids the model generated', async () => {
    const events = await all({ model: embedded, format: internlm2, messages: [shanghai], tools: [weather] })
    const prompts = events.flatMap((event) => (event.type === 'prompt' ? [event.prompt] : []))
    const messages = events.flatMap((event) => (event.type === 'message' ? [event.message] : []))
    const ids = (prompt: Prompt) =>
      prompt.kind === 'completion' ? tokenize(prompt, embedded.tokenizer!, { markers: internlm2.markers }).ids : []
    const [first, second] = prompts.map(ids)
    const generated = messages[0]!.token_ids!
    expect(generated.length).toBeGreaterThan(20)
    expect(second!.slice(0, first!.length + generated.length)).toEqual([...first!, ...generated])
    expect(prompts[1]!.kind === 'completion' && prompts[1]!.pieces.filter(({ source }) => source.by === 'model')).toEqual([
      { ids: generated, source: { by: 'model', path: 'messages[1].token_ids' }, turn: 2 },
    ])
  })

  test('ids of the initial messages are used only with the option', async () => {
    const model = { ...scripted('Fine.', 'Fine.'), tokenizer: embedded.tokenizer! }
    const earlier = { role: 'assistant', content: 'Ok.', token_ids: [5, 6] }
    const messages = [user('Hi'), earlier, user('And?')]
    await askAgent({ model, format: 'internlm2', messages })
    await askAgent({ model, format: 'internlm2', messages, trustsIds: (message) => message === earlier })
    const ids = model.prompts.map((prompt) => prompt.kind === 'completion' && prompt.pieces.filter((piece) => 'ids' in piece))
    expect(ids).toMatchObject([[], [{ ids: [5, 6], source: { by: 'model', path: 'messages[1].token_ids' } }]])
  })

  test('runs code and answers with its result', async () => {
    const interpreter = adder()
    const result = await askAgent({
      model: embedded,
      format: 'internlm2',
      messages: [user('Use Python to compute 123 + 45.')],
      interpreter,
    })
    expect(interpreter.ran).toEqual(['print(123 + 45)'])
    expect(result).toMatchObject({ reason: 'answer', text: 'The result is 168.' })
    expect(result.messages[2]).toEqual({ role: 'tool', name: 'interpreter', tool_call_id: 'call_0', content: '168' })
  })

  test('a transcript is plain JSON that replays without the model, and only with the same prompts', async () => {
    const options = { format: 'internlm2', messages: [shanghai], tools: [weather] }
    const first = await askAgent({ ...options, model: embedded })
    const saved = JSON.parse(JSON.stringify(first.transcript)) as Transcript
    expect(saved).toEqual(first.transcript)
    const again = await askAgent({ ...options, model: replayModel(saved, { tokenizer: embeddedTokenizer() }) })
    expect(again.messages).toEqual(first.messages)
    expect((await askAgent({ ...options, model: replayModel(saved) })).messages).toEqual(first.messages)
    const other = { ...weather, run: () => ({ temperature: 23 }) }
    await expect(askAgent({ ...options, tools: [other], model: replayModel(saved) })).rejects.toMatchObject({
      code: 'replay-differs',
      where: expect.stringContaining('step 1'),
      problem: expect.stringContaining('"temperature\\\\\\": 23'.replaceAll('\\\\\\', '\\')),
    })
    await expect(
      (async () => {
        const model = replayModel({ ...saved, steps: [] })
        return askAgent({ ...options, model })
      })(),
    ).rejects.toMatchObject({ code: 'replay-over' })
  })
})

describe('failures are reported to the model, and the run continues', () => {
  const cases: [name: string, written: string, expected: string][] = [
    [
      'an unknown tool',
      call('{"name": "get_weather", "parameters": {}}'),
      'there is no tool "get_weather": use one of: get_current_weather',
    ],
    ['a missing argument', call('{"name": "get_current_weather", "parameters": {}}'), 'location: is missing'],
    ['an argument of the wrong type', call('{"name": "get_current_weather", "parameters": {"location": 5}}'), 'expected a string, found 5'],
    [
      'arguments that are not JSON',
      call('{"name": "get_current_weather", "parameters": {"location": x}}'),
      'the call could not be read: not JSON',
    ],
    ['no name', call('{"parameters": {}}'), 'the call could not be read'],
    ['a call that is cut', '<|action_start|><|plugin|>\n{"name": "get_curr', 'the call could not be read'],
    ['an error of the tool', call('{"name": "breaks", "parameters": {}}'), 'breaks failed: on fire'],
    ['what is thrown and no error', call('{"name": "throws", "parameters": {}}'), 'throws failed: just text'],
    ['a tool that takes too long', call('{"name": "sleeps", "parameters": {}}'), 'sleeps did not answer within 20 ms'],
    ['code without an interpreter', code('1'), 'there is no code interpreter'],
  ]
  const tools = [
    weather,
    defineTool({
      name: 'breaks',
      run: () => {
        throw new Error('on fire')
      },
    }),
    defineTool({ name: 'throws', run: () => Promise.reject('just text') }),
    defineTool({ name: 'sleeps', timeLimit: 20, run: () => new Promise(() => undefined) }),
  ]
  for (const [name, written, expected] of cases) {
    test(name, async () => {
      const model = scripted(written, 'Sorry.')
      const events = await all({ model, format: 'internlm2', messages: [shanghai], tools })
      const [content] = told(events)
      expect(JSON.parse(content!)).toEqual({ error: expect.stringContaining(expected) })
      expect(events).toContainEqual({ type: 'problem', problem: expect.stringContaining(expected), sentToModel: true })
      expect(events.at(-1)).toMatchObject({ type: 'done', result: { reason: 'answer', text: 'Sorry.' } })
      const [first, second] = model.prompts.map(promptText)
      expect(second!.startsWith(`${first!}${written}`)).toBe(true)
      expect(second).toContain(content)
      expect(second).toMatch(/<\|im_start\|>environment name=<\|(plugin|interpreter)\|>\n\{"error"/)
    })
  }

  test('a tool that fails after its timeout is ignored', async () => {
    let fail: ((error: Error) => void) | undefined
    const slow = defineTool({ name: 'slow', timeLimit: 5, run: () => new Promise((_, reject) => (fail = reject)) })
    const result = await askAgent({
      model: scripted(call('{"name": "slow", "parameters": {}}'), 'Well.'),
      format: 'internlm2',
      messages: [shanghai],
      tools: [slow],
    })
    fail!(new Error('too late'))
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(result.text).toBe('Well.')
  })

  test('a timeout aborts the tool’s signal', async () => {
    let seen: AbortSignal | undefined
    const slow = defineTool({
      name: 'slow',
      timeLimit: 5,
      run: (_, { signal }) => {
        seen = signal
        return new Promise(() => undefined)
      },
    })
    const model = scripted(call('{"name": "slow", "parameters": {}}'), 'Well.')
    await askAgent({ model, format: 'internlm2', messages: [shanghai], tools: [slow] })
    expect(seen!.aborted).toBe(true)
  })
})

describe('several calls in one turn', () => {
  test('tools run concurrently and results keep their order', async () => {
    const order: string[] = []
    const wait = defineTool<{ ms: number }>({
      name: 'wait',
      parameters: { type: 'object', properties: { ms: { type: 'number' } } },
      run: async ({ ms }) => {
        await new Promise((resolve) => setTimeout(resolve, ms))
        order.push(`${ms}`)
        return `waited ${ms}`
      },
    })
    const two = `A ${call('{"name": "wait", "parameters": {"ms": 40}}')} B ${call('{"name": "wait", "parameters": {"ms": 1}}')} C`
    const model = scripted(two, 'Done.')
    const result = await askAgent({ model, format: 'internlm2', messages: [shanghai], tools: [wait] })
    expect(order).toEqual(['1', '40'])
    expect(result.messages.slice(2, 4).map(({ content, tool_call_id: id }) => [id, content])).toEqual([
      ['call_0', 'waited 40'],
      ['call_1', 'waited 1'],
    ])
    expect(promptText(model.prompts[1]!)).toContain(
      `<|im_start|>assistant\n${two}<|im_end|>\n<|im_start|>environment name=<|plugin|>\nwaited 40<|im_end|>`,
    )
  })

  test('code runs sequentially', async () => {
    const interpreter = adder()
    const model = scripted(`${code('print(1 + 2)')}${code('print(3 + 4)')}`, '3 and 7.')
    const events = await all({ model, format: 'internlm2', messages: [shanghai], interpreter })
    expect(interpreter.ran).toEqual(['print(1 + 2)', 'print(3 + 4)'])
    expect(told(events)).toEqual(['3', '7'])
    expect(promptText(model.prompts[1]!)).toContain('<|im_start|>environment name=<|interpreter|>\n7<|im_end|>')
  })
})

describe('it ends', () => {
  const again = call('{"name": "get_current_weather", "parameters": {"location": "Rome"}}')

  test('at the maximum number of turns, with the result so far, without running the last calls', async () => {
    let runs = 0
    const counted = { ...weather, run: () => ++runs }
    const result = await askAgent({
      model: scripted(again, `Hm. ${again}`),
      format: 'internlm2',
      messages: [shanghai],
      tools: [counted],
      maxTurns: 2,
    })
    expect(result).toMatchObject({ reason: 'max-turns', text: 'Hm. ', turns: 2 })
    expect(runs).toBe(1)
    expect(result.messages.at(-1)).toMatchObject({ role: 'tool', content: '{"error": "not run: the limit of 2 turns was reached"}' })
  })

  test('when it is aborted during generation, with the text so far', async () => {
    const abort = new AbortController()
    const events: AgentEvent[] = []
    for await (const event of runAgent({
      model: embedded,
      format: 'internlm2',
      messages: [shanghai],
      tools: [weather],
      signal: abort.signal,
    })) {
      events.push(event)
      if (event.type === 'text') abort.abort()
    }
    const done = events.at(-1)!
    expect(done).toMatchObject({ type: 'done', result: { reason: 'aborted' } })
    expect(done.type === 'done' && done.result.messages.at(-1)!.content).toMatch(/^好的/)
  })

  test('when it is aborted while a tool runs', async () => {
    const abort = new AbortController()
    const never = { ...weather, run: () => new Promise(() => abort.abort()) }
    const result = await askAgent({
      model: scripted(again),
      format: 'internlm2',
      messages: [shanghai],
      tools: [never],
      signal: abort.signal,
    })
    expect(result.reason).toBe('aborted')
    expect(result.messages.at(-1)!.content).toContain('stopped by the user')
  })

  test('when the consumer stops iterating', async () => {
    let wasAborted = false
    const model: LanguageModel = {
      name: 'endless',
      generate: (_, { signal, onText }) =>
        new Promise((resolve) => {
          onText?.('Once upon a time')
          signal!.addEventListener('abort', () => {
            wasAborted = true
            resolve({ text: '', finish: 'aborted', tokens: { prompt: 0, reused: 0, reply: 0 }, notes: [] })
          })
        }),
    }
    for await (const { type } of runAgent({ model, format: 'internlm2', messages: [shanghai] })) if (type === 'text') break
    expect(wasAborted).toBe(true)
  })

  test('at a call that the caller answers, and continues with the answer', async () => {
    const { run: _, ...schema } = weather
    const options = { format: 'internlm2', tools: [schema] }
    const first = await askAgent({ ...options, model: embedded, messages: [shanghai] })
    expect(first).toMatchObject({
      reason: 'calls',
      pending: [{ id: 'call_0', name: 'get_current_weather', arguments: { location: 'Shanghai' } }],
    })
    const answer = { role: 'tool', tool_call_id: first.pending[0]!.id, content: '{"temperature": -3}' }
    const second = await askAgent({ ...options, model: embedded, messages: [...first.messages, answer] })
    expect(second.text).toBe('上海的天气是 -3 摄氏度')
  })

  test('when the reply is truncated', async () => {
    expect(
      await askAgent({ model: scripted({ text: 'It is', finish: 'length' }), format: 'internlm2', messages: [shanghai] }),
    ).toMatchObject({
      reason: 'length',
      text: 'It is',
    })
  })

  test('with the model’s error, after the events before it', async () => {
    const events: string[] = []
    await expect(
      (async () => {
        for await (const { type } of runAgent({ model: scripted(again), format: 'internlm2', messages: [shanghai], tools: [weather] }))
          events.push(type)
      })(),
    ).rejects.toThrow('the script is over')
    expect(events).toContain('result')
  })
})

describe('a chat template', () => {
  const qwen = `{%- if tools %}<|im_start|>system
{% for t in tools %}{{ t | tojson }}{% endfor %}<|im_end|>
{% endif %}{% for m in messages %}{% if m.role == 'tool' %}<|im_start|>user
<tool_response>
{{ m.content }}
</tool_response><|im_end|>
{% else %}<|im_start|>{{ m.role }}
{{ m.content }}{% for c in m.tool_calls or [] %}
<tool_call>
{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endif %}{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`
  const written = 'I look.\n<tool_call>\n{"name": "get_current_weather",  "arguments": {"location": "Rome"}}\n</tool_call>'

  test('determines the call syntax, and generated text is sent back as ids', async () => {
    const tokenizer = embeddedTokenizer()
    const ids = tokenizer.encodeRun(written, false, () => false).ids
    expect(decodeTokens(ids, tokenizer)).toBe(written)
    const model = { ...scripted({ text: written, ids }, 'Fine.'), tokenizer }
    const result = await askAgent({ model, format: { chat_template: qwen }, messages: [user('Rome?')], tools: [weather] })
    expect(result.text).toBe('Fine.')
    const [, second] = model.prompts
    expect(second!.kind === 'completion' && second!.pieces.filter((piece) => 'ids' in piece)).toEqual([
      { ids, source: { by: 'model', path: 'messages[1].token_ids' }, turn: 1 },
    ])
    expect(promptText(second!)).toContain('<|im_start|>assistant\n<|im_end|>\n<|im_start|>user\n<tool_response>\n{"temperature": 22}')
  })

  test('that drops earlier reasoning gets the parsed message', async () => {
    const thinking = qwen.replace('{{ m.content }}{% for c', "{{ m.content.split('</think>')[-1].lstrip('\\n') }}{% for c")
    const thought = `<think>\nRome.\n</think>\n\n${written}`
    const ids = embeddedTokenizer().encodeRun(thought, false, () => false).ids
    const model = scripted({ text: thought, ids }, 'Fine.')
    const events = await all({ model, format: { chat_template: thinking }, messages: [user('Rome?')], tools: [weather] })
    expect(events).toContainEqual({ type: 'reasoning', text: expect.stringContaining('R') })
    const [, second] = model.prompts
    expect(second!.kind === 'completion' && second!.pieces.some((piece) => 'ids' in piece)).toBe(false)
    expect(promptText(second!)).toContain(
      '<|im_start|>assistant\nI look.\n<tool_call>\n{"name": "get_current_weather", "arguments": {"location": "Rome"}}',
    )
  })

  test('runs code as a tool called python', async () => {
    const interpreter = adder()
    const model = scripted('<tool_call>\n{"name": "python", "arguments": {"code": "print(20 + 3)"}}\n</tool_call>', '23.')
    const events = await all({ model, format: { chat_template: qwen }, messages: [user('20 + 3?')], interpreter })
    expect(interpreter.ran).toEqual(['print(20 + 3)'])
    expect(events).toContainEqual({ type: 'code', id: 'call_0', code: 'print(20 + 3)' })
    expect(promptText(model.prompts[0]!)).toContain('"name": "python"')
    expect(promptText(model.prompts[1]!)).toContain('<tool_response>\n23\n</tool_response>')
  })

  test('that drops results ends the run instead of repeating the request for ever', async () => {
    const deaf = qwen
      .replace('{{ m.content }}\n</tool_response>', '</tool_response>')
      .replace("{% if m.role == 'tool' %}", "{% if m.role == 'tool' or m.tool_calls %}{% elif false %}")
    const model = scripted(written, written)
    const events = await all({ model, format: { chat_template: deaf }, messages: [user('Rome?')], tools: [weather], syntax: 'hermes' })
    expect(model.prompts).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ result: { reason: 'stuck' } })
    expect(events).toContainEqual({ type: 'problem', problem: expect.stringContaining('would be the same'), sentToModel: false })
  })

  test('that accepts results only after calls gets a broken call’s problem as a user message', async () => {
    const strict = qwen.replace(
      '<|im_start|>user\n<tool_response>',
      "{% if not messages[loop.index0 - 1].tool_calls %}{{ raise_exception('a result without a call') }}{% endif %}<|im_start|>user\n<tool_response>",
    )
    const model = scripted('<tool_call>\n{"name": get\n</tool_call>', 'Sorry.')
    const result = await askAgent({ model, format: { chat_template: strict }, messages: [user('Rome?')], tools: [weather] })
    expect(result.messages[2]).toMatchObject({ role: 'user', content: expect.stringContaining('could not be read') })
    expect(result.text).toBe('Sorry.')
  })
})

test('the reply_syntax of a config determines how replies are parsed', async () => {
  const said = '<think>Rome, so Italy.</think>\n\nItaly.'
  const ask = (format: ModelConfig) => askAgent({ model: scripted(said), format, messages: [user('Where is Rome?')] })
  expect((await ask({ format: 'chatml' })).text).toBe(said)
  expect((await ask({ format: 'chatml', reply_syntax: 'think' })).text).toBe('Italy.')
})

test('a thought that a user typed is not the model’s reasoning', async () => {
  const format = {
    meta_template: {
      round: [
        { role: 'HUMAN', begin: 'Q: ', end: '\n' },
        { role: 'BOT', begin: 'A: ', end: '\n', generate: true },
      ],
    },
  }
  const result = await askAgent({ model: scripted('Italy.'), format, syntax: 'think', messages: [user('What does <think> mean?')] })
  expect(result.text).toBe('Italy.')
})

test('a conversation template of MLC has no marks for calls: a reply of nothing but calls is parsed as calls', async () => {
  const model = scripted("get_current_weather(location='Rome')", 'It is 22 in Rome.')
  const result = await askAgent({
    model,
    format: { conv_template: 'gorilla-openfunctions-v2' },
    messages: [user('Rome?')],
    tools: [weather],
  })
  expect(result).toMatchObject({ reason: 'answer', text: 'It is 22 in Rome.', turns: 2 })
  expect(promptText(model.prompts[0]!)).toContain('get_current_weather')
  expect(promptText(model.prompts[1]!)).toMatch(
    /### Response: get_current_weather\(location='Rome'\)<\|EOT\|>### Instruction: .*\{"temperature": 22\}/s,
  )
})

test('a server that parses calls gets messages and tools, and its calls are run and checked', async () => {
  const native = (argumentsText: string, given: object): Partial<ModelReply> => ({
    text: '',
    calls: [{ kind: 'call', id: 'abc', name: 'get_current_weather', arguments: given as never, argumentsText, at: [0, 0] }],
  })
  const model = scripted(native('{"location":"Rome"}', { location: 'Rome' }), native('{}', {}), 'It is 22.')
  const result = await askAgent({ model, format: { type: 'openai', is_api: true }, messages: [user('Rome?')], tools: [weather] })
  expect(result.text).toBe('It is 22.')
  const [first, second] = model.prompts
  expect(first).toMatchObject({ kind: 'chat', tools: [{ name: 'get_current_weather' }] })
  expect(second!.kind === 'chat' && second!.messages.slice(1)).toMatchObject([
    {
      role: 'assistant',
      extra: { tool_calls: [{ id: 'abc', type: 'function', function: { name: 'get_current_weather', arguments: '{"location":"Rome"}' } }] },
    },
    { role: 'tool', extra: { tool_call_id: 'abc' } },
  ])
  expect(result.messages[4]!.content).toContain('location: is missing')
})

test('marks typed as characters are text, also while streaming', async () => {
  const tokenizer = embeddedTokenizer()
  const text = 'It writes <|action_start|><|plugin|>\n{"name": "get_current_weather"}<|action_end|>, you see.'
  const added = new Set(tokenizer.addedTokens.map(({ id }) => id))
  const { ids } = tokenizer.encodeRun(text, false, (id) => added.has(id))
  const model: LanguageModel = {
    name: 'quoting',
    tokenizer,
    async generate(_, { onToken, onText }) {
      for (const id of ids) {
        onToken?.({ id, logProbability: 0 })
        onText?.(decodeTokens([id], tokenizer))
      }
      return { text, ids, finish: 'stop', tokens: { prompt: 1, reused: 0, reply: ids.length }, notes: [] }
    },
  }
  const events = await all({ model, format: 'internlm2', messages: [user('How does it call?')], tools: [weather] })
  expect(events.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe(text)
  expect(events.at(-1)).toMatchObject({ result: { reason: 'answer', turns: 1, text } })
})

test.each(['internlm2', 'chatml'])(
  'each prompt begins with the one before and what the model wrote, token by token: %s',
  async (format) => {
    const sent: number[][] = []
    const tokenizer = embeddedTokenizer()
    const { markers, tokens } = compileChat(format).format
    const idsOf = (prompt: Prompt) => tokenize(prompt as Prompt & { kind: 'completion' }, tokenizer, { markers, tokens }).ids
    const model: LanguageModel = {
      name: 'odd',
      tokenizer,
      async generate(prompt) {
        const before = idsOf(prompt)
        // Generated letter by letter: encoding the same text again would give other ids.
        const ids = [...'hello there'].flatMap((letter) => [...tokenizer.encodeRun(letter, false, () => false).ids])
        sent.push([...before], ids)
        return {
          text: decodeTokens(ids, tokenizer),
          ids,
          finish: 'stop',
          tokens: { prompt: before.length, reused: 0, reply: ids.length },
          notes: [],
        }
      },
    }
    let messages: ChatMessage[] = []
    for (const question of ['12+30=?', '1+1=?', 'Sure?']) {
      const result = await askAgent({ model, format, messages: [...messages, user(question)], trustsIds: true })
      messages = [...result.messages]
    }
    const [first, one, second, two, third] = sent
    expect(second!.slice(0, first!.length + one!.length)).toEqual([...first!, ...one!])
    expect(third!.slice(0, second!.length + two!.length)).toEqual([...second!, ...two!])
  },
)

describe('a chat that outgrows the context', () => {
  test('drops its oldest rounds, never the system message or the question, with a note', async () => {
    const old = Array.from({ length: 40 }, (_, index) => [
      user(`${index}+1=?`),
      { role: 'assistant', content: `${index + 1} ${'is the sum '.repeat(8)}` },
    ]).flat()
    const messages = [{ role: 'system', content: 'Be brief.' }, ...old, user('12+30=?')]
    const events = await all({ model: embedded, format: 'internlm2', messages })
    const prompt = events.find((event) => event.type === 'prompt')!
    const text = promptText(prompt.prompt)
    expect(text.startsWith('<s><|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n')).toBe(true)
    expect(text).toContain('12+30=?')
    expect(text).not.toContain('\n0+1=?<')
    expect(events).toContainEqual({
      type: 'note',
      note: { code: 'history-dropped', text: expect.stringMatching(/the oldest \d+ messages were left out/) },
    })
    const done = events.at(-1)!
    const result = done.type === 'done' ? done.result : undefined
    expect(result!.messages).toHaveLength(messages.length + 1)
    expect(result!.dropped % 2).toBe(0)
    // The next question continues with the same window.
    const next = await all({
      model: embedded,
      format: 'internlm2',
      messages: [...result!.messages, user('1+1=?')],
      history: { dropped: result!.dropped },
    })
    // What was dropped before is not reported again; that ids of the caller are not trusted is.
    expect(next.flatMap((event) => (event.type === 'note' ? [event.note.code] : []))).toEqual(['fields-dropped'])
    expect(next.at(-1)).toMatchObject({ result: { dropped: result!.dropped } })
  })
})

describe('tools that roles writes as text', () => {
  const turns = '{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}'
  // Calls in its own way, but only one of them in a conversation.
  const once = `{% for t in tools or [] %}{{ t | tojson }}{% endfor %}{% for m in messages %}{% if m.role == 'tool' and loop.index > 4 %}{{ raise_exception('once') }}{% endif %}<{{ m.role }}>{{ m.content or '' }}{% for c in m.tool_calls or [] %}[CALL]{{ c.function | tojson }}[/CALL]{% endfor %}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}`
  const call = '{"name": "get_current_weather", "arguments": {"location": "Paris"}}'
  const folded = `<tool_call>\n${call}\n</tool_call>`

  test('are called, answered and read back from it', async () => {
    const model = scripted(folded, 'Warm.')
    const events = await all({ model, format: { chat_template: turns, roles: 'auto' }, messages: [user('Weather?')], tools: [weather] })
    expect(told(events)).toEqual(['{"temperature": 22}'])
    const last = promptText(model.prompts[1]!)
    expect(last).toContain('<tool_response name="get_current_weather">\n{"temperature": 22}')
    expect(last.split('"Paris"')).toHaveLength(2)
    expect(events.at(-1)).toMatchObject({ type: 'done', result: { reason: 'answer', text: 'Warm.' } })
  })

  test('are read in the form that the prompt before the reply has', async () => {
    const native = `[CALL]${call}[/CALL]`
    const model = scripted(native, native, folded, 'Warm.')
    const events = await all({ model, format: { chat_template: once, roles: 'auto' }, messages: [user('Weather?')], tools: [weather] })
    expect(promptText(model.prompts[0]!)).not.toContain('<tools>')
    expect(promptText(model.prompts[2]!)).toContain('<tools>')
    expect(told(events)).toHaveLength(3)
    expect(events.at(-1)).toMatchObject({ type: 'done', result: { reason: 'answer', text: 'Warm.' } })
  })
})
