import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { propertyRuns } from '../../../../../../proof/testing/sampling.ts'
import type { PyValue } from '../../../base/python/index.ts'
import { renderChat } from '../../compile/compile-chat.ts'
import type { ChatMessage, ChatToolCall } from '../../conversation/chat-message.ts'
import { internlm2 } from '../presets/internlm2.ts'
import { promptText } from '../prompt-text.ts'
import { tokensOf } from './internlm2-layout.ts'
import { readTranscript } from './read-transcript.ts'

vi.setConfig({ testTimeout: 60_000 })

const user = '<|im_start|>user\nHi<|im_end|>\n'
const calls = (text: string) => readTranscript(`<|im_start|>assistant\n${text}<|im_end|>\n`).messages[0]

describe('a transcript', () => {
  test('becomes messages, with names, and reports how it ends', () => {
    const text = `<s><|im_start|>system name=<|plugin|>\n[]\n<|im_end|>\n<|im_start|>user name=file\n[]<|im_end|>\n<|im_start|>assistant\n`
    expect(readTranscript(text)).toEqual({
      messages: [
        { role: 'system', name: 'plugin', content: '[]\n' },
        { role: 'user', name: 'file', content: '[]' },
      ],
      want: 'generate',
      hasBos: true,
      notes: [],
    })
    expect(readTranscript(`${user}<|im_start|>assistant\nWell`)).toMatchObject({ want: 'continue', hasBos: false })
    expect(readTranscript(user)).toMatchObject({ want: 'complete' })
    expect(readTranscript('')).toMatchObject({ messages: [], want: 'complete' })
  })

  test('may lack end markers, as in document 004, and the newline after a name, as on other pages', () => {
    const text = `<|im_start|>system name=<|interpreter|>\nRun.\n${user}<|im_start|>system name=<|plugin|>[]<|im_end|>\n`
    expect(readTranscript(text)).toMatchObject({
      messages: [
        { role: 'system', name: 'interpreter', content: 'Run.\n' },
        { role: 'user', content: 'Hi' },
        { role: 'system', name: 'plugin', content: '[]' },
      ],
      notes: [{ code: 'no-turn-end', where: 'messages[0]' }],
    })
  })

  test('reports text outside of turns', () => {
    expect(readTranscript(`Hello ${user} there`).notes).toMatchObject([
      { text: 'text outside any turn: "Hello"' },
      { text: 'text outside any turn: "there"' },
    ])
  })

  test('of XComposer2 has its markers', () => {
    const text = '<s>[UNUSED_TOKEN_146]user\nx[UNUSED_TOKEN_145]\n'
    expect(readTranscript(text, 'internlm-xcomposer2').messages).toEqual([{ role: 'user', content: 'x' }])
    expect(() => readTranscript(text, 'moss')).toThrow('transcripts are read in the formats of the InternLM2 family only')
  })
})

describe('calls', () => {
  test('are read with the words around them', () => {
    const text =
      'Ok.<|action_start|><|plugin|>\n{"name": "f", "parameters": {"a": 1.0}}<|action_end|> and <|action_start|><|interpreter|>\n```python\nprint(1)\n```<|action_end|>\n'
    const message = calls(text)
    expect(message).toMatchObject({
      content: 'Ok.',
      tool_calls: [
        { name: 'f', after: ' and ' },
        { code_interpreter: { input: 'print(1)' }, after: '\n' },
      ],
    })
    expect(message!.tool_calls![0]).not.toHaveProperty('raw')
  })

  test('that would be written differently, or are malformed, are kept verbatim', () => {
    const first = (text: string) => calls(`<|action_start|><|plugin|>\n${text}<|action_end|>`)!.tool_calls![0]
    expect(first('{"name":"f","arguments":{}}')).toEqual({ name: 'f', arguments: {}, raw: '{"name":"f","arguments":{}}' })
    expect(first('{"name": f}')).toEqual({ name: '', raw: '{"name": f}' })
    expect(first('{"name": "f", "parameters": "x"}')).toEqual({ name: 'f', arguments: '"x"' })
  })
})

describe('render → read → render', () => {
  const markers = tokensOf(internlm2)
  const bits = [
    'Hi',
    ' ',
    '\n',
    '<|',
    'im_end',
    '|>',
    '<|im_end',
    '{',
    '}',
    '"',
    '```',
    '```python\n',
    '中文',
    '😀',
    '<s',
    'name=file',
    '\\',
    '\r\n',
  ]
  const text = fc
    .array(fc.constantFrom(...bits), { maxLength: 6 })
    .map((parts) => parts.join(''))
    .filter((joined) => !markers.some((marker) => joined.includes(marker)))
  const json = fc.jsonValue().filter((value) => !markers.some((marker) => JSON.stringify(value).includes(marker))) as fc.Arbitrary<PyValue>
  const call: fc.Arbitrary<ChatToolCall> = fc
    .tuple(
      fc.oneof(
        fc.record({ name: text, arguments: fc.dictionary(fc.string(), json) }),
        fc.record({ name: text, raw: text }),
        text.map((input) => ({ type: 'code_interpreter' as const, code_interpreter: { input } })),
        text.map((raw) => ({ type: 'code_interpreter' as const, code_interpreter: { input: '' }, raw })),
      ),
      fc.option(text, { nil: '' }),
    )
    .map(([made, after]) => ({ ...made, after }))
    .filter((made) => !markers.some((marker) => JSON.stringify(made).includes(marker)))
  const message: fc.Arbitrary<ChatMessage> = fc.oneof(
    fc.record({ role: fc.constantFrom('system', 'user', 'assistant', 'environment', 'tool'), content: text }),
    fc.record({
      role: fc.constantFrom('system', 'user', 'environment'),
      content: text,
      name: fc.constantFrom('plugin', 'interpreter', 'file', 'a.b-c_1'),
    }),
    fc.record({ role: fc.constant('assistant'), content: fc.option(text), tool_calls: fc.array(call, { maxLength: 3 }) }),
  )
  const tools = fc.option(
    fc.array(
      fc.oneof(fc.constant<object>({ type: 'code_interpreter' }), fc.record<object>({ name: text, parameters: fc.dictionary(text, text) })),
    ),
  )

  test('is the identity', () => {
    const bos = fc.constantFrom('in-prompt' as const, 'none' as const)
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), tools, bos, fc.boolean(), (messages, given, starts, complete) => {
        const first = promptText(
          renderChat(
            { messages, tools: given },
            { format: 'internlm2', format_options: { bos: starts } },
            { want: complete ? 'complete' : 'generate' },
          ),
        )
        const read = readTranscript(first)
        expect(read.notes).toEqual([])
        const options = { bos: read.hasBos ? ('in-prompt' as const) : ('none' as const) }
        expect(promptText(renderChat(read, { format: 'internlm2', format_options: options }, { want: read.want }))).toBe(first)
      }),
      { numRuns: propertyRuns(1000) },
    )
  })

  test('also where an answer was only started', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 3 }), text, (messages, content) => {
        const chat = { messages: [...messages, { role: 'assistant', content }] }
        const first = promptText(renderChat(chat, 'internlm2', { want: 'continue' }))
        const read = readTranscript(first)
        expect(promptText(renderChat(read, 'internlm2', { want: read.want }))).toBe(first)
      }),
    )
  })
})
