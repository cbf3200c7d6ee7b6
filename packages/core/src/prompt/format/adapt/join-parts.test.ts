import { expect, test } from 'vitest'
import { renderChat } from '../../compile/compile-chat.ts'
import type { ChatMessage } from '../../conversation/chat-message.ts'
import { promptText } from '../prompt-text.ts'

const text = (value: string) => ({ type: 'text' as const, text: value })
const render = (content: ChatMessage['content'], format: string, role = 'user') =>
  renderChat(
    { messages: [...(role === 'user' ? [] : [{ role, content }]), { role: 'user', content: role === 'user' ? content : 'Hi' }] },
    format,
  )

test.each(['chatml', 'internlm2'])('%s writes several parts as one text, with a note', (format) => {
  for (const role of ['user', 'system']) {
    const prompt = render([text('a'), text('b')], format, role)
    expect(promptText(prompt)).toContain('a\nb')
    expect(prompt.notes.map(({ code }) => code)).toEqual(['parts-joined'])
  }
})

test('a single part is the same as a string', () => {
  const [part, string] = [render([text('a')], 'chatml'), render('a', 'chatml')]
  expect([promptText(part), part.notes]).toEqual([promptText(string), []])
})
