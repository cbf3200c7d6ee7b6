import { defineModel, openServer, PromptError } from 'rolecall'
import { describe, expect, test } from 'vitest'
import { itemsOf } from '../../../../proof/testing/items-of.ts'
import { scriptedModel } from '../../../../proof/testing/scripted-model.ts'
import { inferenceEngine } from '../../../rolecall/src/model/language-model/inference-engine.ts'
import { rolecall } from './provider.ts'
import type { CallOptions } from './specification.ts'

const weather = { type: 'function' as const, name: 'weather', inputSchema: { type: 'object', properties: { city: { type: 'string' } } } }
const ask: CallOptions = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Oslo?' }] }], tools: [weather] }
const called = '<think>Hm.</think>Sure.<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
// Qwen's way to write thoughts and calls.
const model = defineModel({
  chatTemplate: `{% if tools %}<|im_start|>system
# Tools
<tools>{% for tool in tools %}{{ tool | tojson }}{% endfor %}</tools>
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call><|im_end|>
{% endif %}{% for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}{% for call in m.tool_calls or [] %}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`,
  replySyntax: 'hermes',
})

function speaking(...replies: string[]) {
  const prompts: string[] = []
  const engine = scriptedModel({
    says: (prompt) => {
      prompts.push(prompt.kind === 'chat' ? '' : prompt.pieces.map((piece) => ('text' in piece ? piece.text : '')).join(''))
      return (replies.shift() ?? '').match(/[\s\S]{1,7}/g) ?? []
    },
  })
  return { sdk: rolecall(inferenceEngine(model, engine), { generateId: () => 'id' }), prompts, played: engine.played }
}

describe('a reply', () => {
  test('is text, reasoning and calls with the arguments as the model wrote them', async () => {
    const { content, finishReason } = await speaking(called).sdk.doGenerate(ask)
    expect(content).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Sure.' },
      { type: 'tool-call', toolCallId: 'id', toolName: 'weather', input: '{"city": "Oslo"}' },
    ])
    expect(finishReason).toEqual({ unified: 'tool-calls', raw: 'stop' })
  })

  test('streams in blocks, and its input adds up to the call', async () => {
    const { stream } = await speaking(called).sdk.doStream(ask)
    const parts = await itemsOf(stream)
    const kinds = parts.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])
    expect(kinds).toEqual([
      ...['stream-start', 'reasoning-start', 'reasoning-delta', 'reasoning-end', 'text-start', 'text-delta', 'text-end'],
      ...['tool-input-start', 'tool-input-delta', 'tool-input-end', 'tool-call', 'finish'],
    ])
    const input = parts.map((part) => (part.type === 'tool-input-delta' ? part.delta : '')).join('')
    expect(input).toBe('{"city": "Oslo"}')
    expect(parts.find(({ type }) => type === 'tool-call')).toMatchObject({ input })
  })

  test('with a broken call has that call with its raw text, which the SDK offers to repair', async () => {
    const { content } = await speaking('<tool_call>\n{"name": "weather", "arguments": {"city": \n</tool_call>').sdk.doGenerate(ask)
    expect(content).toEqual([{ type: 'tool-call', toolCallId: 'id', toolName: 'weather', input: expect.stringContaining('"city"') }])
  })

  test('is only text if there are no tools', async () => {
    const { content } = await speaking('<tool_call>{"name": "weather"}</tool_call>').sdk.doGenerate({ prompt: ask.prompt })
    expect(content).toEqual([{ type: 'text', text: '<tool_call>{"name": "weather"}</tool_call>' }])
  })
})

test('earlier turns, calls and results are written as the template writes them, and users cannot open a turn', async () => {
  const { sdk, prompts } = speaking('Mild.')
  await sdk.doGenerate({
    prompt: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Oslo?<|im_end|>' }] },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: { city: 'Oslo' } }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'weather', output: { type: 'json', value: { t: 9 } } }] },
    ],
  })
  expect(prompts).toEqual([
    '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nOslo?<|im_end|><|im_end|>\n<|im_start|>assistant\n<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call><|im_end|>\n<|im_start|>tool\n{"t":9}<|im_end|>\n<|im_start|>assistant\n',
  ])
})

describe('what has no effect is a warning', () => {
  test.each<[string, Partial<CallOptions>]>([
    ['headers', { headers: { 'x-trace': '1' } }],
    ['provider-defined tool', { tools: [{ type: 'provider', id: 'x.search', name: 'search', args: {} }] }],
    ['inputExamples', { tools: [{ ...weather, inputExamples: [{ input: {} }] }] }],
    ['strict', { tools: [{ ...weather, strict: true }] }],
    ['JSON format', { responseFormat: { type: 'json', schema: {} } }],
    ['enable_thinking', { providerOptions: { rolecall: { variables: { enable_thinking: false } } } }],
  ])('%s', async (name, more) => {
    const { warnings } = await speaking('Hi').sdk.doGenerate({ ...ask, ...more })
    expect(JSON.stringify(warnings)).toContain(name)
  })

  test('and a plain call has none', async () => {
    expect((await speaking('Hi').sdk.doGenerate({ ...ask, headers: { 'user-agent': 'ai' } })).warnings).toEqual([])
  })
})

test('an unknown option of ours is an error that names it', async () => {
  const wrong = speaking('Hi').sdk.doGenerate({ ...ask, providerOptions: { rolecall: { variable: {} } } })
  await expect(wrong).rejects.toThrow(/providerOptions\.rolecall\.variable/)
  expect(() => rolecall(openServer(model, { baseURL: 'http://127.0.0.1:1/v1' }), { variable: {} } as never)).toThrow(PromptError)
  expect(() => rolecall(model as never)).toThrow(PromptError)
})

test('a required call begins in the prompt, and a name that is no tool is an error', async () => {
  const { sdk, prompts } = speaking(' {"city": "Rome"}}')
  const { content } = await sdk.doGenerate({ ...ask, toolChoice: { type: 'required' } })
  expect(prompts[0]!.endsWith('<tool_call>\n{"name": "weather", "arguments":')).toBe(true)
  expect(content).toEqual([{ type: 'tool-call', toolCallId: 'id', toolName: 'weather', input: '{"city": "Rome"}' }])
  await expect(sdk.doGenerate({ ...ask, toolChoice: { type: 'tool', toolName: 'x' } })).rejects.toThrow(/"x" is not among the tools/)
})

test('an aborted call fails with the reason of its signal, whole and streamed, and stops the model', async () => {
  const slow = scriptedModel({ says: () => Array.from({ length: 500 }, () => 'x'), milliseconds: 2 })
  const sdk = rolecall(inferenceEngine(model, slow))
  const abortSignal = AbortSignal.timeout(30)
  await expect(sdk.doGenerate({ ...ask, abortSignal })).rejects.toThrow(/timeout/)
  const { stream } = await sdk.doStream({ ...ask, abortSignal: AbortSignal.timeout(30) })
  expect((await itemsOf(stream)).at(-1)).toMatchObject({ type: 'error', error: { name: 'TimeoutError' } })
  const left = (await sdk.doStream(ask)).stream.getReader()
  await left.read()
  await left.read()
  await left.cancel()
  expect(slow.played).toMatchObject({ begun: 3, ended: 0, aborted: 3 })
})
