import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../proof/testing/sampling.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import { ByteSink } from '../../base/text/byte-sink.ts'
import type { ChatMessage } from '../conversation/chat-message.ts'
import { mlcTemplates } from '../format/mlc/summary.ts'
import { compileChat } from './compile-chat.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function outcome(attempt: () => string): string {
  try {
    return attempt()
  } catch (error) {
    if (error instanceof PromptError) return `error ${error.code}`
    throw error
  }
}

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('', '\ud83d', '\ude00', '{function_string}', '</s>', '<think>a</think>\n\nb', '你好'),
)
const said = fc.record({ role: fc.constantFrom('user', 'user', 'assistant', 'assistant', 'system', 'tool', 'critic'), content: words })

/** Chats that grow turn by turn, and unrelated chats. */
const chats = fc
  .tuple(fc.array(said, { maxLength: 8 }), fc.array(fc.array(said, { maxLength: 4 }), { maxLength: 4 }))
  .map(([start, ends]) => [start, ...ends.map((end) => [...start.slice(0, end.length + 1), ...end])])

describe('writing a chat fast', () => {
  for (const { name, generation } of mlcTemplates()) {
    test(`${generation} ${name}: the same bytes as rendering it`, () => {
      const chat = compileChat({ conv_template: name.includes('/') ? name : `${generation}/${name}` }).prepare()
      const alternating = (messages: readonly ChatMessage[]) =>
        messages.map((message, index) => ({ ...message, role: index % 2 === 0 ? 'user' : 'assistant' }))
      const check = (messages: readonly ChatMessage[], sink: ByteSink) => {
        const before = sink.length
        const written = outcome(() => {
          chat.write({ messages }, sink)
          return decoder.decode(sink.written().subarray(before))
        })
        expect(written).toBe(outcome(() => Buffer.from(chat.text({ messages })).toString()))
      }
      fc.assert(
        fc.property(chats, (given) => {
          const sink = new ByteSink(64)
          for (const messages of given) {
            check(messages, sink)
            check(alternating(messages), sink)
            check([{ role: 'system', content: 'Be brief.' }, ...alternating(messages)], sink)
          }
        }),
        { numRuns: propertyRuns(25) },
      )
    })
  }

  test('a running chat is written from the first difference, and from the start after a new system message', () => {
    const chat = compileChat({ conv_template: 'vicuna_v1.1' }).prepare()
    const sink = new ByteSink()
    const ask = (messages: ChatMessage[]) => {
      sink.clear()
      chat.write({ messages }, sink)
      return decoder.decode(sink.written())
    }
    const system = { role: 'system', content: 'S' }
    const first = { role: 'user', content: 'Hi' }
    const reply = { role: 'assistant', content: 'Hello!' }
    expect(ask([system, first])).toBe('S USER: Hi ASSISTANT:')
    expect(ask([system, first, reply, { role: 'user', content: 'é' }])).toBe('S USER: Hi ASSISTANT: Hello!</s>USER: é ASSISTANT:')
    expect(ask([system, first, reply, { role: 'user', content: 'Bye' }])).toBe('S USER: Hi ASSISTANT: Hello!</s>USER: Bye ASSISTANT:')
    expect(ask([{ role: 'system', content: 'T' }, first, reply, { role: 'user', content: 'Bye' }])).toBe(
      'T USER: Hi ASSISTANT: Hello!</s>USER: Bye ASSISTANT:',
    )
  })

  test('other formats are rendered', () => {
    const sink = new ByteSink()
    compileChat({ format: 'chatml' })
      .prepare()
      .write({ messages: [{ role: 'user', content: 'Hi' }] }, sink)
    expect(decoder.decode(sink.written())).toBe('<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n')
  })
})
