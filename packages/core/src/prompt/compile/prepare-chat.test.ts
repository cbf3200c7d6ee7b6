import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { propertyRuns } from '../../../../../proof/testing/sampling.ts'
import { ByteSink } from '../../base/text/byte-sink.ts'
import type { ChatMessage } from '../conversation/chat-message.ts'
import { bodyOf } from '../format/flatten.ts'
import { promptText } from '../format/prompt-text.ts'
import { compileChat } from './compile-chat.ts'
import { prepareChat } from './prepare-chat.ts'

vi.setConfig({ testTimeout: 60_000 })

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('<|im_end|>', '\n', '\ud83d', '\ude00', '中文'))
const role = fc.constantFrom('system', 'user', 'assistant', 'environment')
const plainMessage: fc.Arbitrary<ChatMessage> = fc.record({ role, content: text })
const anyMessage: fc.Arbitrary<ChatMessage> = fc.oneof(
  { weight: 5, arbitrary: plainMessage },
  fc.record({ role, content: fc.constant(null) }),
  fc.record({ role, content: text, name: fc.constantFrom('file', 'plugin') }),
  fc.record({ role: fc.constant('assistant'), content: text, tool_calls: fc.constant([{ name: 'f' }]) }),
  fc.record({ role: fc.constant('tool'), content: text }),
  fc.record(
    {
      role: fc.constantFrom('tool', 'function', 'user'),
      content: fc.oneof(text, fc.constant(null)),
      tool_call_id: fc.constantFrom('a', 'b'),
    },
    { requiredKeys: ['role', 'tool_call_id'] },
  ) as fc.Arbitrary<ChatMessage>,
  fc.record({
    role: fc.constantFrom('assistant', 'user'),
    content: fc.oneof(text, fc.constant(null)),
    tool_calls: fc.array(anyCall(), { maxLength: 2 }),
  }),
  fc.record({ role: fc.constant('developer'), content: text }),
  fc.record({
    role: fc.constant('assistant'),
    content: text,
    token_ids: fc.constantFrom<never>(...([undefined, null, [1, 2]] as never[])),
  }),
  fc.record({ role, content: text, reasoning_content: fc.constantFrom(null, 'hm'), tool_calls: fc.constant(null), mood: text }),
  plainMessage.map((message) => Object.assign(Object.create({ name: 'x' }) as ChatMessage, message)),
  plainMessage.map((message) => Object.assign(Object.create(null) as ChatMessage, message)),
  fc.constantFrom(null, undefined, 'x', []) as unknown as fc.Arbitrary<ChatMessage>,
  plainMessage.map((message) => new Map(Object.entries(message)) as unknown as ChatMessage),
)

/** Calls as clients send them, and malformed ones. */
function anyCall(): fc.Arbitrary<never> {
  const given = fc.constantFrom<unknown>(
    {},
    { city: 'Paris "x"\n' },
    { n: [1, 1.5, null, true, { é: '\ud83d' }] },
    '{"a": 1.0}',
    '{',
    '',
    3,
    undefined,
  )
  const id = fc.constantFrom('a', 'b', 7, undefined)
  return fc.oneof(
    fc.record({ name: fc.constantFrom('f', 'g'), arguments: given }),
    fc.record({ id, type: fc.constant('function'), function: fc.record({ name: fc.constantFrom('f', 3), arguments: given }) }),
    fc.record({ name: fc.constant('f'), parameters: given, after: fc.constantFrom('so', '', undefined) }),
    fc.record({ name: fc.constant('f'), raw: fc.constant('{"name":') }),
    fc.record({ id, type: fc.constant('code_interpreter'), code_interpreter: fc.constant({ input: '1' }) }),
    fc.constantFrom<unknown>(null, 'f', [], new Map([['name', 'f']])),
  ) as fc.Arbitrary<never>
}

const anyTools = fc.oneof(
  fc.constantFrom<never>(...([undefined, null, []] as never[])),
  fc.array(
    fc.constantFrom<object>(
      {
        name: 'f',
        description: 'Say "hi".',
        parameters: { type: 'object', properties: { city: { type: 'string' }, n: { minimum: 1.5 } } },
      },
      { type: 'function', function: { name: 'g', parameters: {} } },
      { type: 'code_interpreter' },
      new Map([['name', 'f']]),
      { description: 'nameless' },
    ),
    { minLength: 1, maxLength: 3 },
  ),
)

