import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { propertyRuns } from '../../testing/property-runs.ts'
import type { ChatMessage } from '../conversation/chat-message.ts'
import { promptText } from '../format/prompt-text.ts'
import { ByteSink } from '../text/byte-sink.ts'
import { compileChat } from './compile-chat.ts'
import { bodyOf } from './flatten.ts'

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

describe('a prepared chat', () => {
  const formats = ['internlm2', 'internlm-xcomposer2', 'chatml', 'moss', 'messages', 'vicuna', 'llama'] as const

  test('is the rendered one, as text and as bytes, in every format, or the same error', () => {
    const want = fc.constantFrom('generate' as const, 'complete' as const, 'last-round' as const)
    fc.assert(
      fc.property(fc.constantFrom(...formats), want, fc.array(anyMessage, { maxLength: 5 }), (name, asked, messages) => {
        const maker = compileChat(
          name === 'vicuna' ? { conv_template: 'vicuna_v1.1' } : name === 'llama' ? { conv_template: 'llama-3' } : name,
        )
        const rendered = outcome(() => bodyOf(maker.render({ messages }, { want: asked })))
        const prepared = maker.prepare({ want: asked })
        expect(outcome(() => prepared.text({ messages }))).toEqual(rendered)
        // Written three times: anew, as a chat like the one before, and with one message less, whose bytes are known by then.
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

  test('depends on nothing that another chat said', () => {
    const prepared = compileChat({ format: 'internlm2', format_options: { system: 'Be kind.' } }).prepare()
    const user = { role: 'user', content: 'x' }
    const system = { role: 'system', content: 'S' }
    expect(prepared.text({ messages: [user] })).toContain('Be kind.')
    expect(prepared.text({ messages: [system, user] })).not.toContain('Be kind.')
  })

  test('knows tools, which a plain message does not show', () => {
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
