import { describe, expect, test } from 'vitest'
import type { Chat, ChatMessage } from './chat-message.ts'
import { isTurn } from './conversation.ts'
import type { Trust } from './message-fields.ts'
import { readChat } from './read-chat.ts'

const generated: ChatMessage = { role: 'assistant', content: 'x', tool_calls: [{ name: 'f' }], token_ids: [1, 2] }

function turns(chat: Chat, trust?: Trust) {
  const conversation = readChat(chat, trust)
  if (conversation.kind !== 'dialogue') throw new Error('not a dialogue')
  return conversation.sections.flatMap(({ items }) => items.filter(isTurn))
}

describe('readChat', () => {
  test('keeps the fields of each message, and its path', () => {
    const messages = [
      { role: 'user', content: 'Weather?', name: 'ann' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function' as const, function: { name: 'look', arguments: '{"a":1}' } }],
      },
      { role: 'tool', content: 'rain', tool_call_id: 'c1' },
    ]
    const [user, assistant, tool] = turns({ messages })
    expect(user).toMatchObject({
      role: 'user',
      name: 'ann',
      content: [{ text: 'Weather?', control: false, source: { by: 'message', path: 'messages[0].content' } }],
    })
    expect(assistant).toMatchObject({ calls: [{ id: 'c1', name: 'look', arguments: '{"a":1}', path: 'messages[1].tool_calls[0]' }] })
    expect(tool).toMatchObject({ callId: 'c1', content: [{ text: 'rain', source: { by: 'tool', path: 'messages[2].content' } }] })
    expect(tool!.message).toBe(messages[2])
  })

  test('accepts calls without the wrapper, and document 004’s name for arguments', () => {
    const [turn] = turns({ messages: [{ role: 'assistant', tool_calls: [{ name: 'f', parameters: { a: 1 } } as never] }] })
    expect(turn!.calls).toEqual([{ name: 'f', arguments: { a: 1 }, path: 'messages[0].tool_calls[0]' }])
  })

  test('accepts calls that run code, and the model’s exact text and the text after a call', () => {
    const call = { id: 'a', type: 'code_interpreter' as const, code_interpreter: { input: '1+1' }, raw: '1 + 1', after: '!' }
    const [turn] = turns({ messages: [{ role: 'assistant', tool_calls: [call] }] })
    expect(turn!.calls).toEqual([
      {
        name: 'interpreter',
        arguments: { code: '1+1' },
        code: '1+1',
        id: 'a',
        raw: '1 + 1',
        after: '!',
        path: 'messages[0].tool_calls[0]',
      },
    ])
    const broken = { type: 'code_interpreter', code_interpreter: {} } as never
    expect(() => readChat({ messages: [{ role: 'assistant', tool_calls: [broken] }] })).toThrow('the call has no code_interpreter.input')
  })

  test('accepts an interpreter among the tools', () => {
    const conversation = readChat({ messages: [], tools: [{ name: 'f' }, { type: 'code_interpreter' }] })
    expect(conversation).toMatchObject({ tools: [{ name: 'f', path: 'tools[0]' }], interpreter: { path: 'tools[1]' } })
  })

  test('uses the generated ids in place of text and calls', () => {
    const [turn] = turns({ messages: [generated] }, { trustsIds: true })
    expect(turn).toMatchObject({ content: [{ ids: [1, 2], source: { by: 'model', path: 'messages[0].token_ids' } }] })
    expect(turn).not.toHaveProperty('calls')
  })

  test('accepts ids only from messages that its caller vouches for', () => {
    const [own, foreign] = turns({ messages: [generated, { ...generated }] }, { trustsIds: (message) => message === generated })
    expect(own).toMatchObject({ content: [{ ids: [1, 2] }] })
    expect(foreign).toMatchObject({ content: [{ text: 'x', control: false }], calls: [{ name: 'f' }] })
    expect(foreign!.message).toEqual({ role: 'assistant', content: 'x', tool_calls: [{ name: 'f' }] })
    const said = { messages: [{ ...generated }], trustsIds: true } as Chat
    expect(turns(said)[0]).toMatchObject({ content: [{ text: 'x' }] })
  })

  test('never accepts ids of other roles than the model’s', () => {
    const conversation = readChat({ messages: [{ role: 'user', content: 'x', token_ids: [1, 2] }] }, { trustsIds: true })
    expect(conversation).toMatchObject({ sections: [{ items: [{ content: [{ text: 'x' }] }] }], notes: [{ code: 'fields-dropped' }] })
  })

  test('notes the dropped fields of a message, truncated', () => {
    const message = { role: 'user', content: 'x', mood: 'good', weight: 1, ignored: null }
    expect(readChat({ messages: [message as ChatMessage] }).notes).toEqual([
      {
        code: 'fields-dropped',
        where: 'messages[0]',
        text: "the message's mood was left out: messages from a row, a file or a request carry only the fields that formats read",
      },
    ])
    const many = Object.fromEntries(Array.from({ length: 999 }, (_, index) => [`${index}`.padEnd(999, 'x'), 1]))
    const [note] = readChat({ messages: [{ role: 'user', content: 'x', ...many }] }).notes
    expect(note!.text).toContain('… and 994 more were left out')
    expect(note!.text.length).toBeLessThan(500)
  })

  test('reads tools wrapped or bare', () => {
    const bare = { name: 'f', parameters: {} }
    expect(readChat({ messages: [], tools: [bare, { type: 'function', function: bare }] })).toMatchObject({
      tools: [
        { name: 'f', schema: bare, path: 'tools[0]' },
        { name: 'f', schema: bare, path: 'tools[1]' },
      ],
    })
  })

  test('names the message, call or tool that cannot be read', () => {
    expect(() => readChat({ messages: [{ content: 'x' } as never] })).toThrow('messages[0]: the message has no role')
    expect(() => readChat({ messages: ['x' as never] })).toThrow('messages[0]: this is no message')
    expect(() => readChat({ messages: 'x' as never })).toThrow('messages: this is not a list of messages')
    expect(() => readChat({ messages: [{ role: 'assistant', tool_calls: [{} as never] }] })).toThrow(
      'messages[0].tool_calls[0]: the call names no tool',
    )
    expect(() => readChat({ messages: [{ role: 'user', content: 5 as never }] })).toThrow(
      'messages[0].content: this content cannot be sent: 5',
    )
    const large = [{ seed: 2n ** 70n }]
    expect(() => readChat({ messages: [{ role: 'user', content: large as never }] })).toThrow('cannot be sent: {"seed":1.18')
    expect(() => readChat({ messages: [], tools: [{ type: 'function' }] })).toThrow('tools[0]: the tool has no name')
  })
})
