import { expect, test } from 'vitest'
import { compileChat, renderChat } from './compile-chat.ts'
import { promptText } from './format/prompt-text.ts'

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

test('tools are never lost: they stand in the prompt, beside the messages, or are refused', () => {
  expect(promptText(renderChat({ messages, tools }, 'internlm2'))).toContain('[{"name": "f"}]')
  expect(renderChat({ messages, tools }, 'messages')).toMatchObject({ tools: [{ name: 'f', path: 'tools[0]' }] })
  expect(() => renderChat({ messages, tools }, 'chatml')).toThrow('tools[0]')
  expect(() => renderChat({ messages, tools: [{ type: 'code_interpreter' }] }, 'messages')).toThrow('tools[0]')
})

test('an unknown format is refused with the nearest', () => {
  expect(() => compileChat('internlm')).toThrow('there is no format "internlm"')
})
