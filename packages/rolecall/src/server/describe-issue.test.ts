import { expect, test } from 'vitest'
import { chatRequest } from './chat/chat-request.ts'
import { messagesRequest } from './messages/messages-request.ts'
import { checkBody } from './read-body.ts'

function problem(work: () => unknown): string {
  try {
    work()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const chat = (body: object) => problem(() => checkBody(JSON.stringify(body), chatRequest))
const messages = (body: object) => problem(() => checkBody(JSON.stringify(body), messagesRequest))
const user = { role: 'user', content: 'Hi' }

test('a problem in a request is described with its path and the value found', () => {
  expect(messages({ messages: [user] })).toBe('max_tokens: missing')
  expect(messages({ messages: [{ role: 'robot', content: 'Hi' }], max_tokens: 1 })).toMatch(
    /^messages\[0\]\.role: expected "user" or "assistant".*, got "robot"$/,
  )
  expect(chat({})).toBe('messages: missing')
  expect(chat({ messages: [] })).toBe('messages: expected at least 1 entry')
  expect(chat({ messages: 'Hi' })).toBe('messages: expected an array, got "Hi"')
  expect(chat({ messages: [user], max_tokens: 'ten' })).toMatch(/^max_tokens: expected an? (number|integer), got "ten"$/)
  expect(chat({ messages: [user], max_tokens: 0 })).toMatch(/^max_tokens: expected (more than 0|at least 1), got 0$/)
  expect(chat({ messages: [user], response_format: { type: 'xml' } })).toBe('response_format.type: unsupported value "xml"')
  expect(chat({ messages: [user], stream: 'x'.repeat(100) })).toMatch(/^stream: expected a boolean, got "x{59}…$/)
})
