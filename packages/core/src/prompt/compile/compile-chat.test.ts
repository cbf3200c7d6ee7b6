import { expect, test } from 'vitest'
import { promptText } from '../format/prompt-text.ts'
import { compileChat, renderChat } from './compile-chat.ts'

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Hi' },
]
const tools = [{ name: 'f' }]

test('a chat renders in every kind of format', () => {
  expect(promptText(renderChat({ messages }, 'chatml'))).toBe(
    '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n',
  )
  expect(promptText(renderChat({ messages }, 'plain'))).toBe('Be brief.\nHi')
  expect(renderChat({ messages }, 'messages')).toMatchObject({ kind: 'chat', messages: [{ role: 'system' }, { role: 'user' }] })
  const meta_template = {
    round: [
      { role: 'HUMAN', begin: 'U: ', end: '\n' },
      { role: 'BOT', begin: 'A: ', generate: true },
    ],
  }
  expect(promptText(renderChat({ messages: messages.slice(1) }, { abbr: 'mine', meta_template }))).toBe('U: Hi\nA: ')
})

test('tools are never lost: they are in the prompt, beside the messages, or refused', () => {
  expect(promptText(renderChat({ messages, tools }, 'internlm2'))).toContain('[{"name": "f"}]')
  expect(renderChat({ messages, tools }, 'messages')).toMatchObject({ tools: [{ name: 'f', path: 'tools[0]' }] })
  expect(() => renderChat({ messages, tools }, 'chatml')).toThrow('tools[0]')
  expect(() => renderChat({ messages, tools: [{ type: 'code_interpreter' }] }, 'messages')).toThrow('tools[0]')
})

test('an unknown format is refused with the nearest', () => {
  expect(() => compileChat('internlm3')).toThrow('there is no format "internlm3"')
})

test('a developer message becomes a system message in a format without that role, with a note', () => {
  const chat = { messages: [{ role: 'developer', content: 'Be brief.' }, messages[1]!], tools }
  const instructed = { messages, tools }
  for (const model of ['internlm2', { format: 'internlm2', format_options: { system: 'Be kind.' } }]) {
    const prompt = renderChat(chat, model)
    expect(promptText(prompt)).toBe(promptText(renderChat(instructed, model)))
    expect(prompt.notes).toMatchObject([{ code: 'developer-as-system', where: 'messages[0].role' }])
  }
  for (const model of ['chatml', 'moss', { conv_template: 'vicuna_v1.1' }]) {
    const expected = promptText(renderChat({ messages }, model))
    expect(promptText(renderChat({ messages: chat.messages }, model))).toBe(expected)
    expect(compileChat(model).prepare().text({ messages: chat.messages })).toBe(expected)
  }
  expect(renderChat({ messages: chat.messages }, 'messages')).toMatchObject({
    messages: [{ role: 'developer' }, { role: 'user' }],
    notes: [],
  })
  const later = { messages: [messages[1]!, chat.messages[0]!] }
  expect(() => renderChat(later, { conv_template: 'vicuna_v1.1' })).toThrow('only before everything else')
})

test('tool results reach a chat server unchanged', () => {
  const result = { role: 'tool', content: '22 °C', tool_call_id: 'c1' }
  const call = { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function' as const, function: { name: 'f' } }] }
  expect(renderChat({ messages: [...messages, call, result] }, 'messages')).toMatchObject({
    messages: [
      { role: 'system' },
      { role: 'user' },
      { role: 'assistant', extra: { tool_calls: call.tool_calls } },
      { role: 'tool', extra: { tool_call_id: 'c1' } },
    ],
  })
})