describe('a prepared chat', () => {
  const formats = ['internlm2', 'internlm-xcomposer2', 'chatml', 'moss', 'messages', 'vicuna', 'llama'] as const

  test('equals the rendered one, as text and as bytes, in every format, or throws the same error', () => {
    const want = fc.constantFrom('generate' as const, 'complete' as const, 'last-round' as const)
    fc.assert(
      fc.property(fc.constantFrom(...formats), want, fc.array(anyMessage, { maxLength: 5 }), (name, asked, messages) => {
        const maker = compileChat(
          name === 'vicuna' ? { conv_template: 'vicuna_v1.1' } : name === 'llama' ? { conv_template: 'llama-3' } : name,
        )
        const rendered = outcome(() => bodyOf(maker.render({ messages }, { want: asked })))
        const prepared = maker.prepare({ want: asked })
        expect(outcome(() => prepared.text({ messages }))).toEqual(rendered)
        // Written three times: from scratch, as a similar chat, and with one message less, whose bytes are cached by then.
        const sink = new ByteSink(8)
        for (const said of [messages, messages, messages.slice(0, -1), messages]) {
          const expected = outcome(() => bodyOf(maker.render({ messages: said }, { want: asked })))
          sink.clear()
          sink.writeText('>')
          const written = outcome(() => {
            prepared.write({ messages: said }, sink)
            return ''
          })
          if (expected instanceof Error) expect(written).toEqual(expected)
          else expect(sink.written()).toEqual(new TextEncoder().encode(`>${expected}`))
        }
      }),
      { numRuns: propertyRuns(500) },
    )
  })

  test('with tools, calls and results equals the rendered one, or throws the same error', () => {
    const options = fc.record(
      {
        tools_place: fc.constantFrom('start' as const, 'after-first-system' as const, 'after-systems' as const),
        tools_layout: fc.constantFrom('line' as const, 'indent' as const, 'document' as const),
        call_key: fc.constantFrom('parameters' as const, 'arguments' as const),
        end_newlines: fc.constantFrom(['tools' as const, 'plugin-call' as const], ['code-call' as const]),
        bos: fc.constantFrom('in-prompt' as const, 'none' as const),
      },
      { requiredKeys: [] },
    )
    const want = fc.constantFrom('generate' as const, 'complete' as const, 'continue' as const)
    const toolMessages = fc.array(anyMessage, { maxLength: 5 })
    fc.assert(
      fc.property(options, want, toolMessages, anyTools, (format_options, asked, messages, tools) => {
        const maker = compileChat({ format: 'internlm2', format_options } as never)
        const prepared = maker.prepare({ want: asked })
        const chat = { messages, tools }
        for (let time = 0; time < 2; time++)
          expect(outcome(() => prepared.text(chat))).toEqual(outcome(() => bodyOf(maker.render(chat, { want: asked }))))
      }),
      { numRuns: propertyRuns(1000) },
    )
  })

  test('with tools, calls and results is written without rendering', () => {
    const { format } = compileChat('internlm2')
    const prepared = prepareChat(format, { want: 'generate' }, () => {
      throw new Error('read to be rendered')
    })
    const call = { id: 'a', type: 'function' as const, function: { name: 'f', arguments: '{"x": 1.0}' } }
    const messages = [
      { role: 'system', content: 'S' },
      { role: 'user', content: 'x' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: 'y' },
    ]
    expect(prepared.text({ messages, tools: [{ name: 'f' }] })).toBe(
      [
        '<s><|im_start|>system\nS<|im_end|>\n<|im_start|>system name=<|plugin|>\n[{"name": "f"}]<|im_end|>\n<|im_start|>user\nx<|im_end|>\n',
        '<|im_start|>assistant\n<|action_start|><|plugin|>\n{"name": "f", "parameters": {"x": 1.0}}<|action_end|><|im_end|>\n',
        '<|im_start|>environment name=<|plugin|>\ny<|im_end|>\n<|im_start|>assistant\n',
      ].join(''),
    )
    expect(() => prepared.text({ messages: [{ role: 'user', content: 'x', name: 'me' }] })).toThrow('read to be rendered')
  })

  test('reflects tools that were changed in place', () => {
    const prepared = compileChat('internlm2').prepare()
    const tool = { name: 'f', parameters: { properties: { city: { type: 'string' } } as Record<string, object> } }
    const chat = { messages: [{ role: 'user', content: 'x' }], tools: [tool] }
    expect(prepared.text(chat)).toContain('{"city": {"type": "string"}}')
    tool.parameters.properties.city = { type: 'number' }
    expect(prepared.text(chat)).toContain('{"city": {"type": "number"}}')
    tool.parameters.properties = { day: {}, city: {} }
    expect(prepared.text(chat)).toContain('{"day": {}, "city": {}}')
    tool.parameters.properties = { city: {}, day: {} }
    expect(prepared.text(chat)).toContain('{"city": {}, "day": {}}')
    delete tool.parameters.properties.day
    expect(prepared.text(chat)).toContain('{"city": {}}')
    chat.tools.push({ ...tool, name: 'g' })
    expect(prepared.text(chat)).toContain('"name": "g"')
  })

  test('does not depend on other chats', () => {
    const prepared = compileChat({ format: 'internlm2', format_options: { system: 'Be kind.' } }).prepare()
    const user = { role: 'user', content: 'x' }
    const system = { role: 'system', content: 'S' }
    expect(prepared.text({ messages: [user] })).toContain('Be kind.')
    expect(prepared.text({ messages: [system, user] })).not.toContain('Be kind.')
  })

  test('includes tools, which a plain message does not show', () => {
    const chat = { messages: [{ role: 'user', content: 'x' }], tools: [{ name: 'f' }] }
    const maker = compileChat('internlm2')
    expect(maker.prepare().text(chat)).toBe(promptText(maker.render(chat)))
  })
})

function outcome(produce: () => string): string | Error {
  try {
    return produce()
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}
